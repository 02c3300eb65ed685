import { RETENTION } from '../../../catalog/retention.ts'
import { DAY_SECONDS } from '../../../catalog/time.ts'
import { secondsFrom } from '../../../kernel/clock.ts'

/**
 * Whoever archives an empresa may be a thief of a key, and its RUT with the mail alias made of it is what they are after: the
 * account keeps both for so long, and can create the empresa again meanwhile.
 */
export function rutHeldUntil(now: Date): Date {
  return secondsFrom(now, RETENTION.archived_rut_days * DAY_SECONDS)
}
