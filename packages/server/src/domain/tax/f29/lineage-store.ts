import { tiposOf } from '@timbre/dte/values'
import { integers, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { countedEntries, entriesOf, HAS_TAXES } from '../rcv/entries.ts'
import type { RcvRow } from '../rcv/row.ts'
import type { EntryGroup } from './entry-group.ts'

const NOTAS = integers(tiposOf('nota_de_debito', 'nota_de_credito'))
/** Notas about these have codes of their own in the form. */
const TOLD_APART = integers(tiposOf('factura_de_compra', 'comprobante_de_pago'))

/**
 * Sums the entries of a period by everything that the form distinguishes, and saves which entries went into each sum:
 * all in the database and in one pass, so a hundred thousand entries come back as a few dozen rows. No step asks for an
 * entry again by its id: until a new register is analyzed the plan of such a join is one for a single row.
 */
export function groupEntries(sql: Sql, scope: EmpresaScope, period: string): Promise<EntryGroup[]> {
  const { account_id, empresa_id, mode } = scope
  return sql<EntryGroup>`
    with counted as (
      ${countedEntries(scope, period)}
    ), alike as (
      select side, tipo_doc, tipo_compra, tipo_venta,
        case when tipo_doc in ${NOTAS} and reference_tipo_doc in ${TOLD_APART} then reference_tipo_doc end
          as reference_tipo_doc,
        withheld > 0 and withheld >= iva + iva_not_recoverable + iva_common_use as fully_withheld,
        exempt > 0 as is_exempt, iva > 0 as is_taxed, iva_not_recoverable > 0 as is_refused,
        iva_common_use > 0 as is_common, owed > 0 as is_owed, iva_late > 0 as late, tax_codes, count(*)::integer as entries, sum(documents)::integer as documents,
        sum(net)::bigint as net, sum(exempt)::bigint as exempt, sum(iva)::bigint as iva,
        sum(iva_not_recoverable)::bigint as iva_not_recoverable, sum(iva_common_use)::bigint as iva_common_use,
        sum(withheld)::bigint as withheld, sum(owed)::bigint as owed, array_agg(id) as entry_ids,
        array_agg(other_taxes) filter (where ${HAS_TAXES}) as tax_lists
      from counted group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    ), numbered as (
      select row_number() over (order by side, tipo_doc, tipo_compra, tipo_venta, reference_tipo_doc, fully_withheld,
        is_exempt, is_taxed, is_refused, is_common, is_owed, late, tax_codes)::integer - 1 as ordinal, * from alike
    ), taxes as materialized (
      select n.ordinal, (t ->> 'code')::integer as code, sum((t ->> 'amount')::bigint)::bigint as amount
      from numbered n cross join lateral unnest(n.tax_lists) list cross join lateral json_array_elements(list) t
      group by 1, 2
    ), deleted as (
      delete from f29_lineage l where ${ownedBy(scope, 'l')} and l.period = ${period}
        and l.ordinal >= (select count(*) from numbered)
    ), saved as (
      insert into f29_lineage (account_id, empresa_id, mode, period, ordinal, entry_ids)
      select ${account_id}, ${empresa_id}, ${mode}, ${period}, ordinal, entry_ids from numbered
      on conflict (empresa_id, period, ordinal) do update set entry_ids = excluded.entry_ids
    )
    select side, tipo_doc, tipo_compra, tipo_venta, reference_tipo_doc, fully_withheld, entries, documents, net, exempt,
      iva, iva_not_recoverable, iva_common_use, withheld, owed, late, coalesce((
        select json_agg(json_build_object('code', t.code, 'amount', t.amount) order by t.code) from taxes t
        where t.ordinal = numbered.ordinal), '[]') as taxes
    from numbered order by ordinal`
}

/** Saves the codes that each sum went into. */
export async function saveLineageCodes(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
  codes_of: readonly (readonly number[])[],
): Promise<void> {
  await sql`
    update f29_lineage l set codes = coalesce(
      (select array_agg(c::smallint) from json_array_elements_text(${JSON.stringify(codes_of)}::json -> l.ordinal) c), '{}')
    where ${ownedBy(scope, 'l')} and l.period = ${period}`
}

/** The entries behind a code, newest first, strictly older than a place. */
export function entriesBehind(
  sql: Sql,
  scope: EmpresaScope,
  { period, code }: { period: string; code: number },
  page: { before: string | null; take: number },
): Promise<RcvRow[]> {
  return sql<RcvRow>`
    with behind as materialized (
      select id from f29_lineage l, unnest(l.entry_ids) id
      where ${ownedBy(scope, 'l')} and l.period = ${period} and l.codes @> array[${code}]::smallint[]
        ${page.before === null ? nothing : part`and id collate "C" < ${page.before}`}
      order by id collate "C" desc limit ${page.take}
    )
    select e.* from (${entriesOf(scope)}) e join behind b on b.id = e.id order by e.id desc`
}

/** The entries with the largest totals of each sum, with the codes that the sum went into. */
export function largestBehind(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
  most: number,
): Promise<(RcvRow & { readonly codes: readonly number[] })[]> {
  return sql<RcvRow & { codes: number[] }>`
    select l.codes, largest.* from f29_lineage l
    cross join lateral (
      select e.* from unnest(l.entry_ids) behind (id) join (${entriesOf(scope)}) e on e.id = behind.id
      order by e.total desc, e.id limit ${most}
    ) largest
    where ${ownedBy(scope, 'l')} and l.period = ${period} order by largest.total desc, largest.id`
}
