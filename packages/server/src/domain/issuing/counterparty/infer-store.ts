import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Known } from './learn.ts'
import type { CounterpartyRow } from './show.ts'

/** `version` changes with every change of the row. */
export type SeenCounterparty = Known & { readonly rut: string; readonly version: string }

export async function seeCounterparties(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  ruts: readonly string[],
): Promise<SeenCounterparty[]> {
  return sql<SeenCounterparty>`
    select rut, legal_name, giro, street, comuna, city, inferred, xmin::text as version from counterparty
    where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode} and rut = any(${ruts}::text[])`
}

export type LearntCounterparty = Known &
  Pick<CounterpartyRow, 'rut' | 'source'> & {
    /** Of the row it was learnt over; null where there was none. */
    readonly version: string | null
  }

/**
 * Writes many at once, each only if nobody wrote it since it was seen: whoever did knows better, and the next document
 * tells again. Rows are taken by RUT, so that two writers never wait for each other in a circle.
 */
export async function writeLearnt(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  rows: readonly LearntCounterparty[],
  now: Date,
): Promise<void> {
  const sorted = [...rows].sort((a, b) => (a.rut < b.rut ? -1 : 1))
  const column = (of: keyof LearntCounterparty) => sorted.map((row) => row[of])
  await sql`
    with learnt as (
      select rut, legal_name, giro, street, comuna, city, source, string_to_array(inferred, ',') as inferred, version
      from unnest(${column('rut')}::text[], ${column('legal_name')}::text[], ${column('giro')}::text[],
        ${column('street')}::text[], ${column('comuna')}::text[], ${column('city')}::text[],
        ${column('source')}::text[], ${sorted.map(({ inferred }) => inferred.join(','))}::text[],
        ${column('version')}::text[])
        as l (rut, legal_name, giro, street, comuna, city, source, inferred, version)
    ), changed as (
      update counterparty c set legal_name = l.legal_name, giro = l.giro, street = l.street, comuna = l.comuna,
        city = l.city, source = l.source, inferred = l.inferred, updated_at = ${now}
      from learnt l
      where c.account_id = ${account_id} and c.empresa_id = ${empresa_id} and c.mode = ${mode} and c.rut = l.rut
        and c.xmin = l.version::xid
    )
    insert into counterparty (account_id, empresa_id, mode, rut, legal_name, giro, street, comuna, city, source,
      inferred, created_at, updated_at)
    select ${account_id}, ${empresa_id}, ${mode}, rut, legal_name, giro, street, comuna, city, source, inferred,
      ${now}, ${now}
    from learnt where version is null order by rut
    on conflict (empresa_id, rut) do nothing`
}
