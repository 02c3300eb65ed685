import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { EndpointRow } from './show.ts'

/** RUTs the caller reaches, or null for all. */
export type EndpointReach = readonly string[] | null

// An endpoint that hears of an empresa the caller does not reach is none of the caller's business.
function within(scope: AccountScope, reach: EndpointReach): Fragment {
  return part`account_id = ${scope.account_id} and mode = ${scope.mode}
    ${reach === null ? nothing : part`and empresas <@ ${reach}::text[]`}`
}

/** Held until the transaction ends: how many endpoints there are is decided by one caller at a time. */
export async function countEndpoints(sql: Sql, scope: AccountScope): Promise<number> {
  await sql`select 1 from account where id = ${scope.account_id} for no key update`
  const [row] = await sql<{ count: number }>`
    select count(*) as count from webhook_endpoint where account_id = ${scope.account_id} and mode = ${scope.mode}`
  return row?.count ?? 0
}

export type NewEndpoint = Omit<EndpointRow, 'status' | 'disabled_reason'>

export async function insertEndpoint(sql: Sql, row: NewEndpoint): Promise<EndpointRow> {
  const [made] = await sql<EndpointRow>`
    insert into webhook_endpoint (account_id, id, mode, url, description, enabled_events, empresas, secret, created_at)
    values (${row.account_id}, ${row.id}, ${row.mode}, ${row.url}, ${row.description}, ${row.enabled_events},
      ${row.empresas}, ${row.secret}, ${row.created_at})
    returning *`
  return made as EndpointRow
}

export async function listEndpoints(
  sql: Sql,
  scope: AccountScope,
  reach: EndpointReach,
  page: { before: string | null; take: number },
): Promise<EndpointRow[]> {
  return sql<EndpointRow>`
    select * from webhook_endpoint where ${within(scope, reach)}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

export async function findEndpoint(
  sql: Sql,
  scope: AccountScope,
  reach: EndpointReach,
  id: string,
  options: { hold?: boolean } = {},
): Promise<EndpointRow | null> {
  const [row] = await sql<EndpointRow>`
    select * from webhook_endpoint where ${within(scope, reach)} and id = ${id}
    ${options.hold ? part`for no key update` : nothing}`
  return row ?? null
}

export type EndpointChanges = Pick<EndpointRow, 'url' | 'description' | 'enabled_events' | 'empresas'>

export async function saveEndpoint(sql: Sql, row: EndpointRow, to: EndpointChanges): Promise<EndpointRow> {
  const [changed] = await sql<EndpointRow>`
    update webhook_endpoint set url = ${to.url}, description = ${to.description},
      enabled_events = ${to.enabled_events}, empresas = ${to.empresas}
    where account_id = ${row.account_id} and id = ${row.id} returning *`
  return changed as EndpointRow
}

/** Why an endpoint is disabled; and once it is enabled again, a clean slate. */
export async function noteReason(
  sql: Sql,
  row: EndpointRow,
  reason: EndpointRow['disabled_reason'],
): Promise<EndpointRow> {
  const [changed] = await sql<EndpointRow>`
    update webhook_endpoint set disabled_reason = ${reason}, failing_since = null, failures = 0,
      failing_event_id = null, fails_several_events = false
    where account_id = ${row.account_id} and id = ${row.id} returning *`
  return changed as EndpointRow
}

/** The secret before the last one is forgotten: at most two sign. */
export async function replaceSecret(sql: Sql, row: EndpointRow, secret: Buffer, until: Date): Promise<void> {
  await sql`
    update webhook_endpoint set previous_secret = secret, previous_secret_until = ${until}, secret = ${secret}
    where account_id = ${row.account_id} and id = ${row.id}`
}

export async function eraseEndpoint(sql: Sql, row: EndpointRow): Promise<void> {
  await sql`delete from webhook_endpoint where account_id = ${row.account_id} and id = ${row.id}`
}

export async function eraseEndpointsOf(sql: Sql, account_id: string): Promise<void> {
  await sql`delete from webhook_endpoint where account_id = ${account_id}`
}

/** Whom to write to about an endpoint, and how often it was done since: the ledger knows. Null for a closed account. */
export async function lettersTo(sql: Sql, row: EndpointRow, since: string) {
  const [found] = await sql<{ email: string; verified: boolean; given_up_today: number }>`
    select a.email, a.email_verified_at is not null as verified, (
      select count(*) from event v where v.account_id = a.id and v.mode = ${row.mode}
        and v.type = 'webhook_endpoint.disabled' and v.id >= ${since}) as given_up_today
    from account a where a.id = ${row.account_id} and a.closed_at is null`
  return found ?? null
}
