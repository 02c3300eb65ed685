import { MODES, type Mode } from '../../../catalog/modes.ts'
import { planPays } from '../../../catalog/plans.ts'

export const RECORDED_STATUSES = ['active', 'lapsed', 'canceled'] as const
export type RecordedStatus = (typeof RECORDED_STATUSES)[number]

/** Until when an empresa may emit, as recorded. */
export interface Term {
  readonly status: RecordedStatus | null
  readonly current_period_end: Date | null
  readonly grace_until: Date | null
}

/** An empresa as the paywall sees it. */
export interface Standing extends Term {
  readonly plan: string
  readonly legal_name: string
  readonly updated_at: Date | null
}

/** `none`: never subscribed. An active subscription whose period is over has lapsed, whether or not anyone recorded it. */
export function statusAt({ status, current_period_end }: Term, now: Date): RecordedStatus | 'none' {
  if (status === 'active' && current_period_end !== null && current_period_end <= now) return 'lapsed'
  return status ?? 'none'
}

/** Whether a subscription is asked for at all: not in a sandbox, not of the house. */
export function isRequired(mode: Mode, { plan }: Standing): boolean {
  return MODES[mode].paywalled && planPays(plan)
}

/** Whether the acts that need a subscription are refused at this moment. */
export function isBlocked(mode: Mode, standing: Standing, now: Date): boolean {
  if (!isRequired(mode, standing)) return false
  const status = statusAt(standing, now)
  if (status === 'lapsed') return standing.grace_until === null || standing.grace_until <= now
  return status !== 'active'
}
