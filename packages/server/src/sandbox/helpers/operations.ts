import { CEILINGS } from '../../catalog/limits.ts'
import { pollAfterDocument } from '../../domain/issuing/document/read.ts'
import { Document, DocumentPath } from '../../domain/issuing/document/schema.ts'
import { defineOperation } from '../../domain/operation.ts'
import { EmpresaPath } from '../../domain/platform/empresa/schema.ts'
import { RehearseStep, rehearseStep } from '../../domain/platform/onboarding/rehearse-step.ts'
import { Onboarding } from '../../domain/platform/onboarding/schema.ts'
import { ReceivedDocument } from '../../domain/receiving/received-document/schema.ts'
import { PlayReceptor, playReceptor } from './play-receptor.ts'
import { playSupplier, receivePlayed, settlePlayed } from './play-supplier.ts'
import { PlayReceived } from './play-supplier-schema.ts'
import { RehearseOnboarding, rehearseOnboarding } from './rehearse-onboarding.ts'
import { ScriptEstado, scriptEstado } from './script-estado.ts'
import {
  SeededProposal,
  SeededValidations,
  SeedProposal,
  SeedValidations,
  seedProposal,
  seedValidations,
} from './seed-f29.ts'
import { seedRcv } from './seed-rcv.ts'
import { RcvSeed, SEED_BYTES, SEED_VALUES, SeedRcv } from './seed-rcv-schema.ts'

const helps = { method: 'POST', reach: 'empresa', scope: 'documents:write', test_only: true } as const

export const documentHelperOperations = [
  defineOperation({
    ...helps,
    id: 'test_helpers.documents.estado',
    path: '/test_helpers/documents/{document_id}/estado',
    summary: 'Decide what becomes of a sandbox document',
    description:
      'Before it is settled. A document that was sent is settled at once, one that is still queued as soon as it is sent. ' +
      'The guide to test mode lists receptores and totals that do the same without a call.',
    params: DocumentPath,
    body: ScriptEstado,
    returns: Document,
    errors: ['document_not_found', 'document_already_settled'],
    pollAfter: pollAfterDocument,
    run: scriptEstado,
  }),
  defineOperation({
    ...helps,
    id: 'test_helpers.documents.receptor_response',
    path: '/test_helpers/documents/{document_id}/receptor_response',
    summary: 'Answer a sandbox document as its receptor',
    description:
      'In the register of acceptance and claims of the SII, by its rules: within eight days of its acceptance, facturas ' +
      'alone, no claim beside an acceptance or an acknowledgement. The document shows it at once, its cesión and the ' +
      'register of sales follow it. Without a call, it is accepted by silence when the eight days are over.',
    params: DocumentPath,
    body: PlayReceptor,
    returns: Document,
    errors: ['document_not_found', 'receptor_response_refused'],
    run: playReceptor,
  }),
]

export const f29HelperOperations = [
  defineOperation({
    ...helps,
    id: 'test_helpers.f29.proposals',
    path: '/test_helpers/f29/proposals',
    summary: 'Decide what the sandbox SII proposes for a period',
    description: 'For the `differences` of the proposal of that period, which is compared anew.',
    body: SeedProposal,
    returns: SeededProposal,
    run: seedProposal,
  }),
  defineOperation({
    ...helps,
    id: 'test_helpers.f29.validations',
    path: '/test_helpers/f29/validations',
    summary: 'Decide what the sandbox SII finds wrong with the next filing',
    description: 'The next filing of the period fails with these errors, once.',
    body: SeedValidations,
    returns: SeededValidations,
    run: seedValidations,
  }),
]

export const rcvHelperOperations = [
  defineOperation({
    ...helps,
    id: 'test_helpers.rcv.seed',
    path: '/test_helpers/rcv/seed',
    summary: 'Fill the register of the sandbox',
    description:
      'Beside what the empresa issues and receives in test mode, which is in its register by itself. An entry with the ' +
      'same tipo, folio and counterparty is replaced. POST /tax/sync then finds it.',
    body_bytes: SEED_BYTES,
    body_values: SEED_VALUES,
    body: SeedRcv,
    returns: RcvSeed,
    run: seedRcv,
  }),
]

export const receivedDocumentHelperOperations = [
  defineOperation({
    ...helps,
    id: 'test_helpers.received_documents.create',
    path: '/test_helpers/received_documents',
    summary: 'Receive a document from a supplier',
    description:
      'Send `xml`, a file of a supplier, or `document`, from which the sandbox plays the supplier: it numbers, stamps ' +
      'and signs a real DTE to the empresa. Whatever is left out of it is made up: an empty body is a factura. What comes in is judged as a mail would be; a file that is not taken in is ' +
      'quarantined (`reception.quarantined`) and refused. Of an envelope with many documents all are taken in and the ' +
      'first is answered. Emisores 77333301-7 (the SII does not answer), 77333302-5 (it does not have the document), ' +
      '77333303-3 (it lets nobody act) and 77333304-1 (it says that everything was registered before) play faults.',
    body_bytes: CEILINGS.upload_body_bytes,
    body: PlayReceived,
    returns: ReceivedDocument,
    status: 201,
    errors: ['received_file_refused'],
    prepare: playSupplier,
    afterCommit: settlePlayed,
    run: receivePlayed,
  }),
]

const rehearses = {
  ...helps,
  scope: 'empresas:write',
  params: EmpresaPath,
  returns: Onboarding,
  lasting: false,
} as const

export const onboardingHelperOperations = [
  defineOperation({
    ...rehearses,
    id: 'test_helpers.onboarding.rehearse',
    path: '/test_helpers/empresas/{empresa_id}/onboarding',
    summary: 'Rehearse an onboarding with a sandbox empresa',
    description:
      'From here on it stands at a point of its lane, as a live empresa does, and its documents are `422 empresa_not_emitting` ' +
      'naming the step. Approving, attesting, rechecking, uploading and going live work on it, without the SII. `status: ' +
      '"emitting"` ends the rehearsal.',
    body: RehearseOnboarding,
    run: rehearseOnboarding,
  }),
  defineOperation({
    ...rehearses,
    id: 'test_helpers.onboarding.move_step',
    path: '/test_helpers/empresas/{empresa_id}/onboarding/steps',
    summary: 'Move a step of a rehearsal',
    description:
      'As the world would: what comes next opens by itself, and every event is sent. A step that was done may have to be done ' +
      'again, and one that is open may be held up (`blocked_reason`).',
    body: RehearseStep,
    errors: ['onboarding_step_not_found', 'step_not_open'],
    run: rehearseStep,
  }),
]
