// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, FileAnswer, List, PageCall } from '../../shapes.ts'
import type { Certification, CertificationUnderWay, Evidence, Onboarding, OnboardingCertificationInputs, OnboardingCertificationListQuery, OnboardingCertificationSetFile, OnboardingEvidenceExportQuery, OnboardingEvidenceListQuery, OnboardingGoLive, OnboardingLink, OnboardingLinkCreate, OnboardingRecheck, OnboardingStepApprove, OnboardingStepAttest, OnboardingStepAutomatic, OnboardingStepDone, OnboardingStepLook, OnboardingStepRefuse, OnboardingStepRestart, OnboardingStepTake, OnboardingSwitch, OnboardingSwitchTurn, OnboardingWork, OnboardingWorkListQuery } from '../types.ts'

export interface OnboardingResource {
  /**
   * Read the onboarding of an empresa.
   *
   * Where it stands on its way to emitting: each step with who has to act, what holds it up and when the SII is asked next, and in `pending_action` what a person has to do now. Walk `steps` as they come, also those you do not know. A sandbox empresa emits from birth and has no steps, unless a test helper gave it an onboarding to rehearse.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/onboarding#onboarding.get
   */
  get(empresa_id: string, options?: CallOptions): Promise<Onboarding>
  /**
   * Ask the titular to go live, or record the decision.
   *
   * Without `decision` the titular of the account is asked, by a letter with a page. With one it is recorded, which needs `onboarding:attest`: approved, the empresa emits documents that count.
   *
   * Scope: `onboarding:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/onboarding#onboarding.go_live
   */
  goLive(empresa_id: string, input?: OnboardingGoLive, options?: CallOptions): Promise<Onboarding>
  readonly steps: OnboardingStepsResource
  readonly certification: OnboardingCertificationResource
  readonly work: OnboardingWorkResource
  readonly switches: OnboardingSwitchesResource
  readonly certifications: OnboardingCertificationsResource
  readonly links: OnboardingLinksResource
  readonly evidence: OnboardingEvidenceResource
}

export interface OnboardingEvidenceResource {
  /**
   * Read what people did on the way of an empresa to emitting.
   *
   * Every act of a person: who, when, from where, and which text they were shown; newest first. Entries are never changed, and kept as long as the documents that rest on them: 6 years after the last. Those of an archived or suspended empresa can be read too; those of a sandbox empresa go with it.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/onboarding#onboarding.evidence.list
   */
  list(empresa_id: string, input?: OnboardingEvidenceListQuery, options?: CallOptions): PageCall<List<Evidence>>
  /**
   * Download the evidence of an empresa as CSV or XLSX.
   *
   * The rows of the list under its filters, all of them and in its order, one column for each field by its dotted name. Text that a spreadsheet would run as a formula has an apostrophe before it. An account downloads two at a time. A download that fails on its way, or whose credential or empresa ends, breaks off.
   *
   * Scope: `empresas:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/onboarding#onboarding.evidence.export
   */
  export(empresa_id: string, input?: OnboardingEvidenceExportQuery, options?: CallOptions): Promise<FileAnswer>
}

export interface OnboardingLinksResource {
  /**
   * Mint a page where a person does a step of the onboarding.
   *
   * For the step that waits for somebody (`blocked_on`, `pending_action`). Whoever has the address signs, uploads or decides in Spanish, without an account; it works once and until `expires_at`, and the last one you minted for the step stops working. The address is told this once. For `mandato` the scope `mandato:write` is needed too; it can be minted whenever no mandato stands, after a revocation as well.
   *
   * Scope: `onboarding:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/onboarding#onboarding.links.create
   */
  create(empresa_id: string, input: OnboardingLinkCreate, options?: CallOptions): Promise<OnboardingLink>
  /**
   * Close the pages of a step.
   *
   * Also those that were mailed. Where none is open nothing changes.
   *
   * Scope: `onboarding:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/onboarding#onboarding.links.revoke
   */
  revoke(empresa_id: string, step: string, options?: CallOptions): Promise<void>
}

export interface OnboardingCertificationsResource {
  /**
   * List the certifications under way.
   *
   * For the operator alone: of every account, the open step of each certification, whom it waits for, what the SII last said and what can be done about it. Those that wait for people come first, and of these the oldest.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.certifications.list
   */
  list(input?: OnboardingCertificationListQuery, options?: CallOptions): PageCall<List<CertificationUnderWay>>
  /**
   * Download a file of a certification.
   *
   * For the operator alone: the very bytes that go to the SII, or came from it.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.certifications.file
   */
  file(empresa_id: string, file_id: string, options?: CallOptions): Promise<FileAnswer>
}

export interface OnboardingSwitchesResource {
  /**
   * Read who executes each step.
   *
   * For the operator alone: each step in which something is ours, and what its switch can be turned to.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.switches.list
   */
  list(options?: CallOptions): PageCall<List<OnboardingSwitch>>
  /**
   * Turn who executes a step.
   *
   * For the operator alone: a queued job or a person, for every empresa from this moment on. `execution` of each onboarding shows it.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.switches.turn
   */
  turn(step: string, input: OnboardingSwitchTurn, options?: CallOptions): Promise<OnboardingSwitch>
}

export interface OnboardingWorkResource {
  /**
   * List the steps that wait for a person of the operator.
   *
   * For the operator alone: of every account, what stands open and is executed by a person, oldest first. A step that has to be approved appears once it is; one that was refused appears again when the customer asks for another try.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.work.list
   */
  list(input?: OnboardingWorkListQuery, options?: CallOptions): PageCall<List<OnboardingWork>>
}

export interface OnboardingCertificationResource {
  /**
   * Read the certification of an empresa.
   *
   * Which tipos the SII still has to authorise, the sets de pruebas as they were understood, the document that is built for each case with its totals, every file that went to the SII with its words, and what is asked of the taxpayer.
   *
   * Scope: `empresas:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/certification#onboarding.certification.get
   */
  get(empresa_id: string, options?: CallOptions): Promise<Certification>
  /**
   * Hand in a set de pruebas.
   *
   * In place of the one that the service asks the SII for: the answer shows its cases and what each comes to, and what is not understood, with its line. Nothing is sent while anything is not understood, but for exportación, which is left out by name. With a test key nothing is ever sent: it shows what would be.
   *
   * Scope: `onboarding:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/certification#onboarding.certification.set_file
   */
  setFile(empresa_id: string, input: OnboardingCertificationSetFile, options?: CallOptions): Promise<Certification>
  /**
   * Answer what the certification asks.
   *
   * What only the taxpayer knows: `inputs` of the certification tells which, how each is written, and what waits for it.
   *
   * Scope: `onboarding:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/certification#onboarding.certification.inputs
   */
  inputs(empresa_id: string, input: OnboardingCertificationInputs, options?: CallOptions): Promise<Certification>
  readonly samples: OnboardingCertificationSamplesResource
}

export interface OnboardingCertificationSamplesResource {
  /**
   * Download a printed sample.
   *
   * The PDF that the titular approves and the SII reviews, the same bytes for both. `samples` of the certification lists them. It carries no watermark, because the SII judges the page that customers get: resolución 0 tells that it is a test.
   *
   * Scope: `empresas:read`.
   *
   * Limit: 60 per 60 s.
   *
   * @see http://127.0.0.1:3000/docs/reference/certification#onboarding.certification.samples.get
   */
  get(empresa_id: string, file_id: string, options?: CallOptions): Promise<FileAnswer>
  /**
   * Download all printed samples of a certification.
   *
   * For the operator alone: one file with every sample as it was approved, for a person who hands them in where the SII has no wire for it.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.certification.samples.zip
   */
  zip(empresa_id: string, options?: CallOptions): Promise<FileAnswer>
}

export interface OnboardingStepsResource {
  /**
   * Say that a step was done, and look again.
   *
   * For what a person does at the SII: it is looked at now instead of at `next_poll_at`. Twice within a minute looks once. A step that failed is tried again.
   *
   * Scope: `onboarding:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/onboarding#onboarding.steps.recheck
   */
  recheck(empresa_id: string, step: string, options?: CallOptions): Promise<OnboardingRecheck>
  /**
   * Record that a person did what nothing can probe.
   *
   * For steps that the SII does not tell about. The evidence keeps who did it and that the API said so.
   *
   * Scope: `onboarding:attest`.
   *
   * @see http://127.0.0.1:3000/docs/reference/onboarding#onboarding.steps.attest
   */
  attest(empresa_id: string, step: string, input: OnboardingStepAttest, options?: CallOptions): Promise<Onboarding>
  /**
   * Record the decision that a step waits for.
   *
   * Of the role that `pending_action.approval` names. Approved, the step begins; declined, nothing is done, and the step goes on waiting with the reason. `muestras_impresas` is filed only once its samples are approved.
   *
   * Scope: `onboarding:attest`.
   *
   * @see http://127.0.0.1:3000/docs/reference/onboarding#onboarding.steps.approve
   */
  approve(empresa_id: string, step: string, input: OnboardingStepApprove, options?: CallOptions): Promise<Onboarding>
  /**
   * Take a step in hand.
   *
   * For the operator alone. Nobody else closes it then; `instead_of` takes it from whoever has it. A step that a job executes is handed over by it: the job does nothing of it until it is given back. The evidence of the empresa tells.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.steps.take
   */
  take(empresa_id: string, step: string, input: OnboardingStepTake, options?: CallOptions): Promise<OnboardingWork>
  /**
   * Give a step back to the job that executes it.
   *
   * For the operator alone: of one empresa, what the job handed to a person or a person took from it. The job goes on from where the step stands. Where the switch of the step says `operator`, it stays with people: turn that instead.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.steps.automatic
   */
  automatic(empresa_id: string, step: string, input: OnboardingStepAutomatic, options?: CallOptions): Promise<Onboarding>
  /**
   * Look at the SII now.
   *
   * For the operator alone: a step that waits for the SII is looked at now instead of at its next look.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.steps.look
   */
  look(empresa_id: string, step: string, input: OnboardingStepLook, options?: CallOptions): Promise<OnboardingRecheck>
  /**
   * Say that a step was carried out.
   *
   * For the operator alone: the step is completed and the next one opens. Where something in custody shows whether it was done, such as the first folios, it stays `requirement_unmet` until that is there.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.steps.done
   */
  done(empresa_id: string, step: string, input: OnboardingStepDone, options?: CallOptions): Promise<Onboarding>
  /**
   * Say why a step could not be carried out.
   *
   * For the operator alone: the step fails with `operator_refused` and the reason, until the customer asks for a recheck.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.steps.refuse
   */
  refuse(empresa_id: string, step: string, input: OnboardingStepRefuse, options?: CallOptions): Promise<Onboarding>
  /**
   * Begin a step again.
   *
   * For the operator alone: a step that failed, or that is under way, begins anew. What the SII has not approved by then is made again, with fresh folios; who executes it is as if it had never begun.
   *
   * @see http://127.0.0.1:3000/docs/reference/operator_onboarding#onboarding.steps.restart
   */
  restart(empresa_id: string, step: string, input: OnboardingStepRestart, options?: CallOptions): Promise<Onboarding>
}

export const onboarding: ResourceOf<OnboardingResource> = /* @__PURE__ */ resource<OnboardingResource>({
  get: 'GET /empresas/{empresa_id}/onboarding ',
  goLive: 'POST /empresas/{empresa_id}/onboarding/go_live kb',
  steps: {
    recheck: 'POST /empresas/{empresa_id}/onboarding/steps/{step}/recheck k',
    attest: 'POST /empresas/{empresa_id}/onboarding/steps/{step}/attest kb',
    approve: 'POST /empresas/{empresa_id}/onboarding/steps/{step}/approve kb',
    take: 'POST /empresas/{empresa_id}/onboarding/steps/{step}/take bo',
    automatic: 'POST /empresas/{empresa_id}/onboarding/steps/{step}/automatic bo',
    look: 'POST /empresas/{empresa_id}/onboarding/steps/{step}/look bo',
    done: 'POST /empresas/{empresa_id}/onboarding/steps/{step}/done bo',
    refuse: 'POST /empresas/{empresa_id}/onboarding/steps/{step}/refuse bo',
    restart: 'POST /empresas/{empresa_id}/onboarding/steps/{step}/restart bo',
  },
  certification: {
    get: 'GET /empresas/{empresa_id}/onboarding/certification ',
    setFile: 'POST /empresas/{empresa_id}/onboarding/certification/set_file kb',
    inputs: 'POST /empresas/{empresa_id}/onboarding/certification/inputs kb',
    samples: {
      get: 'GET /empresas/{empresa_id}/onboarding/certification/samples/{file_id} f',
      zip: 'GET /onboarding/certifications/{empresa_id}/samples fo',
    },
  },
  work: {
    list: 'GET /onboarding/work qlo',
  },
  switches: {
    list: 'GET /onboarding/switches lo',
    turn: 'PATCH /onboarding/switches/{step} bo',
  },
  certifications: {
    list: 'GET /onboarding/certifications qlo',
    file: 'GET /onboarding/certifications/{empresa_id}/files/{file_id} fo',
  },
  links: {
    create: 'POST /empresas/{empresa_id}/onboarding/links kb',
    revoke: 'DELETE /empresas/{empresa_id}/onboarding/links/{step} ',
  },
  evidence: {
    list: 'GET /empresas/{empresa_id}/onboarding/evidence ql',
    export: 'GET /empresas/{empresa_id}/onboarding/evidence/export qf',
  },
})
