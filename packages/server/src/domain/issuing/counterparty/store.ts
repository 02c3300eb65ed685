import { listed, nothing, part, type Sql } from '../../../kernel/db.ts'
import { type AnswerMany, inStep } from '../../../kernel/in-step.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { EACH, ownedBy, tenantsOf } from '../../../kernel/tenant.ts'
import type { KnownFields } from './merge.ts'
import type { CounterpartyRow } from './show.ts'

const COLUMNS = part`rut, legal_name, giro, street, comuna, city, source, inferred, created_at, updated_at`

export async function findCounterparty(sql: Sql, empresa: EmpresaScope, rut: string): Promise<CounterpartyRow | null> {
  const [row] = await sql<CounterpartyRow>`
    select ${COLUMNS} from counterparty where ${ownedBy(empresa)} and rut = ${rut}`
  return row ?? null
}

/** By RUT, which the primary key serves however long the address book is. */
export async function listCounterparties(
  sql: Sql,
  empresa: EmpresaScope,
  page: { after: string | null; take: number },
): Promise<CounterpartyRow[]> {
  return sql<CounterpartyRow>`
    select ${COLUMNS} from counterparty where ${ownedBy(empresa)}
      ${page.after === null ? nothing : part`and rut > ${page.after}`}
    order by rut limit ${page.take}`
}

/**
 * Locks the row of a counterparty, inserted if there was none: whatever depends on its contacts (which one is primary,
 * how many there are) is decided by one caller at a time.
 */
export async function lockCounterparty(
  sql: Sql,
  empresa: EmpresaScope,
  rut: string,
  now: Date,
): Promise<CounterpartyRow> {
  const { account_id, empresa_id, mode } = empresa
  await sql`
    insert into counterparty (account_id, empresa_id, mode, rut, created_at, updated_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${rut}, ${now}, ${now})
    on conflict (empresa_id, rut) do nothing`
  const [row] = await sql<CounterpartyRow>`
    select ${COLUMNS} from counterparty where ${ownedBy(empresa)} and rut = ${rut} for update`
  return row as CounterpartyRow
}

export async function updateCounterparty(sql: Sql, empresa: EmpresaScope, row: CounterpartyRow): Promise<void> {
  await sql`
    update counterparty set legal_name = ${row.legal_name}, giro = ${row.giro}, street = ${row.street},
      comuna = ${row.comuna}, city = ${row.city}, source = ${row.source}, inferred = ${row.inferred}, updated_at = ${row.updated_at}
    where ${ownedBy(empresa)} and rut = ${row.rut}`
}

/** `version` changes with every change of the row. */
export type CounterpartyVersion = KnownFields & { readonly rut: string; readonly version: string }

export function findVersions(sql: Sql, scope: EmpresaScope, ruts: readonly string[]): Promise<CounterpartyVersion[]> {
  return inStep(sql, findVersionsOf, { scope, ruts })
}

const findVersionsOf: AnswerMany<
  { readonly scope: EmpresaScope; readonly ruts: readonly string[] },
  CounterpartyVersion[]
> = async (sql, books) => {
  const wanted = books.flatMap(({ scope, ruts }, place) => ruts.map((rut) => ({ ...scope, rut, place })))
  if (wanted.length === 0) return books.map(() => [])
  const rows = await sql<CounterpartyVersion & { readonly place: number }>`
    select w.place, c.* from (select ${tenantsOf(wanted)}, ${listed.text(wanted.map(({ rut }) => rut))} as rut,
      ${listed.integer(wanted.map(({ place }) => place))} as place) w, lateral (
        select rut, legal_name, giro, street, comuna, city, inferred, xmin::text as version from counterparty
        where ${ownedBy(EACH)} and rut = w.rut limit 1) c`
  return books.map((_, i) => rows.filter(({ place }) => place === i))
}

export type InferredCounterparty = KnownFields &
  Pick<CounterpartyRow, 'rut' | 'source'> & {
    /** Of the row it was inferred over; null where there was none. */
    readonly version: string | null
  }

/**
 * Saves many at once, each only if nobody wrote it since it was read: another writer knows better, and the next
 * document names it again. Rows are written by RUT, so that two writers never wait for each other in a circle.
 */
export async function saveInferred(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  rows: readonly InferredCounterparty[],
  now: Date,
): Promise<void> {
  const sorted = [...rows].sort((a, b) => (a.rut < b.rut ? -1 : 1))
  const column = (of: keyof InferredCounterparty) => sorted.map((row) => row[of])
  await sql`
    with named as (
      select rut, legal_name, giro, street, comuna, city, source, string_to_array(inferred, ',') as inferred, version
      from (select ${listed.text(column('rut'))} as rut, ${listed.text(column('legal_name'))} as legal_name,
        ${listed.text(column('giro'))} as giro, ${listed.text(column('street'))} as street,
        ${listed.text(column('comuna'))} as comuna, ${listed.text(column('city'))} as city,
        ${listed.text(column('source'))} as source,
        ${listed.text(sorted.map(({ inferred }) => inferred.join(',')))} as inferred,
        ${listed.text(column('version'))} as version) n
    ), changed as (
      update counterparty c set legal_name = n.legal_name, giro = n.giro, street = n.street, comuna = n.comuna,
        city = n.city, source = n.source, inferred = n.inferred, updated_at = ${now}
      from named n
      where c.account_id = ${account_id} and c.empresa_id = ${empresa_id} and c.mode = ${mode} and c.rut = n.rut
        and c.xmin = n.version::xid
    )
    insert into counterparty (account_id, empresa_id, mode, rut, legal_name, giro, street, comuna, city, source,
      inferred, created_at, updated_at)
    select ${account_id}, ${empresa_id}, ${mode}, rut, legal_name, giro, street, comuna, city, source, inferred,
      ${now}, ${now}
    from named where version is null order by rut
    on conflict (empresa_id, rut) do nothing`
}
