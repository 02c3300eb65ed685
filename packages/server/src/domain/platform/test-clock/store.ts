import type { ClockSetting } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { ClockOwner } from '../../../kernel/queue-clock.ts'
import { type ClockRow, readClock } from './read-clock.ts'

/**
 * Locks the clock until the transaction ends, so that two calls do not move it at once. An empresa's own clock starts
 * where the account's stands.
 */
export async function lockClock(sql: Sql, owner: ClockOwner): Promise<ClockRow> {
  const { offset_ms, frozen_at } = await readClock(sql, owner)
  await sql`
    insert into test_clock (account_id, empresa_id, offset_ms, frozen_at)
    values (${owner.account_id}, ${owner.empresa_id ?? ''}, ${offset_ms}, ${frozen_at}) on conflict do nothing`
  const [row] = await sql<ClockRow>`
    select offset_ms, frozen_at, status, target from test_clock
    where account_id = ${owner.account_id} and empresa_id = ${owner.empresa_id ?? ''} for update`
  return row as ClockRow
}

export async function markAdvancing(sql: Sql, owner: ClockOwner, target: Date): Promise<void> {
  await sql`
    update test_clock set status = 'advancing', target = ${target}, updated_at = now()
    where account_id = ${owner.account_id} and empresa_id = ${owner.empresa_id ?? ''}`
}

export async function isAdvancing(sql: Sql, owner: ClockOwner, target: Date): Promise<boolean> {
  const [row] = await sql`
    select 1 from test_clock where account_id = ${owner.account_id} and empresa_id = ${owner.empresa_id ?? ''}
      and status = 'advancing' and target = ${target}`
  return row !== undefined
}

export async function markReady(sql: Sql, owner: ClockOwner, clock: ClockSetting): Promise<void> {
  await sql`
    update test_clock set status = 'ready', target = null, offset_ms = ${Math.round(clock.offset_ms)},
      frozen_at = ${clock.frozen_at}, updated_at = now()
    where account_id = ${owner.account_id} and empresa_id = ${owner.empresa_id ?? ''}`
}

/** The empresa goes by the account's clock again. */
export async function deleteClock(sql: Sql, owner: ClockOwner): Promise<void> {
  await sql`delete from test_clock where account_id = ${owner.account_id} and empresa_id = ${owner.empresa_id ?? ''}`
}
