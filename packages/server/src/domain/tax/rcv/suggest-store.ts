import { part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { TipoCompra } from './tipos.ts'

export interface DecidedTipo {
  readonly counterparty_rut: string
  readonly tipo_compra: TipoCompra
  readonly entries: number
}

/** How many decisions about a supplier are looked at: what was decided years ago says little. */
const LOOKED_AT = 12

/** What was last decided about each supplier: one short walk of an index for each of them. */
export function decidedTipos(sql: Sql, scope: EmpresaScope, ruts: readonly string[]): Promise<DecidedTipo[]> {
  const own = part`e.account_id = ${scope.account_id} and e.empresa_id = ${scope.empresa_id} and e.mode = ${scope.mode}`
  return sql<DecidedTipo>`
    select r.rut as counterparty_rut, d.tipo_compra, count(*) as entries
    from unnest(${ruts}::text[]) as r (rut) cross join lateral (
      select e.tipo_compra from rcv_entry e
      where ${own} and e.side = 'purchase' and e.characterized_by = 'caller' and e.counterparty_rut = r.rut
      order by e.id desc limit ${LOOKED_AT}
    ) d
    group by 1, 2`
}
