import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { FilingRow } from './filing-show.ts'
import { of } from './store.ts'

export async function insertFiling(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  row: Pick<FilingRow, 'id' | 'period' | 'proposal_version' | 'codes' | 'total' | 'due_date' | 'created_at'>,
): Promise<FilingRow> {
  const [made] = await sql<FilingRow>`
    insert into f29_filing (account_id, empresa_id, mode, id, period, proposal_version, codes, total, due_date, created_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${row.id}, ${row.period}, ${row.proposal_version},
      ${JSON.stringify(row.codes)}, ${row.total}, ${row.due_date}, ${row.created_at})
    returning *`
  return made as FilingRow
}

export async function findFiling(sql: Sql, scope: EmpresaScope, id: string): Promise<FilingRow | null> {
  const [row] = await sql<FilingRow>`select * from f29_filing f where ${of(scope, 'f')} and f.id = ${id}`
  return row ?? null
}

/** The filing of a period that has not failed. */
export async function findLivingFiling(sql: Sql, scope: EmpresaScope, period: string): Promise<FilingRow | null> {
  const [row] = await sql<FilingRow>`
    select * from f29_filing f where ${of(scope, 'f')} and f.period = ${period} and f.status <> 'failed'`
  return row ?? null
}

export function listFilingRows(
  sql: Sql,
  scope: EmpresaScope,
  { period, status }: { period?: string; status?: string },
  page: { before: string | null; take: number },
): Promise<FilingRow[]> {
  return sql<FilingRow>`
    select * from f29_filing f where ${of(scope, 'f')}
      ${period === undefined ? nothing : part`and f.period = ${period}`}
      ${status === undefined ? nothing : part`and f.status = ${status}`}
      ${page.before === null ? nothing : part`and f.id < ${page.before}`}
    order by f.id desc limit ${page.take}`
}
