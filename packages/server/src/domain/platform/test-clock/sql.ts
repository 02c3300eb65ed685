import { type Fragment, name, part } from '../../../kernel/db.ts'

/**
 * Joins the test clocks of the rows of an alias: `ca` of the account, `ce` of the empresa alone. For statements that
 * find whom a caller is before anything else is known, where a second round trip would be felt.
 */
export function joinClocks(alias: string): Fragment {
  const row = name(alias)
  return part`
    left join test_clock ca on ${row}.mode = 'test' and ca.account_id = ${row}.account_id and ca.empresa_id = ''
    left join test_clock ce on ${row}.mode = 'test' and ce.account_id = ${row}.account_id and ce.empresa_id = ${row}.empresa_id`
}

/** The clock that counts after `joinClocks`: the empresa's own where it has one, otherwise the account's. */
export const joinedClock: Fragment = part`coalesce(ce.offset_ms, ca.offset_ms) as offset_ms,
      case when ce.account_id is null then ca.frozen_at else ce.frozen_at end as frozen_at`
