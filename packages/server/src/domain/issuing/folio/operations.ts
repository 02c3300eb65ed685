import { CEILINGS, MAGIC_QUANTITIES } from '../../../catalog/limits.ts'
import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { Job, pollAfterJob } from '../../platform/job/operations.ts'
import { annulsFolios, deactivatesCaf } from './agent-copy.ts'
import { annulCaf } from './annul.ts'
import { listAvailability } from './availability.ts'
import { deactivateCaf, listCafs, nameOfCaf, readCaf } from './caf.ts'
import { requestFolios } from './request.ts'
import { Caf, CafPath, CafQuery, FolioAvailability, FolioQuery, RequestFolios, UploadCaf } from './schema.ts'
import { uploadCaf, verifyCaf } from './upload.ts'

export const folioOperations = [
  defineOperation({
    id: 'folios.list',
    method: 'GET',
    path: '/folios',
    summary: 'Read how many folios are left',
    description: 'One row for each tipo the empresa declares, by its number.',
    reach: 'empresa',
    scope: 'documents:read',
    query: FolioQuery,
    returns: listOf(FolioAvailability),
    errors: ['invalid_cursor'],
    run: listAvailability,
  }),
  defineOperation({
    id: 'folios.request',
    needs_certificate: true,
    method: 'POST',
    path: '/folios/requests',
    summary: 'Ask the SII for folios',
    description:
      'Asynchronous: the job ends when the SII has answered, and `folios.received` or `folios.request_failed` tell of ' +
      'it. While a request of the same tipo is on its way that one is answered again, whatever its quantity. Ask for ' +
      'what is used in a few weeks: the SII gives less to whoever holds many unused folios. In test mode a quantity of ' +
      `${MAGIC_QUANTITIES.refused} is refused as the SII would, and ${MAGIC_QUANTITIES.unanswered} is never answered.`,
    reach: 'empresa',
    scope: 'folios:write',
    paywalled: true,
    body: RequestFolios,
    returns: Job,
    pollAfter: pollAfterJob,
    status: 202,
    errors: ['tipo_not_declared', 'tipo_not_available_for_channel', 'empresa_not_emitting'],
    run: requestFolios,
  }),
  defineOperation({
    id: 'cafs.list',
    method: 'GET',
    path: '/cafs',
    summary: 'List CAFs',
    description: 'Newest first, those that were deactivated too. Files and keys are never shown.',
    reach: 'empresa',
    scope: 'documents:read',
    query: CafQuery,
    returns: listOf(Caf),
    errors: ['invalid_cursor'],
    run: listCafs,
  }),
  defineOperation({
    id: 'cafs.upload',
    method: 'POST',
    path: '/cafs',
    summary: 'Upload a CAF',
    description:
      'Takes a file that the empresa downloaded from the SII into custody. It must be signed by the SII, belong to the ' +
      'empresa, be of a tipo that it declares, of the environment that it emits in once it does, and hold no folio of a CAF that is here already.',
    reach: 'empresa',
    scope: 'folios:write',
    body: UploadCaf,
    body_bytes: CEILINGS.caf_body_bytes,
    returns: Caf,
    status: 201,
    errors: [
      'invalid_caf',
      'caf_not_signed_by_sii',
      'caf_key_mismatch',
      'caf_of_another_rut',
      'caf_of_another_ambiente',
      'caf_expired',
      'caf_overlap',
      'tipo_not_declared',
      'tipo_not_available_for_channel',
    ],
    audited: true,
    prepare: verifyCaf,
    leaves: { object: 'caf', named: (_ctx, _input, caf) => nameOfCaf(caf) },
    run: uploadCaf,
  }),
  defineOperation({
    id: 'cafs.get',
    method: 'GET',
    path: '/cafs/{caf_id}',
    summary: 'Read a CAF',
    reach: 'empresa',
    scope: 'documents:read',
    params: CafPath,
    returns: Caf,
    errors: ['caf_not_found'],
    run: readCaf,
  }),
  defineOperation({
    id: 'cafs.deactivate',
    method: 'DELETE',
    path: '/cafs/{caf_id}',
    summary: 'Deactivate a CAF',
    description:
      'No document gets a folio of it any more, for good. It stays readable; a second call changes nothing. Folios it ' +
      'still held have to be annulled in the SII: POST …/annul.',
    reach: 'empresa',
    scope: 'folios:write',
    params: CafPath,
    returns: null,
    errors: ['caf_not_found'],
    mcp: { irreversible: deactivatesCaf },
    audited: true,
    leaves: { object: 'caf', named: async (ctx, input) => nameOfCaf(await readCaf(ctx, input)) },
    run: deactivateCaf,
  }),
  defineOperation({
    id: 'cafs.annul',
    needs_certificate: true,
    method: 'POST',
    path: '/cafs/{caf_id}/annul',
    summary: 'Annul the unused folios of a CAF in the SII',
    description:
      'Of a CAF that was deactivated or has expired: the folios that no document ever got. Asynchronous: the job ends ' +
      'when the SII has answered; `folios.annulled` or `folios.annulment_failed` tell of it, and the CAF shows it under ' +
      '`annulment`. What the SII annulled is annulled for good. In test mode a range of ' +
      `${MAGIC_QUANTITIES.not_annulled} unused folios is refused.`,
    reach: 'empresa',
    scope: 'folios:write',
    params: CafPath,
    returns: Job,
    pollAfter: pollAfterJob,
    status: 202,
    errors: ['caf_not_found', 'caf_not_annullable'],
    mcp: { irreversible: annulsFolios },
    lasting: true,
    audited: true,
    leaves: { object: 'caf', act: 'changed', named: async (ctx, input) => nameOfCaf(await readCaf(ctx, input)) },
    run: annulCaf,
  }),
]
