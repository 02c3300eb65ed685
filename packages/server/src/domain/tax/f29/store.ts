import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { FilingRow } from './filing-show.ts'
import type { ProposalRow, ProposalWithFiling } from './show.ts'

const WITH_FILING = part`
  select p.*, f.id as filing_id, f.status as filing_status, f.codes as filed_codes from f29_proposal p
  left join lateral (
    select f.id, f.status, f.codes from f29_filing f where f.account_id = p.account_id and f.empresa_id = p.empresa_id
      and f.period = p.period and f.status <> 'failed' order by f.id desc limit 1
  ) f on true`

export async function findProposal(sql: Sql, scope: EmpresaScope, period: string): Promise<ProposalWithFiling | null> {
  const [row] = await sql<ProposalWithFiling>`${WITH_FILING} where ${ownedBy(scope, 'p')} and p.period = ${period}`
  return row ?? null
}

export function listProposalRows(
  sql: Sql,
  scope: EmpresaScope,
  page: { before: string | null; take: number },
): Promise<ProposalWithFiling[]> {
  return sql<ProposalWithFiling>`
    ${WITH_FILING} where ${ownedBy(scope, 'p')} ${page.before === null ? nothing : part`and p.period < ${page.before}`}
    order by p.period desc limit ${page.take}`
}

export async function saveProposal(sql: Sql, row: Omit<ProposalRow, 'changes'>): Promise<void> {
  await sql`
    insert into f29_proposal (account_id, empresa_id, mode, id, period, version, inputs, overrides, codes, diff,
      warnings, sii_codes, sii_read_at, due_date, created_at, computed_at, computed_changes)
    values (${row.account_id}, ${row.empresa_id}, ${row.mode}, ${row.id}, ${row.period}, ${row.version},
      ${JSON.stringify(row.inputs)}, ${JSON.stringify(row.overrides)}, ${JSON.stringify(row.codes)},
      ${JSON.stringify(row.diff)}, ${JSON.stringify(row.warnings)},
      ${row.sii_codes === null ? null : JSON.stringify(row.sii_codes)}, ${row.sii_read_at}, ${row.due_date},
      ${row.created_at}, ${row.computed_at}, ${row.computed_changes})
    on conflict (empresa_id, period) do update set version = excluded.version, inputs = excluded.inputs,
      overrides = excluded.overrides, codes = excluded.codes, diff = excluded.diff, warnings = excluded.warnings,
      sii_codes = excluded.sii_codes, sii_read_at = excluded.sii_read_at, due_date = excluded.due_date,
      computed_at = excluded.computed_at, computed_changes = excluded.computed_changes`
}

export async function insertFiling(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  row: Pick<
    FilingRow,
    'id' | 'period' | 'proposal_version' | 'codes' | 'total' | 'due_date' | 'created_at' | 'rectifies'
  >,
): Promise<FilingRow> {
  const [made] = await sql<FilingRow>`
    insert into f29_filing (account_id, empresa_id, mode, id, period, proposal_version, codes, total, due_date, created_at,
      rectifies)
    values (${account_id}, ${empresa_id}, ${mode}, ${row.id}, ${row.period}, ${row.proposal_version},
      ${JSON.stringify(row.codes)}, ${row.total}, ${row.due_date}, ${row.created_at}, ${row.rectifies})
    returning *`
  return made as FilingRow
}

export async function findFiling(sql: Sql, scope: EmpresaScope, id: string): Promise<FilingRow | null> {
  const [row] = await sql<FilingRow>`select * from f29_filing f where ${ownedBy(scope, 'f')} and f.id = ${id}`
  return row ?? null
}

/** The last filing of a period that has not failed: what was declared, or is being declared. */
export async function findCurrentFiling(sql: Sql, scope: EmpresaScope, period: string): Promise<FilingRow | null> {
  const [row] = await sql<FilingRow>`
    select * from f29_filing f where ${ownedBy(scope, 'f')} and f.period = ${period} and f.status <> 'failed'
    order by f.id desc limit 1`
  return row ?? null
}

export function listFilingRows(
  sql: Sql,
  scope: EmpresaScope,
  { period, status }: { period?: string; status?: string },
  page: { before: string | null; take: number },
): Promise<FilingRow[]> {
  return sql<FilingRow>`
    select * from f29_filing f where ${ownedBy(scope, 'f')}
      ${period === undefined ? nothing : part`and f.period = ${period}`}
      ${status === undefined ? nothing : part`and f.status = ${status}`}
      ${page.before === null ? nothing : part`and f.id < ${page.before}`}
    order by f.id desc limit ${page.take}`
}
