import type { Sql } from '../../../kernel/db.ts'
import type { ContribuyenteRow } from './show.ts'

/**
 * What the loaded nómina says of a RUT: null when nothing is loaded, and a row without a name when nobody is there.
 * One statement, so that a load that ends meanwhile is seen whole or not at all. It names the tables in the order in
 * which the load locks them.
 */
export async function readNomina(
  sql: Sql,
  rut: number,
): Promise<(Omit<ContribuyenteRow, 'legal_name'> & { readonly legal_name: string | null }) | null> {
  const [row] = await sql<Omit<ContribuyenteRow, 'legal_name'> & { legal_name: string | null }>`
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
