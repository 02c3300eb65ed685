import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { HolderType } from '../../../ports/bank.ts'
import { type Distrust, isChangedInDistrust, isMadeAt } from '../../distrust.ts'
import { grantStands } from '../../platform/agent-grant/sql.ts'
import { joinEmpresa } from '../../platform/empresa/sql.ts'
import { joinClocks, joinedClock } from '../../platform/test-clock/sql.ts'
import type { ConnectedAccount, Failure } from './schema.ts'
import type { ConnectionRow } from './show.ts'

export type NewConnection = Pick<
  ConnectionRow,
  'id' | 'provider' | 'name' | 'holder_type' | 'requested_institution' | 'created_at'
>

export async function insertConnection(sql: Sql, scope: EmpresaScope, row: NewConnection): Promise<void> {
  await sql`
    insert into connection (account_id, empresa_id, mode, id, provider, name, holder_type, requested_institution,
      created_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${row.id}, ${row.provider}, ${row.name},
      ${row.holder_type}, ${row.requested_institution}, ${row.created_at})`
}

/** A connection that is not deleted. `lock` keeps others from changing it until the transaction ends. */
export async function findConnection(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  options: { lock?: boolean } = {},
): Promise<ConnectionRow | null> {
  const [row] = await sql<ConnectionRow>`
    select * from connection where ${ownedBy(scope)} and id = ${id} and status <> 'deleted'
    ${options.lock ? part`for no key update` : nothing}`
  return row ?? null
}

export function listConnectionRows(
  sql: Sql,
  scope: EmpresaScope,
  filter: { readonly status?: string },
  page: { before: string | null; take: number },
): Promise<ConnectionRow[]> {
  return sql<ConnectionRow>`
    select * from connection where ${ownedBy(scope)} and status <> 'deleted'
      ${filter.status === undefined ? nothing : part`and status = ${filter.status}`}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

/** The page where a person links the bank: the hash of its address and its sealed widget, until it is used or replaced. */
export interface ConnectPageRow {
  readonly connect_hash: Buffer
  readonly widget: Buffer
  readonly expires_at: Date
  readonly made_by: string
  /** Real time. */
  readonly made_at: Date
}

export async function saveConnectPage(sql: Sql, scope: EmpresaScope, id: string, page: ConnectPageRow): Promise<void> {
  await sql`
    update connection set connect_hash = ${page.connect_hash}, widget = ${page.widget},
      connect_expires_at = ${page.expires_at}, connect_by = ${page.made_by}, connect_at = ${page.made_at}
    where ${ownedBy(scope)} and id = ${id}`
}

/** Ends the pages of a whole account that were made in distrust. Returns how many there were. */
export async function endPages(sql: Sql, account_id: string, distrust: Distrust): Promise<number> {
  const rows = await sql`
    update connection set connect_hash = null, widget = null, connect_expires_at = null
    where account_id = ${account_id} and connect_hash is not null and (${isMadeAt('connection', distrust.time)}
      or ${isChangedInDistrust(part`connect_at`, part`connect_by`, distrust)}) returning 1`
  return rows.length
}

export async function saveLink(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  link: Pick<ConnectionRow, 'link_id' | 'link_token' | 'institution' | 'holder_rut' | 'accounts' | 'linked_at'>,
): Promise<void> {
  await sql`
    update connection set link_id = ${link.link_id}, link_token = ${link.link_token},
      institution = ${JSON.stringify(link.institution)}::json, holder_rut = ${link.holder_rut},
      accounts = ${JSON.stringify(link.accounts)}::json, account_ids = ${link.accounts.map((one) => one.id)},
      linked_at = ${link.linked_at}, widget = null, connect_hash = null, connect_expires_at = null,
      next_refresh_allowed_at = null, failures = 0, failure = null
    where ${ownedBy(scope)} and id = ${id}`
}

/** Deletes every token of a connection. */
export async function deleteSecrets(sql: Sql, scope: EmpresaScope, id: string): Promise<void> {
  await sql`
    update connection set link_token = null, widget = null, connect_hash = null, connect_expires_at = null
    where ${ownedBy(scope)} and id = ${id}`
}

export interface FoundConnectPage extends EmpresaScope {
  readonly id: string
  readonly holder_type: HolderType
  readonly requested_institution: string | null
  readonly widget: Buffer | null
  readonly expires_at: Date
  readonly legal_name: string
  readonly offset_ms: number | null
  readonly frozen_at: Date | null
}

/** The connection behind the address of a page, with the clock of its owner. */
export async function findConnectPage(sql: Sql, connect_hash: Buffer): Promise<FoundConnectPage | null> {
  const [row] = await sql<FoundConnectPage>`
    select c.account_id, c.empresa_id, c.mode, e.rut, c.id, c.holder_type, c.requested_institution, c.widget,
      c.connect_expires_at as expires_at, e.legal_name, ${joinedClock}
    from connection c ${joinEmpresa('c')} ${joinClocks('c')}
    where c.connect_hash = ${connect_hash} and c.status = 'pending_link' and e.status = 'active'
      and ${grantStands(part`c.id`)}`
  return row ?? null
}

export async function recordSyncJob(sql: Sql, scope: EmpresaScope, id: string, job_id: string): Promise<void> {
  await sql`update connection set sync_job_id = ${job_id} where ${ownedBy(scope)} and id = ${id}`
}

export async function recordRefresh(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  when: { readonly asked_at: Date; readonly next_at: Date },
): Promise<void> {
  await sql`
    update connection set refresh_asked_at = ${when.asked_at}, next_refresh_allowed_at = ${when.next_at}
    where ${ownedBy(scope)} and id = ${id}`
}

export async function countFailure(sql: Sql, scope: EmpresaScope, id: string, failure: Failure): Promise<void> {
  await sql`
    update connection set failures = failures + 1, failure = ${JSON.stringify(failure)}::json
    where ${ownedBy(scope)} and id = ${id}`
}

/** A refresh that failed may be requested again at once. */
export async function allowRefresh(sql: Sql, scope: EmpresaScope, id: string): Promise<void> {
  await sql`update connection set next_refresh_allowed_at = null where ${ownedBy(scope)} and id = ${id}`
}

export async function recordSync(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  accounts: readonly ConnectedAccount[],
  at: Date,
): Promise<ConnectionRow> {
  const [row] = await sql<ConnectionRow>`
    update connection set accounts = ${JSON.stringify(accounts)}::json,
      account_ids = ${accounts.map((one) => one.id)}, last_synced_at = ${at}, failures = 0, failure = null
    where ${ownedBy(scope)} and id = ${id} returning *`
  return row as ConnectionRow
}

export interface NoticedConnection extends EmpresaScope {
  readonly id: string
}

/** The connections that a notice of a provider is about, each with its own scope. */
export function findNoticed(
  sql: Sql,
  provider: string,
  about: { readonly link_id: string | null; readonly account_id: string | null },
): Promise<NoticedConnection[]> {
  const named =
    about.link_id !== null ? part`c.link_id = ${about.link_id}` : part`c.account_ids @> ${[about.account_id]}`
  return sql<NoticedConnection>`
    select c.account_id, c.empresa_id, c.mode, e.rut, c.id from connection c ${joinEmpresa('c')}
    where c.provider = ${provider} and c.status in ('active', 'refreshing') and ${named} order by c.id limit 100`
}
