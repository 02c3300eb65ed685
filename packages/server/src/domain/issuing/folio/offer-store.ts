import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { Ambiente, OfferedRange } from '../../../ports/sii.ts'

/** The folios of one tipo in one environment. */
export interface Series {
  readonly ambiente: Ambiente
  readonly tipo_dte: number
}

export async function insertOffer(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  { ambiente, tipo_dte }: Series,
  { from, to }: OfferedRange,
  at: Date,
): Promise<void> {
  await sql`
    insert into folio_offer (account_id, empresa_id, mode, ambiente, tipo_dte, from_folio, to_folio, offered_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${ambiente}, ${tipo_dte}, ${from}, ${to}, ${at})
    on conflict do nothing`
}

/** Those of which no folio is in custody, lowest first. */
export async function listOpenOffers(sql: Sql, scope: EmpresaScope, series: Series): Promise<OfferedRange[]> {
  return sql<OfferedRange>`
    select o.from_folio as from, o.to_folio as to from folio_offer o
    where ${ownedBy(scope, 'o')} and o.ambiente = ${series.ambiente} and o.tipo_dte = ${series.tipo_dte}
      and not exists (
        select 1 from caf c
        where ${ownedBy(scope, 'c')} and c.ambiente = o.ambiente and c.tipo_dte = o.tipo_dte
          and c.to_folio >= o.from_folio and c.from_folio <= o.to_folio)
    order by o.from_folio`
}

/** Whatever was offered of these folios is in custody, or was never given. */
export async function deleteOffers(
  sql: Sql,
  scope: EmpresaScope,
  { ambiente, tipo_dte }: Series,
  { from, to }: OfferedRange,
): Promise<void> {
  await sql`
    delete from folio_offer
    where ${ownedBy(scope)} and ambiente = ${ambiente} and tipo_dte = ${tipo_dte}
      and to_folio >= ${from} and from_folio <= ${to}`
}
