import { type ClockSetting, REAL_TIME } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { ClockOwner } from '../../../kernel/queue-clock.ts'

export interface ClockRow extends ClockSetting {
  readonly status: 'ready' | 'advancing'
  readonly target: Date | null
}

const UNSET: ClockRow = { ...REAL_TIME, status: 'ready', target: null }

/** The clock a sandbox account goes by, or one empresa: its own where it has one, otherwise the account's. */
export async function readClock(sql: Sql, owner: ClockOwner): Promise<ClockRow> {
  const [row] = await sql<ClockRow>`
    select offset_ms, frozen_at, status, target from test_clock
    where account_id = ${owner.account_id} and empresa_id in ('', ${owner.empresa_id ?? ''})
    order by empresa_id desc limit 1`
  return row ?? UNSET
}

/** The clock that takes over where this one is given up: the account's for an empresa, real time for an account. */
export async function readHomeClock(sql: Sql, { account_id, empresa_id }: ClockOwner): Promise<ClockSetting> {
  return empresa_id === null ? REAL_TIME : readClock(sql, { account_id, empresa_id: null })
}
