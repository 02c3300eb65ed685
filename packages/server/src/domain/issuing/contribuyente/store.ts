import type { Sql } from '../../../kernel/db.ts'

export interface ActivityRow {
  readonly code: string
  readonly description: string | null
  readonly started_on: string | null
  readonly affects_iva: boolean | null
  readonly category: string | null
}

export interface AddressRow {
  readonly street: string | null
  readonly number: string | null
  readonly block: string | null
  readonly apartment: string | null
  readonly villa: string | null
  readonly city: string | null
  readonly comuna: string | null
  readonly region: string | null
}

export interface ContribuyenteRow {
  /** Null when the nómina does not have the RUT. */
  readonly legal_name: string | null
  readonly started_on: string | null
  readonly ended_on: string | null
  readonly published_at: Date
  readonly activities: readonly ActivityRow[] | null
  readonly address: AddressRow | null
}

/**
 * The entry of a RUT in the nómina: null when nothing is loaded, and a row without a name when the RUT is not in it. One
 * statement, so that a load that ends meanwhile is seen whole or not at all. It names the tables in the order in which
 * the load locks them.
 */
export async function findInNomina(sql: Sql, rut: number): Promise<ContribuyenteRow | null> {
  const [row] = await sql<ContribuyenteRow>`
    select l.published_at, c.legal_name, c.started_on, c.ended_on,
      (select json_agg(json_build_object('code', a.code, 'description', a.description,
          'started_on', a.started_on, 'affects_iva', a.affects_iva, 'category', a.category)
          order by a.affects_iva desc nulls last, a.started_on nulls last, a.code)
        from contribuyente_activity a where a.rut = ${rut}) as activities,
      (select json_build_object('street', d.street, 'number', d.number, 'block', d.block, 'apartment', d.apartment,
          'villa', d.villa, 'city', d.city, 'comuna', d.comuna, 'region', d.region)
        from contribuyente_address d where d.rut = ${rut} and d.in_force is not false
        order by d.kind = 'DOMICILIO' desc nulls last, d.in_force desc nulls last, d.declared_on desc nulls last
        limit 1) as address
    from nomina_load l
    left join lateral (
      select n.legal_name, n.started_on, n.ended_on from contribuyente n where n.rut = ${rut}
      order by n.ended_on desc nulls first, n.started_on desc nulls last limit 1
    ) c on true
    where l.dataset = 'names'`
  return row ?? null
}

/** The exchange mailbox of a RUT, as the list has it. */
export async function findMailbox(sql: Sql, rut: number): Promise<string | null> {
  const [row] = await sql<{ email: string }>`
    select email from contribuyente_mailbox where rut = ${rut} order by email limit 1`
  return row?.email ?? null
}
