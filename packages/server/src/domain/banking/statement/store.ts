import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { StatementOptions } from '../../../ports/statements.ts'
import type { StatementRow } from './show.ts'

export type NewStatement = Pick<
  StatementRow,
  'id' | 'filename' | 'content_hash' | 'rows' | 'skipped' | 'understood' | 'created_at'
>

export async function insertStatement(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  statement: NewStatement,
  file: { readonly bytes: Buffer; readonly options: StatementOptions },
): Promise<void> {
  const { id, understood } = statement
  await sql`
    with made as (
      insert into statement (account_id, empresa_id, mode, id, filename, content_hash, bank_account, currency,
        first_date, last_date, rows, skipped, understood, created_at)
      values (${account_id}, ${empresa_id}, ${mode}, ${id}, ${statement.filename}, ${statement.content_hash},
        ${understood.bank_account}, ${understood.currency}, ${understood.first_date}, ${understood.last_date},
        ${statement.rows}, ${statement.skipped}, ${JSON.stringify(understood)}::json, ${statement.created_at})
    )
    insert into statement_file (account_id, empresa_id, mode, statement_id, bytes, options)
    values (${account_id}, ${empresa_id}, ${mode}, ${id}, ${file.bytes}, ${JSON.stringify(file.options)}::json)`
}

export async function findStatement(sql: Sql, scope: EmpresaScope, id: string): Promise<StatementRow | null> {
  const [row] = await sql<StatementRow>`
    select * from statement where ${ownedBy(scope)} and id = ${id} and undone_at is null`
  return row ?? null
}

export async function findByContent(sql: Sql, scope: EmpresaScope, content_hash: string): Promise<string | null> {
  const [row] = await sql<{ id: string }>`
    select id from statement where ${ownedBy(scope)} and content_hash = ${content_hash} and undone_at is null limit 1`
  return row?.id ?? null
}

export function listRows(
  sql: Sql,
  scope: EmpresaScope,
  status: string | undefined,
  page: { before: string | null; take: number },
): Promise<StatementRow[]> {
  return sql<StatementRow>`
    select * from statement where ${ownedBy(scope)} and undone_at is null
      ${status === undefined ? nothing : part`and status = ${status}`}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

export interface StoredFile {
  readonly bytes: Buffer
  readonly options: StatementOptions
}

export async function findFile(sql: Sql, scope: EmpresaScope, statement_id: string): Promise<StoredFile | null> {
  const [row] = await sql<StoredFile>`
    select bytes, options from statement_file where ${ownedBy(scope)} and statement_id = ${statement_id}`
  return row ?? null
}

export async function recordEnd(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  end: Partial<Pick<StatementRow, 'imported' | 'duplicates' | 'failure' | 'imported_at'>>,
): Promise<StatementRow> {
  const { imported = 0, duplicates = 0, failure = null, imported_at = null } = end
  const [row] = await sql<StatementRow>`
    with dropped as (delete from statement_file where ${ownedBy(scope)} and statement_id = ${id})
    update statement set imported = ${imported}, duplicates = ${duplicates},
      failure = ${failure && JSON.stringify(failure)}::json, imported_at = ${imported_at}
    where ${ownedBy(scope)} and id = ${id} returning *`
  return row as StatementRow
}

/** Movements of an undone cartola that this one holds too count as its own. One that still imports is counted at its end. */
export async function inheritCounts(sql: Sql, scope: EmpresaScope, id: string, count: number): Promise<void> {
  await sql`
    update statement set imported = imported + ${count}, duplicates = greatest(0, duplicates - ${count})
    where ${ownedBy(scope)} and id = ${id} and imported_at is not null`
}

/** Marks a cartola as undone: from the commit on nobody sees it or its movements. Waits for who decides about one of them. */
export async function markUndone(sql: Sql, scope: EmpresaScope, id: string, at: Date): Promise<void> {
  await sql`update statement set undone_at = ${at} where ${ownedBy(scope)} and id = ${id}`
}

/** Cartolas that are undone and have rows left. */
export async function listUndone(sql: Sql, scope: EmpresaScope): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select id from statement where ${ownedBy(scope)} and undone_at is not null order by id`
  return rows.map(({ id }) => id)
}

export async function deleteStatementRow(sql: Sql, scope: EmpresaScope, id: string): Promise<void> {
  await sql`delete from statement where ${ownedBy(scope)} and id = ${id}`
}
