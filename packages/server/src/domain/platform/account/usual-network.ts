import { CEILINGS } from '../../../catalog/limits.ts'
import { RETENTION } from '../../../catalog/retention.ts'
import { daysFrom, systemNow } from '../../../kernel/clock.ts'
import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import { networkOf } from '../../../kernel/network.ts'
import { normalizeEmail } from './schema.ts'

// A network is usual for an account once somebody came in from it: with the password, or with a letter to its mailbox.

const hashOf = (account_id: Fragment, ip: string): Fragment =>
  part`sha256(convert_to(${account_id} || '|' || ${networkOf(ip)}::text, 'UTF8'))`

/** In the transaction that lets them in. The oldest beyond the ceiling are forgotten. Says whether it was usual before. */
export async function noteUsualNetwork(sql: Sql, account_id: string, ip: string): Promise<{ usual: boolean }> {
  const now = new Date(systemNow())
  // A row that the statement itself inserted has no older version to lock.
  const [noted] = await sql<{ usual: boolean }>`
    insert into account_network (account_id, network_hash, seen_at)
    values (${account_id}, ${hashOf(part`${account_id}::text`, ip)}, ${now})
    on conflict (account_id, network_hash) do update set seen_at = excluded.seen_at
    returning xmax <> 0 as usual`
  await sql`
    delete from account_network where account_id = ${account_id} and network_hash in (
      select network_hash from account_network where account_id = ${account_id}
      order by seen_at desc, network_hash offset ${CEILINGS.usual_networks})`
  return { usual: noted?.usual === true }
}

/**
 * Whether an address is one that the owner of an e-mail lately came from. One statement, which looks as far and hashes as
 * much for an e-mail that has no account.
 */
export async function isUsualNetwork(sql: Sql, email: string, ip: string): Promise<boolean> {
  const since = daysFrom(new Date(systemNow()), -RETENTION.usual_network_days)
  const [row] = await sql<{ usual: boolean }>`
    with asked as materialized (
      select coalesce((select id from account where email = ${normalizeEmail(email)} and closed_at is null), '') as id
    )
    select exists (
      select 1 from account_network n
      where n.account_id = asked.id and n.network_hash = ${hashOf(part`asked.id`, ip)} and n.seen_at > ${since}
    ) as usual from asked`
  return row?.usual === true
}

/** Of an account that is taken back or closed: whoever is thrown out must not stay usual. */
export async function forgetUsualNetworks(sql: Sql, account_id: string): Promise<void> {
  await sql`delete from account_network where account_id = ${account_id}`
}

export async function deleteUnusedNetworks(sql: Sql, now: Date): Promise<void> {
  await sql`delete from account_network where seen_at <= ${daysFrom(now, -RETENTION.usual_network_days)}`
}
