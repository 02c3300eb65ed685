import { HOUR_SECONDS } from '../../catalog/time.ts'
import { secondsFrom } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'

/** The SII ends a session after about two hours without use (PROTOCOLS 9). */
const SESSION_SECONDS = 3 * HOUR_SECONDS

/**
 * Deletes what the SII gave to people and takes no longer: tokens past their life and sessions long without use. So a
 * certificate that left custody leaves nothing behind that was opened with it.
 */
export async function forgetLogins(sql: Sql, now: Date): Promise<void> {
  await sql`
    delete from sii_token
    where coalesce(expires_at, '-infinity') < ${now} and coalesce(renewing_until, '-infinity') < ${now}`
  await sql`
    delete from sii_session
    where coalesce(used_at, '-infinity') < ${secondsFrom(now, -SESSION_SECONDS)}
      and coalesce(capped_until, '-infinity') < ${now} and coalesce(leased_until, '-infinity') < ${now}`
}
