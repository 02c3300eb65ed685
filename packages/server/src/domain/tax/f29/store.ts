import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { ProposalRow, ProposalWithFiling, SiiCode } from './row.ts'

export function of({ account_id, empresa_id, mode }: EmpresaScope, table: 'p' | 'l' | 'e' | 'f' = 'p'): Fragment {
  const tables = {
    p: part`p.account_id = ${account_id} and p.empresa_id = ${empresa_id} and p.mode = ${mode}`,
    l: part`l.account_id = ${account_id} and l.empresa_id = ${empresa_id} and l.mode = ${mode}`,
    e: part`e.account_id = ${account_id} and e.empresa_id = ${empresa_id} and e.mode = ${mode}`,
    f: part`f.account_id = ${account_id} and f.empresa_id = ${empresa_id} and f.mode = ${mode}`,
  }
  return tables[table]
}

const WITH_FILING = part`
  select p.*, f.id as filing_id, f.status as filing_status from f29_proposal p
  left join f29_filing f on f.account_id = p.account_id and f.empresa_id = p.empresa_id and f.period = p.period
    and f.status <> 'failed'`

export async function findProposal(sql: Sql, scope: EmpresaScope, period: string): Promise<ProposalWithFiling | null> {
  const [row] = await sql<ProposalWithFiling>`${WITH_FILING} where ${of(scope)} and p.period = ${period}`
  return row ?? null
}

export function listProposalRows(
  sql: Sql,
  scope: EmpresaScope,
  page: { before: string | null; take: number },
): Promise<ProposalWithFiling[]> {
  return sql<ProposalWithFiling>`
    ${WITH_FILING} where ${of(scope)} ${page.before === null ? nothing : part`and p.period < ${page.before}`}
    order by p.period desc limit ${page.take}`
}

/** One compute of an empresa at a time, and no filing meanwhile. */
export async function holdEmpresa(sql: Sql, { account_id, empresa_id }: EmpresaScope): Promise<void> {
  await sql`select 1 from empresa where account_id = ${account_id} and id = ${empresa_id} for no key update`
}

export async function writeProposal(sql: Sql, row: ProposalRow): Promise<void> {
  await sql`
    insert into f29_proposal (account_id, empresa_id, mode, id, period, version, inputs, overrides, codes, diff,
      warnings, sii_codes, sii_read_at, due_date, created_at, computed_at)
    values (${row.account_id}, ${row.empresa_id}, ${row.mode}, ${row.id}, ${row.period}, ${row.version},
      ${JSON.stringify(row.inputs)}, ${JSON.stringify(row.overrides)}, ${JSON.stringify(row.codes)},
      ${JSON.stringify(row.diff)}, ${JSON.stringify(row.warnings)},
      ${row.sii_codes === null ? null : JSON.stringify(row.sii_codes)}, ${row.sii_read_at}, ${row.due_date},
      ${row.created_at}, ${row.computed_at})
    on conflict (empresa_id, period) do update set version = excluded.version, inputs = excluded.inputs,
      overrides = excluded.overrides, codes = excluded.codes, diff = excluded.diff, warnings = excluded.warnings,
      sii_codes = excluded.sii_codes, sii_read_at = excluded.sii_read_at, due_date = excluded.due_date,
      computed_at = excluded.computed_at`
}

/** What the SII proposed, noted without computing anything. */
export async function noteSiiCodes(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
  codes: readonly SiiCode[] | null,
  at: Date,
): Promise<void> {
  await sql`
    update f29_proposal p set sii_codes = ${codes === null ? null : JSON.stringify(codes)}::json, sii_read_at = ${at}
    where ${of(scope)} and p.period = ${period}`
}

/** How many purchases wait for their acknowledgement, and how much IVA they hold. */
export async function pendingIn(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
): Promise<{ count: number; amount: number }> {
  const [row] = await sql<{ count: number; amount: number }>`
    select count(*)::integer as count, coalesce(sum(e.iva), 0)::bigint as amount from rcv_entry e
    where ${of(scope, 'e')} and e.period = ${period} and e.side = 'purchase' and e.estado_contable = 'PENDIENTE'
      and e.withdrawn_at_sii is null`
  return row ?? { count: 0, amount: 0 }
}

export async function nameOf(sql: Sql, { account_id, empresa_id }: EmpresaScope): Promise<string> {
  const [row] = await sql<{ legal_name: string }>`
    select legal_name from empresa where account_id = ${account_id} and id = ${empresa_id}`
  return row?.legal_name ?? ''
}
