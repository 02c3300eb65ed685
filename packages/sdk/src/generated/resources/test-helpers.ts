// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { Document, F29SandboxProposal, F29SandboxValidations, Job, Onboarding, RcvSeed, ReceivedDocument, TestClock, TestHelperClockGetQuery, TestHelperClockSet, TestHelperDocumentEstado, TestHelperDocumentReceptorResponse, TestHelperF29Proposals, TestHelperF29Validations, TestHelperOnboardingMoveStep, TestHelperOnboardingRehearse, TestHelperRcvSeed, TestHelperReceivedDocumentCreate, TestHelperSeed } from '../types.ts'

export interface TestHelpersResource {
  /**
   * Fill the sandbox with a believable year.
   *
   * Facturas, boletas and notas de crédito issued and settled on their days, documents that suppliers signed, a register of purchases and sales, and the cartolas of a bank account and a card whose payments equal them, up to today. `apply_movement_matches` is turned on, unless somebody changed a setting, so that movements find what they paid. The same story for the same empresa each time: asking twice adds nothing. The registers are read and the cartolas imported by jobs of their own afterwards.
   *
   * Scope: `documents:write`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.seed
   */
  seed(input?: TestHelperSeed, options?: CallOptions): Promise<Job>
  readonly documents: TestHelpersDocumentsResource
  readonly f29: TestHelpersF29Resource
  readonly onboarding: TestHelpersOnboardingResource
  readonly rcv: TestHelpersRcvResource
  readonly receivedDocuments: TestHelpersReceivedDocumentsResource
  readonly clock: TestHelpersClockResource
}

export interface TestHelpersClockResource {
  /**
   * Move the test clock.
   *
   * Send one of `frozen_time` (go there and stand still), `advance` (move on by a duration) or `reset` (return to real time). Forward only, at most 13 months a call. Every timer that falls due on the way fires, in order, before the answer says `ready`; an answer that still says `advancing` is finished later: read the clock again. `reset` brings what is under way to its end first; other timers keep their distance, and dates stay as they are. Without `empresa_rut` it is the clock of the account, which takes a credential of all its empresas.
   *
   * Scope: `empresas:write`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.clock.set
   */
  set(input?: TestHelperClockSet, options?: CallOptions): Promise<TestClock>
  /**
   * Read the test clock.
   *
   * Scope: `empresas:read`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.clock.get
   */
  get(input?: TestHelperClockGetQuery, options?: CallOptions): Promise<TestClock>
}

export interface TestHelpersReceivedDocumentsResource {
  /**
   * Receive a document from a supplier.
   *
   * Send `xml`, a file of a supplier, or `document`, from which the sandbox plays the supplier: it numbers, stamps and signs a real DTE to the empresa. Whatever is left out of it is made up: an empty body is a factura. What comes in is judged as a mail would be; a file that is not taken in is quarantined (`reception.quarantined`) and refused. Of an envelope with many documents all are taken in and the first is answered. Emisores 77333301-7 (the SII does not answer), 77333302-5 (it does not have the document), 77333303-3 (it lets nobody act) and 77333304-1 (it says that everything was registered before) play faults.
   *
   * Scope: `documents:write`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.received_documents.create
   */
  create(input?: TestHelperReceivedDocumentCreate, options?: CallOptions): Promise<ReceivedDocument>
}

export interface TestHelpersRcvResource {
  /**
   * Fill the register of the sandbox.
   *
   * Beside what the empresa issues and receives in test mode, which is in its register by itself. An entry with the same tipo, folio and counterparty is replaced. POST /tax/sync then finds it.
   *
   * Scope: `documents:write`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.rcv.seed
   */
  seed(input?: TestHelperRcvSeed, options?: CallOptions): Promise<RcvSeed>
}

export interface TestHelpersOnboardingResource {
  /**
   * Rehearse an onboarding with a sandbox empresa.
   *
   * From here on it stands at a point of its lane, as a live empresa does, and its documents are `422 empresa_not_emitting` naming the step. Approving, attesting, rechecking, uploading and going live work on it, without the SII. `status: "emitting"` ends the rehearsal.
   *
   * Scope: `empresas:write`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.onboarding.rehearse
   */
  rehearse(empresa_id: string, input?: TestHelperOnboardingRehearse, options?: CallOptions): Promise<Onboarding>
  /**
   * Move a step of a rehearsal.
   *
   * As the world would: what comes next opens by itself, and every event is sent. A step that was done may have to be done again, and one that is open may be held up (`blocked_reason`).
   *
   * Scope: `empresas:write`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.onboarding.move_step
   */
  moveStep(empresa_id: string, input: TestHelperOnboardingMoveStep, options?: CallOptions): Promise<Onboarding>
}

export interface TestHelpersF29Resource {
  /**
   * Decide what the sandbox SII proposes for a period.
   *
   * For the `differences` of the proposal of that period, which is compared anew.
   *
   * Scope: `documents:write`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.f29.proposals
   */
  proposals(input: TestHelperF29Proposals, options?: CallOptions): Promise<F29SandboxProposal>
  /**
   * Decide what the sandbox SII finds wrong with the next filing.
   *
   * The next filing of the period fails with these errors, once.
   *
   * Scope: `documents:write`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.f29.validations
   */
  validations(input: TestHelperF29Validations, options?: CallOptions): Promise<F29SandboxValidations>
}

export interface TestHelpersDocumentsResource {
  /**
   * Decide what becomes of a sandbox document.
   *
   * Before it is settled. A document that was sent is settled at once, one that is still queued as soon as it is sent. The guide to test mode lists receptores and totals that do the same without a call.
   *
   * Scope: `documents:write`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.documents.estado
   */
  estado(document_id: string, input: TestHelperDocumentEstado, options?: CallOptions): Promise<Document>
  /**
   * Answer a sandbox document as its receptor.
   *
   * In the register of acceptance and claims of the SII, by its rules: within eight days of its acceptance, facturas alone, no claim beside an acceptance or an acknowledgement. The document shows it at once, its cesión and the register of sales follow it. Without a call, it is accepted by silence when the eight days are over.
   *
   * Scope: `documents:write`.
   *
   * Test mode only.
   *
   * @see http://127.0.0.1:3000/docs/reference/test_helpers#test_helpers.documents.receptor_response
   */
  receptorResponse(document_id: string, input: TestHelperDocumentReceptorResponse, options?: CallOptions): Promise<Document>
}

export const testHelpers: ResourceOf<TestHelpersResource> = /* @__PURE__ */ resource<TestHelpersResource>({
  seed: 'POST /test_helpers/seed ekb',
  documents: {
    estado: 'POST /test_helpers/documents/{document_id}/estado ekb',
    receptorResponse: 'POST /test_helpers/documents/{document_id}/receptor_response ekb',
  },
  f29: {
    proposals: 'POST /test_helpers/f29/proposals ekb',
    validations: 'POST /test_helpers/f29/validations ekb',
  },
  onboarding: {
    rehearse: 'POST /test_helpers/empresas/{empresa_id}/onboarding kb',
    moveStep: 'POST /test_helpers/empresas/{empresa_id}/onboarding/steps kb',
  },
  rcv: {
    seed: 'POST /test_helpers/rcv/seed ekb',
  },
  receivedDocuments: {
    create: 'POST /test_helpers/received_documents ekb',
  },
  clock: {
    set: 'POST /test_helpers/clock kb',
    get: 'GET /test_helpers/clock q',
  },
})
