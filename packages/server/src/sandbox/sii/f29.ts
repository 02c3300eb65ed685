import { createHash } from 'node:crypto'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { ownedBy } from '../../kernel/tenant.ts'
import type { F29Order, F29Question, F29State, SiiF29 } from '../../ports/sii-f29.ts'
import { SETTLES_AFTER_MS } from './document-magic-values.ts'

interface Kept {
  readonly answers_at: Date
  readonly errors: readonly { readonly code: string; readonly message: string }[]
}

async function proposed(sql: Sql, { empresa, period }: F29Question) {
  const [row] = await sql<{ proposed: { code: number; amount: number }[] | null }>`
    select proposed from sandbox_f29
    where ${ownedBy(empresa)}
      and period = ${period}`
  return row?.proposed ?? null
}

const json = (value: object | null) => (value === null ? null : JSON.stringify(value))

/** Decides what the SII proposes for a period; null: nothing. */
export async function writeSandboxProposal(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  period: string,
  codes: object | null,
): Promise<void> {
  await sql`
    insert into sandbox_f29 (account_id, empresa_id, mode, period, proposed)
    values (${account_id}, ${empresa_id}, ${mode}, ${period}, ${json(codes)})
    on conflict (empresa_id, period) do update set proposed = excluded.proposed`
}

/** Decides what the next filing of a period fails with; null: nothing. */
export async function writeSandboxErrors(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  period: string,
  errors: object | null,
): Promise<void> {
  await sql`
    insert into sandbox_f29 (account_id, empresa_id, mode, period, errors)
    values (${account_id}, ${empresa_id}, ${mode}, ${period}, ${json(errors)})
    on conflict (empresa_id, period) do update set errors = excluded.errors`
}

/** Takes what a test wants found wrong, once, and remembers it for this declaration. */
async function file(sql: Sql, { empresa, period, filing_id, at }: F29Order): Promise<Kept> {
  const { account_id, empresa_id, mode } = empresa
  const answers_at = new Date(at.getTime() + 2 * SETTLES_AFTER_MS)
  const [kept] = await sql<Kept>`
    with already as (
      select answers_at, errors from sandbox_f29_filing where account_id = ${account_id} and filing_id = ${filing_id}
    ), wanted as (
      update sandbox_f29 s set errors = null
      from (select errors from sandbox_f29 where account_id = ${account_id} and empresa_id = ${empresa_id}
        and mode = ${mode} and period = ${period} for update) was
      where s.account_id = ${account_id} and s.empresa_id = ${empresa_id} and s.mode = ${mode} and s.period = ${period}
        and not exists (select 1 from already)
      returning was.errors
    ), made as (
      insert into sandbox_f29_filing (account_id, empresa_id, mode, filing_id, answers_at, errors)
      select ${account_id}, ${empresa_id}, ${mode}, ${filing_id}, ${answers_at},
        coalesce((select errors from wanted), '[]'::json)
      where not exists (select 1 from already)
      returning answers_at, errors
    )
    select * from already union all select * from made`
  return kept as Kept
}

/** Ten digits, always the same for the same declaration. */
function folioOf(filing_id: string): string {
  const number = createHash('sha256').update(filing_id).digest().readUInt32BE()
  return String(7_000_000_000 + (number % 1_000_000_000))
}

/** The declarations of test mode: taken at once, answered about a second later by the clock of the account. */
export function sandboxF29(sql: Sql): SiiF29 {
  return {
    proposedF29: (question) => proposed(sql, question),
    async fileF29(order) {
      const { answers_at } = await file(sql, order)
      return { track_id: `F29-${order.filing_id}`, ask_at: answers_at }
    },
    async f29StateOf({ empresa, filing_id, at }): Promise<F29State> {
      const [kept] = await sql<Kept>`
        select answers_at, errors from sandbox_f29_filing
        where ${ownedBy(empresa)}
          and filing_id = ${filing_id}`
      if (!kept) return { state: 'refused', errors: [{ code: 'unknown', message: 'La declaración no fue recibida.' }] }
      if (kept.answers_at > at) return { state: 'pending', ask_at: kept.answers_at }
      if (kept.errors.length > 0) return { state: 'refused', errors: kept.errors }
      return { state: 'accepted', folio: folioOf(filing_id) }
    },
  }
}
