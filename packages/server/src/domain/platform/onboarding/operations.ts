import { defineOperation } from '../../operation.ts'
import { EmpresaPath } from '../empresa/schema.ts'
import { approveStep, goLive } from './approve.ts'
import { attestStep } from './attest.ts'
import { readOnboarding } from './read.ts'
import { recheckStep } from './recheck.ts'
import { ApproveStep, AttestStep, GoLive, Onboarding, Recheck, StepPath } from './schema.ts'

const ONBOARDING = '/empresas/{empresa_id}/onboarding'
const STEP = `${ONBOARDING}/steps/{step}`
/** Two steps would not do: the consent of whoever let the agent in is not the decision of the taxpayer. */
const PERSONS = { not: 'It records what a person of the taxpayer did or decided: no agent says so for them.' }

export const onboardingOperations = [
  defineOperation({
    id: 'onboarding.get',
    method: 'GET',
    path: ONBOARDING,
    summary: 'Read the onboarding of an empresa',
    description:
      'Where it stands on its way to emitting: each step with who has to act, what holds it up and when the SII is asked ' +
      'next, and in `pending_action` what a person has to do now. Walk `steps` as they come, also those you do not know. A ' +
      'sandbox empresa emits from birth and has no steps, unless a test helper gave it an onboarding to rehearse.',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    returns: Onboarding,
    run: readOnboarding,
  }),
  defineOperation({
    id: 'onboarding.go_live',
    method: 'POST',
    path: `${ONBOARDING}/go_live`,
    summary: 'Ask the titular to go live, or record the decision',
    description:
      'Without `decision` the titular of the account is asked, by a letter with a page. With one it is recorded, which needs ' +
      '`onboarding:attest`: approved, the empresa emits documents that count.',
    reach: 'empresa',
    scope: 'onboarding:write',
    params: EmpresaPath,
    body: GoLive,
    returns: Onboarding,
    status: 202,
    paywalled: true,
    errors: ['requirement_unmet', 'step_not_awaiting_approval', 'approval_role_required', 'insufficient_scope'],
    mcp: PERSONS,
    leaves: { object: 'onboarding' },
    audited: true,
    run: goLive,
  }),
  defineOperation({
    id: 'onboarding.steps.recheck',
    method: 'POST',
    path: `${STEP}/recheck`,
    summary: 'Say that a step was done, and look again',
    description:
      'For what a person does at the SII: it is looked at now instead of at `next_poll_at`. Twice within a minute looks once. ' +
      'A step that failed is tried again.',
    reach: 'empresa',
    scope: 'onboarding:write',
    params: StepPath,
    returns: Recheck,
    status: 202,
    errors: ['onboarding_step_not_found', 'step_not_open'],
    run: recheckStep,
  }),
  defineOperation({
    id: 'onboarding.steps.attest',
    method: 'POST',
    path: `${STEP}/attest`,
    summary: 'Record that a person did what nothing can probe',
    description: 'For steps that the SII does not tell about. The evidence keeps who did it and that the API said so.',
    reach: 'empresa',
    scope: 'onboarding:attest',
    params: StepPath,
    body: AttestStep,
    returns: Onboarding,
    errors: ['onboarding_step_not_found', 'step_not_open', 'step_not_attestable', 'approval_role_required'],
    mcp: PERSONS,
    leaves: { object: 'onboarding' },
    audited: true,
    run: attestStep,
  }),
  defineOperation({
    id: 'onboarding.steps.approve',
    method: 'POST',
    path: `${STEP}/approve`,
    summary: 'Record the decision that a step waits for',
    description:
      'Of the role that `pending_action.approval` names. Approved, the step begins; declined, nothing is done, and the step ' +
      'goes on waiting with the reason. `muestras_impresas` is filed only once its samples are approved.',
    reach: 'empresa',
    scope: 'onboarding:attest',
    params: StepPath,
    body: ApproveStep,
    returns: Onboarding,
    errors: ['onboarding_step_not_found', 'step_not_awaiting_approval', 'approval_role_required'],
    mcp: PERSONS,
    leaves: { object: 'onboarding' },
    audited: true,
    run: approveStep,
  }),
]
