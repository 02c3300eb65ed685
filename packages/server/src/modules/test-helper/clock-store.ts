import { type ClockSetting, REAL_TIME } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'

/** The clock of a sandbox account, or of one empresa where it has its own. */
export async function readClock(sql: Sql, account_id: string, empresa_id = ''): Promise<ClockSetting> {
  const [row] = await sql<ClockSetting>`
    select offset_ms, frozen_at from test_clock where account_id = ${account_id} and empresa_id = ${empresa_id}`
  return row ?? REAL_TIME
}
