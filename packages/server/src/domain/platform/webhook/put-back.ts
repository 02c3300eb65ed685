import { MODE_NAMES, MODES } from '../../../catalog/modes.ts'
import { part, type Sql } from '../../../kernel/db.ts'

const WITH_A_CLOCK = MODE_NAMES.filter((mode) => MODES[mode].has_test_clock)

/** The clock of a sandbox goes back by so much: attempts that wait, and failures that are counted, go with it. */
export async function putBackDeliveries(sql: Sql, account_id: string, ms: number): Promise<void> {
  const back = part`make_interval(secs => ${ms / 1000})`
  const mine = part`account_id = ${account_id} and mode = any(${WITH_A_CLOCK})`
  await sql`
    update webhook_delivery set next_attempt_at = next_attempt_at - ${back}
    where ${mine} and endpoint_id in (select id from webhook_endpoint where ${mine})
      and succeeded is null and status <> 'succeeded'`
  await sql`update webhook_endpoint set failing_since = failing_since - ${back} where ${mine} and failing_since is not null`
}
