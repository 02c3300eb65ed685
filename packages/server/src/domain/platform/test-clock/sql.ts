import type { ClockSetting } from '../../../kernel/clock.ts'
import { type Fragment, name, part, type Sql } from '../../../kernel/db.ts'

// The table of test clocks belongs to this folder. A statement of another noun that must know the time of its owner
// without a second round trip joins the clock with these fragments.

/** A clock that was joined: nulls where its owner goes by real time. */
export interface JoinedClock {
  readonly offset_ms: number | null
  readonly frozen_at: Date | null
}

export function clockOf({ offset_ms, frozen_at }: JoinedClock): ClockSetting {
  return { offset_ms: offset_ms ?? 0, frozen_at }
}

/** Joins the account's clock to a row with `account_id` and `mode`; `accountClock` selects it. */
export function joinAccountClock(owner: string): Fragment {
  const o = name(owner)
  return part`left join test_clock account_clock
    on ${o}.mode = 'test' and account_clock.account_id = ${o}.account_id and account_clock.empresa_id = ''`
}
export const accountClock = part`account_clock.offset_ms, account_clock.frozen_at`

/**
 * Joins the clocks that an empresa may go by, its own and the account's, to a row with `account_id`, `empresa_id` and
 * `mode`.
 */
export function joinClocks(owner: string): Fragment {
  const o = name(owner)
  return part`${joinAccountClock(owner)}
    left join test_clock own_clock
      on ${o}.mode = 'test' and own_clock.account_id = ${o}.account_id and own_clock.empresa_id = ${o}.empresa_id`
}

/** Selects the clock that counts after `joinClocks`: the empresa's own where it has one, otherwise the account's. */
export const joinedClock = part`coalesce(own_clock.offset_ms, account_clock.offset_ms) as offset_ms,
  case when own_clock.account_id is null then account_clock.frozen_at else own_clock.frozen_at end as frozen_at`

/** Joins only the clock that was set for an empresa alone to a row of `empresa`; `ownClock` selects it. */
export function joinOwnClock(empresa: string): Fragment {
  const e = name(empresa)
  return part`left join test_clock own_clock on own_clock.account_id = ${e}.account_id and own_clock.empresa_id = ${e}.id`
}
export const ownClock = part`own_clock.offset_ms, own_clock.frozen_at`

/** The clock of an empresa goes with it: no foreign key cascades to it. */
export async function deleteEmpresaClock(sql: Sql, owner: { account_id: string; empresa_id: string }): Promise<void> {
  await sql`delete from test_clock where account_id = ${owner.account_id} and empresa_id = ${owner.empresa_id}`
}
