import { part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { ConnectedAccount, Failure } from './schema.ts'
import type { ConnectionRow } from './show.ts'
import { of } from './store.ts'

export async function noteJob(sql: Sql, scope: EmpresaScope, id: string, job_id: string): Promise<void> {
  await sql`update connection set sync_job_id = ${job_id} where ${of(scope)} and id = ${id}`
}

export async function noteRefresh(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  when: { readonly asked_at: Date; readonly next_at: Date },
): Promise<void> {
  await sql`
    update connection set refresh_asked_at = ${when.asked_at}, next_refresh_allowed_at = ${when.next_at}
    where ${of(scope)} and id = ${id}`
}

export async function noteFailure(sql: Sql, scope: EmpresaScope, id: string, failure: Failure): Promise<void> {
  await sql`
    update connection set failures = failures + 1, failure = ${JSON.stringify(failure)}::json
    where ${of(scope)} and id = ${id}`
}

/** A refresh that failed may be asked for again at once. */
export async function allowRefresh(sql: Sql, scope: EmpresaScope, id: string): Promise<void> {
  await sql`update connection set next_refresh_allowed_at = null where ${of(scope)} and id = ${id}`
}

export async function noteSynced(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  accounts: readonly ConnectedAccount[],
  at: Date,
): Promise<ConnectionRow> {
  const [row] = await sql<ConnectionRow>`
    update connection set accounts = ${JSON.stringify(accounts)}::json,
      account_ids = ${accounts.map((one) => one.id)}, last_synced_at = ${at}, failures = 0, failure = null
    where ${of(scope)} and id = ${id} returning *`
  return row as ConnectionRow
}

export interface Noticed extends EmpresaScope {
  readonly id: string
}

/** Whose connections a notice of a provider is about. Only they are told of it, each in its own scope. */
export function findNoticed(
  sql: Sql,
  provider: string,
  about: { readonly link_id: string | null; readonly account_id: string | null },
): Promise<Noticed[]> {
  const named =
    about.link_id !== null ? part`c.link_id = ${about.link_id}` : part`c.account_ids @> ${[about.account_id]}`
  return sql<Noticed>`
    select c.account_id, c.empresa_id, c.mode, e.rut, c.id from connection c
    join empresa e on e.account_id = c.account_id and e.id = c.empresa_id
    where c.provider = ${provider} and c.status in ('active', 'refreshing') and ${named} order by c.id limit 100`
}
