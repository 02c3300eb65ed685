import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { PERSON_ROLES } from '../../../catalog/roles.ts'
import { Closed, Id, Named, Nullable, OneLine, OneOf, Opaque, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'
import { ACTORS, APPROVAL_ACTS, EXECUTIONS, STEP_KEYS } from './lanes.ts'
import { STEP_STATUSES } from './settle.ts'
import { ONBOARDING_STATUSES } from './status.ts'

/** Why a step does not move. `message` and `hint` are for the person, in Spanish. */
export const BLOCKED_CODES = [
  'sii_unreachable',
  'sii_propagation',
  'requirement_unmet',
  'resolucion_claim',
  'approval_declined',
  'operator_refused',
  'sii_review',
  'sii_refused',
  'preflight_failed',
] as const
export type BlockedCode = (typeof BLOCKED_CODES)[number]

export const BlockedReason = Closed({
  code: Type.String({ description: `One of ${BLOCKED_CODES.map((code) => `\`${code}\``).join(', ')}; more may come.` }),
  message: Type.String({ description: 'For the person, in Spanish.' }),
  hint: Nullable(Type.String({ description: 'What the person can do, in Spanish.' })),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: '`key` of the requirement that is not met; `sentence`, the words of the SII.',
  }),
  since: Timestamp,
})
export type BlockedReason = Static<typeof BlockedReason>

const Call = Closed({
  method: Type.String(),
  url: Type.String(),
  body: Nullable(Type.Record(Type.String(), Type.Unknown())),
})

export const Approval = Closed({
  act: OneOf(APPROVAL_ACTS),
  role: OneOf(PERSON_ROLES),
  approve: Call,
})

export const PendingAction = Named(
  'PendingAction',
  Closed({
    step: Type.String(),
    title: Type.String(),
    what: Type.String(),
    where: Type.String(),
    action_url: Nullable(Type.String({ description: 'Where it is done at the SII, where it is done there.' })),
    link: Nullable(
      Closed({ mint: Call }, { description: 'The call that mints a page of ours where the person does it.' }),
    ),
    instructions: Type.Array(Type.String()),
    bring: Type.Array(Type.String()),
    how_we_know: Type.String(),
    performed_by: Closed({ role: OneOf(PERSON_ROLES) }),
    verification: Nullable(
      Closed(
        { recheck: Call },
        { description: 'The call to make once the person is done; null where nothing is to be looked at.' },
      ),
    ),
    approval: Nullable(Approval, { description: 'Set where the step is ours and waits for a person to authorise it.' }),
  }),
)
export type PendingAction = Static<typeof PendingAction>

export const OnboardingStep = Named(
  'OnboardingStep',
  Closed({
    key: Type.String({
      description: `Today one of ${STEP_KEYS.join(', ')}. Show keys that you do not know as they come.`,
    }),
    label: Type.String(),
    help: Type.String(),
    actor: OneOf(ACTORS),
    stall_actor: OneOf(ACTORS, { description: 'Who holds it up when it stands still.' }),
    execution: OneOf(EXECUTIONS, {
      description: 'Who does what is ours: a queued job, or a person. It may change at any time.',
    }),
    status: OneOf(STEP_STATUSES),
    eta_business_days: Type.Integer({ minimum: 0 }),
    next_poll_at: Nullable(Timestamp, { description: 'The next look at the SII.' }),
    blocked_reason: Type.Optional(BlockedReason),
    opened_at: Nullable(Timestamp),
    closed_at: Nullable(Timestamp),
    note: Nullable(
      Type.String({
        description: 'What whoever did it said about it, of a step that was attested or that the operator did.',
      }),
    ),
  }),
)
export type OnboardingStep = Static<typeof OnboardingStep>

export const Onboarding = Named(
  'Onboarding',
  Closed({
    object: Type.Literal('onboarding'),
    mode: OneOf(MODE_NAMES),
    empresa: Closed({ id: Type.String(), rut: Type.String() }),
    lane: OneOf(['mercado', 'sfg']),
    status: OneOf(ONBOARDING_STATUSES),
    progress: Type.Number({ minimum: 0, maximum: 1 }),
    blocked_on: Nullable(Type.String({ description: 'Key of the step that is open.' })),
    steps: Type.Array(OnboardingStep),
    estimated_ready_at: Nullable(Timestamp, { description: 'By the usual time of what is left; null once it emits.' }),
    pending_action: Type.Optional(PendingAction),
  }),
)
export type Onboarding = Static<typeof Onboarding>

export const StepPath = Closed({
  empresa_id: Id,
  step: Opaque(40, { description: 'Key of a step of the empresa.' }),
})

/** The person who did or decided something, as whoever records it says. */
export const Performer = Closed({ rut: Rut, name: OneLine(100), role: OneOf(PERSON_ROLES) })
export type Performer = Static<typeof Performer>

export const AttestStep = Closed({
  performed_by: Performer,
  done_at: Type.Optional(Timestamp),
  note: Type.Optional(OneLine(500, { description: 'What an auditor should know about it.' })),
})
export type AttestStep = Static<typeof AttestStep>

export const DECISIONS = ['approve', 'decline'] as const
export const ApproveStep = Closed({
  decision: OneOf(DECISIONS),
  approved_by: Performer,
  reason: Type.Optional(OneLine(500, { description: 'Why not, of a refusal.' })),
  shown: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      maxLength: 64,
      description:
        'SHA-256 of what the person was shown, as `GET …/onboarding/certification` gives it. Refused when it was prepared anew since.',
    }),
  ),
})
export type ApproveStep = Static<typeof ApproveStep>

export const Recheck = Named(
  'OnboardingRecheck',
  Closed({
    object: Type.Literal('onboarding_recheck'),
    step: Type.String(),
    message: Type.String({ description: 'For the person, in Spanish.' }),
    next_poll_at: Nullable(Timestamp),
  }),
)
export type Recheck = Static<typeof Recheck>

export const GoLive = Closed({
  decision: Type.Optional(
    OneOf(DECISIONS, {
      description: 'What the titular decided. Without it they are asked, by letter and with a page.',
    }),
  ),
  approved_by: Type.Optional(Performer),
  reason: Type.Optional(OneLine(500)),
})
export type GoLive = Static<typeof GoLive>
