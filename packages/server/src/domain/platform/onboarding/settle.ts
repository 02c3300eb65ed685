import type { TriggerOf } from '../../../kernel/machine.ts'
import { type Actor, type Lane, type StepKey, stepOf, stepsOf } from './lanes.ts'
import type { onboardingStepMachine } from './machine.ts'

export const STEP_STATUSES = ['pending', 'in_progress', 'action_required', 'completed', 'failed', 'skipped'] as const
export type StepStatus = (typeof STEP_STATUSES)[number]

/** What is known of an empresa, beside its steps, that moves them. */
export interface Facts {
  readonly lane: Lane
  readonly boletas: boolean
  /** What stands in custody and with the empresa; `null` where a fact neither does nor undoes its step. */
  readonly done: Readonly<Partial<Record<StepKey, boolean | null>>>
  /** Declared tipos that the taxpayer is not known to be authorised for. */
  readonly to_certify: readonly number[]
  /** The SII gave no range under the resolución that was declared: the application is the customer's again. */
  readonly claim_refused: boolean
  /** Steps whose approval is not asked for yet, because what has to be approved is still being prepared. */
  readonly preparing: readonly StepKey[]
  /** A rehearsal: what a test helper did to a step stands, as what the world did would. */
  readonly by_hand: boolean
}

/** A step as far as it moves itself and the others. */
export interface StepState {
  readonly key: StepKey
  readonly status: StepStatus
  readonly approved: boolean
  /** The tipos it was done for, where it certifies. */
  readonly tipos: readonly number[]
}

export type StepTrigger = TriggerOf<typeof onboardingStepMachine>

export interface Move {
  readonly key: StepKey
  readonly trigger: StepTrigger
  readonly to: StepStatus
}

export const TRIGGERS: Readonly<Record<StepStatus, StepTrigger>> = {
  pending: 'withdrawn',
  in_progress: 'opened',
  action_required: 'awaited',
  completed: 'done',
  failed: 'failed',
  skipped: 'skipped',
}

export const isClosed = (status: StepStatus): boolean => status === 'completed' || status === 'skipped'

/** Who has a step in hand now: the application goes back to the customer when the SII refuses what they declared. */
export function actorOf(key: StepKey, { claim_refused }: Pick<Facts, 'claim_refused'>): Actor {
  return key === 'sii_postulacion' && claim_refused ? 'customer' : stepOf(key).actor
}

/** Whether what was certified covers what is declared today. */
function covers(state: StepState, { to_certify }: Facts): boolean {
  return stepOf(state.key).certifies === undefined || to_certify.every((tipo) => state.tipos.includes(tipo))
}

function wanted(state: StepState, facts: Facts, reached: boolean): StepStatus {
  const { key, status } = state
  const { certifies, approval, completes_on_approval } = stepOf(key)
  const known = facts.done[key] ?? null
  const done = status === 'completed' && known !== false && covers(state, facts)
  if (known === true || done) return 'completed'
  if (facts.by_hand && isClosed(status)) return status
  if (certifies && facts.to_certify.length === 0) return 'skipped'
  if (!reached) return 'pending'
  if (status === 'failed') return 'failed'
  if (actorOf(key, facts) === 'customer') return status === 'in_progress' ? 'in_progress' : 'action_required'
  if (facts.by_hand && status === 'in_progress') return status
  if (approval && !state.approved) return facts.preparing.includes(key) ? 'in_progress' : 'action_required'
  return completes_on_approval ? 'completed' : 'in_progress'
}

/**
 * The moves that bring the steps of an empresa in line with what is known: what is done is closed wherever it stands, the
 * first one that is open begins, and those behind it wait. Nothing that was done is undone but by a fact that says so.
 */
export function settle(facts: Facts, states: ReadonlyMap<StepKey, StepState>): Move[] {
  const moves: Move[] = []
  let reached = true
  for (const key of stepsOf(facts.lane, facts.boletas)) {
    const state = states.get(key) ?? { key, status: 'pending' as const, approved: false, tipos: [] }
    const to = wanted(state, facts, reached)
    if (to !== state.status) moves.push({ key, trigger: TRIGGERS[to], to })
    reached &&= isClosed(to)
  }
  return moves
}
