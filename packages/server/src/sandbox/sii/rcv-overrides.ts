import { addPeriods } from '@timbre/dte/values'
import type { IvaCode, TipoCompra } from '../../catalog/rcv.ts'
import { naturalKeyOf, type Side } from '../../domain/tax/rcv/row.ts'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { ownedBy } from '../../kernel/tenant.ts'
import type { RcvOrder, RcvQuestion } from '../../ports/sii-rcv.ts'
import type { SandboxEntry } from './rcv-csv.ts'

/** A test may seed a hundred thousand: so many are read or written at a time, and the process answers others in between. */
const PAGE = 1_000

/** What the sandbox holds about an entry: an entry of its own, that it hides one, or what was decided about it. */
export interface Mark {
  readonly side: Side
  readonly natural_key: string
  readonly entry: SandboxEntry | null
  readonly removed: boolean
  readonly tipo_compra: TipoCompra | null
  readonly iva_not_recoverable_code: IvaCode | null
  readonly estado_contable: SandboxEntry['estado_contable']
}

/**
 * The marks of a period, and what was decided in the two before about purchases that came over from them: the document
 * is the same, whatever month it counts in.
 */
export async function listMarks(sql: Sql, { empresa, period }: RcvQuestion): Promise<Mark[]> {
  const marks: Mark[] = []
  let after = { period: '', side: '', natural_key: '' }
  for (let more = true; more; ) {
    const page = await sql<Mark & { readonly period: string }>`
      select period, side, natural_key, entry, removed, tipo_compra, iva_not_recoverable_code, estado_contable
      from sandbox_rcv
      where ${ownedBy(empresa)} and (period = ${period} or (period >= ${addPeriods(period, -2)} and period < ${period}
        and entry is null and not removed and estado_contable is null))
        and (period, side, natural_key) > (${after.period}, ${after.side}, ${after.natural_key})
      order by period, side, natural_key limit ${PAGE}`
    marks.push(...page)
    after = page.at(-1) ?? after
    more = page.length === PAGE
  }
  return marks
}

interface SeedKey {
  readonly side: Side
  readonly natural_key: string
}

export interface Seed extends SeedKey {
  readonly entry: SandboxEntry
}

/** What was decided about an entry before goes: the register now says what the test says. */
export async function writeSeeds(sql: Sql, scope: EmpresaScope, period: string, seeds: readonly Seed[]): Promise<void> {
  for (let at = 0; at < seeds.length; at += PAGE) {
    const some = JSON.stringify(seeds.slice(at, at + PAGE))
    await sql`
      insert into sandbox_rcv (account_id, empresa_id, mode, period, side, natural_key, entry)
      select ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${period}, s.side, s.natural_key, s.entry
      from json_to_recordset(${some}::json) as s (side text, natural_key text, entry json)
      on conflict (empresa_id, period, side, natural_key) do update set entry = excluded.entry, removed = false,
        tipo_compra = null, iva_not_recoverable_code = null, estado_contable = null`
  }
}

export async function removeSeeds(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
  keys: readonly SeedKey[],
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    insert into sandbox_rcv (account_id, empresa_id, mode, period, side, natural_key, removed)
    select distinct ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${period}, s.side, s.natural_key, true
    from json_to_recordset(${JSON.stringify(keys)}::json) as s (side text, natural_key text)
    on conflict (empresa_id, period, side, natural_key) do update set removed = true`
}

interface Decision {
  readonly tipo_compra?: TipoCompra
  readonly iva_not_recoverable_code?: IvaCode | null
  readonly estado_contable?: SandboxEntry['estado_contable']
}

/** Records a decision about a purchase beside those made before: what it leaves out stays. */
export async function writeDecision(sql: Sql, order: RcvOrder, decision: Decision): Promise<void> {
  const { empresa, period } = order
  const { tipo_compra = null, iva_not_recoverable_code = null, estado_contable = null } = decision
  await sql`
    insert into sandbox_rcv as s (account_id, empresa_id, mode, period, side, natural_key, tipo_compra,
      iva_not_recoverable_code, estado_contable)
    values (${empresa.account_id}, ${empresa.empresa_id}, ${empresa.mode}, ${period}, 'purchase',
      ${naturalKeyOf(order)}, ${tipo_compra}, ${iva_not_recoverable_code}, ${estado_contable})
    on conflict (empresa_id, period, side, natural_key) do update
      set tipo_compra = coalesce(excluded.tipo_compra, s.tipo_compra),
        iva_not_recoverable_code =
          case when excluded.tipo_compra is null then s.iva_not_recoverable_code else excluded.iva_not_recoverable_code end,
        estado_contable = coalesce(excluded.estado_contable, s.estado_contable)`
}
