import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { HolderType } from '../../../ports/bank.ts'
import type { ConnectionRow } from './show.ts'

export function of({ account_id, empresa_id, mode }: EmpresaScope): Fragment {
  return part`account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}`
}

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

/** One that was deleted is not there any more. `hold` keeps others from moving it until the transaction ends. */
export async function findConnection(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  options: { hold?: boolean } = {},
): Promise<ConnectionRow | null> {
  const [row] = await sql<ConnectionRow>`
    select * from connection where ${of(scope)} and id = ${id} and status <> 'deleted'
    ${options.hold ? part`for no key update` : nothing}`
  return row ?? null
}

export function listConnectionRows(
  sql: Sql,
  scope: EmpresaScope,
  filter: { readonly status?: string },
  page: { before: string | null; take: number },
): Promise<ConnectionRow[]> {
  return sql<ConnectionRow>`
    select * from connection where ${of(scope)} and status <> 'deleted'
      ${filter.status === undefined ? nothing : part`and status = ${filter.status}`}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

/** How the page of the person is found and what it works with; both end when it is used or replaced. */
export interface Page {
  readonly connect_hash: Buffer
  readonly widget: Buffer
  readonly expires_at: Date
}

export async function openPage(sql: Sql, scope: EmpresaScope, id: string, page: Page): Promise<void> {
  await sql`
    update connection set connect_hash = ${page.connect_hash}, widget = ${page.widget},
      connect_expires_at = ${page.expires_at}
    where ${of(scope)} and id = ${id}`
}

export async function keepLink(
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
    where ${of(scope)} and id = ${id}`
}

/** Everything that opens anything. */
export async function wipeSecrets(sql: Sql, scope: EmpresaScope, id: string): Promise<void> {
  await sql`
    update connection set link_token = null, widget = null, connect_hash = null, connect_expires_at = null
    where ${of(scope)} and id = ${id}`
}

export interface FoundPage extends EmpresaScope {
  readonly id: string
  readonly holder_type: HolderType
  readonly requested_institution: string | null
  readonly widget: Buffer | null
  readonly expires_at: Date
  readonly legal_name: string
  readonly offset_ms: number | null
  readonly frozen_at: Date | null
}

/** The connection that an address leads to, with the clock of its owner. */
export async function findPage(sql: Sql, connect_hash: Buffer): Promise<FoundPage | null> {
  const [row] = await sql<FoundPage>`
    select c.account_id, c.empresa_id, c.mode, e.rut, c.id, c.holder_type, c.requested_institution, c.widget,
      c.connect_expires_at as expires_at, e.legal_name, coalesce(ce.offset_ms, ca.offset_ms) as offset_ms,
      case when ce.account_id is null then ca.frozen_at else ce.frozen_at end as frozen_at
    from connection c
    join empresa e on e.account_id = c.account_id and e.id = c.empresa_id
    left join test_clock ca on c.mode = 'test' and ca.account_id = c.account_id and ca.empresa_id = ''
    left join test_clock ce on c.mode = 'test' and ce.account_id = c.account_id and ce.empresa_id = c.empresa_id
    where c.connect_hash = ${connect_hash} and c.status = 'pending_link' and e.status = 'active'`
  return row ?? null
}
