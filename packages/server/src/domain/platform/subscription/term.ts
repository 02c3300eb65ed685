import { addMonths } from '@timbre/dte/values'
import { RETENTION } from '../../../catalog/retention.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import { invalidField } from '../../../kernel/problem.ts'
import { instantOf } from '../../parse-instant.ts'
import type { RecordSubscription } from './schema.ts'
import { statusAt, type Term } from './standing.ts'

const PARAM = 'current_period_end'

export interface NewTerm {
  readonly current_period_end: Date
  readonly grace_until: Date | null
}

/** A year that was mistyped must not give the service away for a lifetime. */
const MOST_MONTHS = 120

function monthsFrom(now: Date, months: number): Date {
  const [day = '', time = ''] = now.toISOString().split('T')
  return new Date(`${addMonths(day, months)}T${time}`)
}

/** A period that still runs stays as it was: recording it twice must not lengthen it. */
function activeUntil(before: Term, sent: Date | undefined, now: Date): Date {
  if (sent !== undefined && sent <= now) throw invalidField(PARAM, 'it must be in the future for an active one.')
  if (sent !== undefined && sent > monthsFrom(now, MOST_MONTHS))
    throw invalidField(PARAM, 'it is over ten years ahead.')
  const runs = statusAt(before, now) === 'active' ? before.current_period_end : null
  return sent ?? runs ?? monthsFrom(now, 1)
}

/** A period that ended earlier keeps the day it ended. */
function endedAt(before: Term, sent: Date | undefined, now: Date): Date {
  if (sent !== undefined && sent > now) throw invalidField(PARAM, 'it must not be in the future for one that ended.')
  const { current_period_end } = before
  return sent ?? (current_period_end !== null && current_period_end < now ? current_period_end : now)
}

/** From when to when, by what is being recorded and what was before. The grace is fixed here: a promise, not a formula. */
export function termOf(input: RecordSubscription, before: Term, now: Date): NewTerm {
  const sent = input.current_period_end === undefined ? undefined : instantOf(PARAM, input.current_period_end)
  const end = input.status === 'active' ? activeUntil(before, sent, now) : endedAt(before, sent, now)
  const grace_until = input.status === 'canceled' ? null : daysFrom(end, RETENTION.subscription_grace_days)
  return { current_period_end: end, grace_until }
}
