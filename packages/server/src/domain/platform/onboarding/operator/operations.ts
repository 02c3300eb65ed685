import { listOf } from '../../../../kernel/schema.ts'
import { defineOperation } from '../../../operation.ts'
import { Onboarding, Recheck, StepPath } from '../schema.ts'
import { lookNow } from './begin-again.ts'
import { completeStep, giveBackStep, refuseStep, takeStep } from './carry-out.ts'
import {
  ActOnStep,
  DoneStep,
  OnboardingSwitch,
  OnboardingWork,
  RefuseStep,
  SwitchPath,
  TakeStep,
  TurnSwitch,
  WorkQuery,
} from './schema.ts'
import { listOnboardingSwitches, turnSwitch } from './switches.ts'
import { listOnboardingWork } from './work.ts'

const STEP = '/empresas/{empresa_id}/onboarding/steps/{step}'
const REFUSALS = [
  'onboarding_step_not_found',
  'step_not_operators',
  'step_not_open',
  'step_changed',
  'step_taken',
  'muestras_approval_required',
  'empresa_inactive',
] as const

export const onboardingOperatorOperations = [
  defineOperation({
    id: 'onboarding.work.list',
    method: 'GET',
    path: '/onboarding/work',
    summary: 'List the steps that wait for a person of the operator',
    description:
      'For the operator alone: of every account, what stands open and is executed by a person, oldest first. A step that ' +
      'has to be approved appears once it is; one that was refused appears again when the customer asks for another try.',
    reach: 'installation',
    query: WorkQuery,
    returns: listOf(OnboardingWork),
    errors: ['invalid_cursor'],
    run: listOnboardingWork,
  }),
  defineOperation({
    id: 'onboarding.steps.take',
    method: 'POST',
    path: `${STEP}/take`,
    summary: 'Take a step in hand',
    description:
      'For the operator alone. Nobody else closes it then; `instead_of` takes it from whoever has it. A step that a job ' +
      'executes is handed over by it: the job does nothing of it until it is given back. The evidence of the empresa tells.',
    reach: 'operator',
    params: StepPath,
    body: TakeStep,
    returns: OnboardingWork,
    errors: REFUSALS,
    audited: true,
    run: takeStep,
  }),
  defineOperation({
    id: 'onboarding.steps.automatic',
    method: 'POST',
    path: `${STEP}/automatic`,
    summary: 'Give a step back to the job that executes it',
    description:
      'For the operator alone: of one empresa, what the job handed to a person or a person took from it. The job goes on from ' +
      'where the step stands. Where the switch of the step says `operator`, it stays with people: turn that instead.',
    reach: 'operator',
    params: StepPath,
    body: ActOnStep,
    returns: Onboarding,
    errors: [...REFUSALS, 'step_not_automatic'],
    audited: true,
    run: giveBackStep,
  }),
  defineOperation({
    id: 'onboarding.steps.look',
    method: 'POST',
    path: `${STEP}/look`,
    summary: 'Look at the SII now',
    description: 'For the operator alone: a step that waits for the SII is looked at now instead of at its next look.',
    reach: 'operator',
    params: StepPath,
    body: ActOnStep,
    returns: Recheck,
    status: 202,
    errors: ['onboarding_step_not_found', 'step_not_open', 'step_changed', 'empresa_inactive'],
    audited: true,
    run: lookNow,
  }),
  defineOperation({
    id: 'onboarding.steps.done',
    method: 'POST',
    path: `${STEP}/done`,
    summary: 'Say that a step was carried out',
    description:
      'For the operator alone: the step is completed and the next one opens. Where something in custody shows whether it was ' +
      'done, such as the first folios, it stays `requirement_unmet` until that is there.',
    reach: 'operator',
    params: StepPath,
    body: DoneStep,
    returns: Onboarding,
    errors: [...REFUSALS, 'requirement_unmet'],
    audited: true,
    run: completeStep,
  }),
  defineOperation({
    id: 'onboarding.steps.refuse',
    method: 'POST',
    path: `${STEP}/refuse`,
    summary: 'Say why a step could not be carried out',
    description:
      'For the operator alone: the step fails with `operator_refused` and the reason, until the customer asks for a recheck.',
    reach: 'operator',
    params: StepPath,
    body: RefuseStep,
    returns: Onboarding,
    errors: REFUSALS,
    audited: true,
    run: refuseStep,
  }),
  defineOperation({
    id: 'onboarding.switches.list',
    method: 'GET',
    path: '/onboarding/switches',
    summary: 'Read who executes each step',
    description: 'For the operator alone: each step in which something is ours, and what its switch can be turned to.',
    reach: 'installation',
    returns: listOf(OnboardingSwitch),
    run: listOnboardingSwitches,
  }),
  defineOperation({
    id: 'onboarding.switches.turn',
    method: 'PATCH',
    path: '/onboarding/switches/{step}',
    summary: 'Turn who executes a step',
    description:
      'For the operator alone: a queued job or a person, for every empresa from this moment on. `execution` of each ' +
      'onboarding shows it.',
    reach: 'installation',
    params: SwitchPath,
    body: TurnSwitch,
    returns: OnboardingSwitch,
    errors: ['onboarding_step_not_found'],
    audited: true,
    run: turnSwitch,
  }),
]
