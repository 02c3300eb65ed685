import { DAY_MS, santiagoDate } from '@timbre/dte/values'
import { businessDayFrom, isBusinessDay } from '../../../kernel/business-days.ts'
import { STEP_COPY } from './copy.ts'
import { executionOf } from './execution.ts'
import { isShown, type StepKey, stepOf, stepsOf } from './lanes.ts'
import { pendingActionOf } from './pending-action.ts'
import type { Onboarding, OnboardingStep } from './schema.ts'
import { actorOf, isClosed } from './settle.ts'
import type { Shown } from './shown.ts'
import { currentStep, progressOf, statusOf } from './status.ts'

/** A person of ours needs two days at least, whatever the act itself takes. */
const OPERATOR_DAYS = 2

function daysLeft(key: StepKey, { steps, switches }: Pick<Shown, 'steps' | 'switches'>): number {
  if (isClosed(steps.get(key)?.status ?? 'pending')) return 0
  const { days } = stepOf(key)
  return executionOf(key, switches, steps.get(key)) === 'operator' ? Math.max(OPERATOR_DAYS, days) : days
}

function showStep(key: StepKey, shown: Shown): OnboardingStep {
  const step = shown.steps.get(key)
  const { stall_actor } = stepOf(key)
  const status = step?.status ?? 'pending'
  const open = status === 'in_progress' || status === 'action_required' || status === 'failed'
  return {
    key,
    ...STEP_COPY[key],
    actor: actorOf(key, { claim_refused: shown.row.resolucion_status === 'refused' }),
    stall_actor,
    execution: executionOf(key, shown.switches, step),
    status,
    eta_business_days: daysLeft(key, shown),
    next_poll_at: (open && shown.row.status !== 'archived' && step?.next_poll_at?.toISOString()) || null,
    ...(open && step?.blocked_reason && { blocked_reason: step.blocked_reason }),
    opened_at: step?.opened_at?.toISOString() ?? null,
    closed_at: step?.closed_at?.toISOString() ?? null,
    note: (status === 'completed' && step?.note) || null,
  }
}

/** The hour that it is now, on the business day by which what is left is usually done; now where nothing is. */
function estimatedReady(keys: readonly StepKey[], shown: Shown): string {
  const days = keys.reduce((sum, key) => sum + daysLeft(key, shown), 0)
  const today = santiagoDate(shown.now)
  // Today does not count: a step of one day is done on the next one.
  const ready = days === 0 ? today : businessDayFrom(today, isBusinessDay(today) ? days + 1 : days)
  const distance = Date.parse(ready) - Date.parse(today)
  return new Date(shown.now.getTime() + Math.round(distance / DAY_MS) * DAY_MS).toISOString()
}

/** The onboarding body of the contract, the same in a GET and in every event. */
export function showOnboarding(shown: Shown): Onboarding {
  const { row, walk } = shown
  const keys = stepsOf(walk.lane, walk.boletas)
  const current = currentStep(walk)
  const status = statusOf(walk)
  const before_first = keys.slice(0, keys.indexOf('emitting'))
  const pending_action = current === null || walk.suspended ? null : pendingActionOf(current, shown)
  return {
    object: 'onboarding',
    mode: row.mode,
    empresa: { id: row.id, rut: row.rut },
    lane: walk.lane,
    status,
    progress: progressOf(walk),
    blocked_on: current,
    steps: keys.filter((key) => isShown(walk.lane, key)).map((key) => showStep(key, shown)),
    estimated_ready_at: status === 'emitting' || row.status === 'archived' ? null : estimatedReady(before_first, shown),
    ...(pending_action && { pending_action }),
  }
}
