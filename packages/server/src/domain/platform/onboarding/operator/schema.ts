import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../../catalog/modes.ts'
import { Closed, listQuery, Named, Nullable, OneLine, OneOf, Opaque, Timestamp } from '../../../../kernel/schema.ts'
import { APPROVAL_ACTS, EXECUTIONS } from '../lanes.ts'
import { Performer } from '../schema.ts'
import { STEP_STATUSES } from '../settle.ts'

export const OnboardingWork = Named(
  'OnboardingWork',
  Closed({
    object: Type.Literal('onboarding_work'),
    mode: OneOf(MODE_NAMES),
    account_id: Type.String(),
    empresa: Closed({ id: Type.String(), rut: Type.String(), legal_name: Type.String() }),
    step: Type.String(),
    status: OneOf(STEP_STATUSES),
    doc_types: Type.Array(Type.Integer(), { description: 'What the empresa declares today.' }),
    since: Timestamp,
    approval: Type.Unsafe<{ act: string; approved_by: Performer; approved_at: string } | null>({
      anyOf: [Closed({ act: OneOf(APPROVAL_ACTS), approved_by: Performer, approved_at: Timestamp }), { type: 'null' }],
      description: 'Whose authorisation it rests on, where it needs one.',
    }),
    taken_by: Nullable(Type.String()),
    taken_at: Nullable(Timestamp),
    why: Nullable(Type.String(), {
      description: 'Why the job handed it over, or that a person took it from the job; null for what people always do.',
    }),
  }),
)
export type OnboardingWork = Static<typeof OnboardingWork>

export const WorkQuery = listQuery({
  step: Type.Optional(Opaque(40, { description: 'The key of a step.' })),
  taken_by: Type.Optional(OneLine(100, { description: 'What one person has in hand.' })),
})
export type WorkQuery = Static<typeof WorkQuery>

const By = OneLine(100, {
  description: 'The person of the operator who acts. The evidence of the empresa keeps the name.',
})

const Seen = Type.Optional(
  Opaque(64, {
    description:
      '`version` of the certification as it was shown: a step that moved or changed hands since is `step_changed`.',
  }),
)
const acts = { by: By, seen: Seen }

export const ActOnStep = Closed(acts)
export type ActOnStep = Static<typeof ActOnStep>

export const TakeStep = Closed({
  ...acts,
  instead_of: Type.Optional(
    OneLine(100, { description: 'Who has it in hand until now: without it, what somebody took stays theirs.' }),
  ),
})
export type TakeStep = Static<typeof TakeStep>

export const DoneStep = Closed({
  ...acts,
  note: Type.Optional(OneLine(500, { description: 'What an auditor should know about it.' })),
})
export type DoneStep = Static<typeof DoneStep>

export const RefuseStep = Closed({
  ...acts,
  reason: OneLine(300, { description: 'Why it could not be done, for the customer, in plain Spanish.' }),
  details: Type.Optional(
    OneLine(1000, { description: 'What else the customer should know: what the SII answered, what to bring.' }),
  ),
})
export type RefuseStep = Static<typeof RefuseStep>

export const OnboardingSwitch = Named(
  'OnboardingSwitch',
  Closed({
    object: Type.Literal('onboarding_switch'),
    step: Type.String(),
    execution: OneOf(EXECUTIONS),
    executions: Type.Array(OneOf(EXECUTIONS), { description: 'What it can be turned to today.' }),
    changed_at: Nullable(Timestamp, { description: 'Null while nobody turned it.' }),
  }),
)
export type OnboardingSwitch = Static<typeof OnboardingSwitch>

export const SwitchPath = Closed({ step: Opaque(40, { description: 'Key of a step.' }) })
export const TurnSwitch = Closed({ execution: OneOf(EXECUTIONS) })
export type TurnSwitch = Static<typeof TurnSwitch>
