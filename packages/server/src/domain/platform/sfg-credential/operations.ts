import { defineOperation } from '../../operation.ts'
import { EmpresaPath } from '../empresa/schema.ts'
import { SfgCredential, StoreSfgCredential } from './schema.ts'
import { readSfgCredential, removeSfgCredential, storeSfgCredential } from './sfg-credential.ts'

const path = '/empresas/{empresa_id}/sfg_credential'
const writes = {
  path,
  reach: 'empresa',
  scope: 'empresas:write',
  params: EmpresaPath,
  audited: true,
} as const

export const sfgCredentialOperations = [
  defineOperation({
    id: 'sfg_credential.get',
    method: 'GET',
    path,
    summary: 'Read what is known of the SFG credential of an empresa',
    description: 'Metadata alone: the password cannot be read, by anybody.',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    returns: SfgCredential,
    errors: ['sfg_credential_not_found'],
    run: readSfgCredential,
  }),
  defineOperation({
    ...writes,
    id: 'sfg_credential.store',
    method: 'POST',
    summary: 'Store or replace the SFG credential of an empresa',
    description:
      'The password of the certificate that a person keeps at the SII, which signs on the free portal. It is kept sealed ' +
      'and sent to the SII alone; whether it is right shows when it is first used. Storing the same again changes ' +
      'nothing, so no Idempotency-Key is taken. In test mode it is a rehearsal: nothing depends on it.',
    body: StoreSfgCredential,
    returns: SfgCredential,
    status: 201,
    // A key keeps a digest of the request, and that of a short password tells the password to whoever tries them all.
    idempotent: false,
    mcp: { not: 'A password is handed over by the person it belongs to, never by an agent.' },
    leaves: { object: 'sfg_credential' },
    run: storeSfgCredential,
  }),
  defineOperation({
    ...writes,
    id: 'sfg_credential.delete',
    method: 'DELETE',
    summary: 'Destroy the SFG credential of an empresa',
    description:
      'The password is deleted, not marked. A live empresa on the channel `sfg` emits no facturas until there is another ' +
      '(`capabilities.blocked_by: credential`).',
    allows_inactive: true,
    returns: null,
    errors: ['sfg_credential_not_found'],
    mcp: { not: 'What stands in custody is put there, and taken away, by a person.' },
    leaves: { object: 'sfg_credential' },
    run: removeSfgCredential,
  }),
]
