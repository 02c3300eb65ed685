import { TIPO } from '@timbre/dte/values'
import { type Fragment, listed, part, type Sql } from '../../../kernel/db.ts'
import type { RowWriter } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy, type Tenant, tenantsOf } from '../../../kernel/tenant.ts'
import type { DocumentRow } from './show.ts'

/**
 * The transfers that a factura follows: a sale, one still to be made, a consignment (SII, Formato DTE v2.4.2, IndTraslado;
 * DL 825, art. 55). Of the others nothing is sold, and an export has its own factura.
 */
const SOLD = ['1', '2', '3']
const isSold = part`tipo_dte = ${TIPO.guia} and draft #>> '{dispatch,transfer_type}' = any(${SOLD}::text[])`

export function isSoldBy({ tipo_dte, draft }: Pick<DocumentRow, 'tipo_dte' | 'draft'>): boolean {
  return tipo_dte === TIPO.guia && SOLD.includes(String(draft.dispatch?.transfer_type))
}

const holds = (guia: Fragment) => part`exists (
  select 1 from guia_invoice i where i.guia_id = ${guia} and i.released_at is null)`

/** Guías of a sale that the SII took, and whether a factura invoices them. */
export function invoicedIs(invoiced: boolean): Fragment {
  const held = holds(part`document.id`)
  return part`and ${isSold} and status in ('accepted', 'reparo') and ${invoiced ? held : part`not ${held}`}`
}

/** Locks guías in one order: whoever invoices one of them meanwhile waits, and then finds it invoiced. */
export async function lockGuias(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<DocumentRow[]> {
  return sql<DocumentRow>`
    select * from document where ${ownedBy(scope)} and id = any(${ids}::text[]) order by id for update`
}

/** The guías of a sale to a receptor that a factura names by their folios. */
export async function findNamedGuias(
  sql: Sql,
  scope: EmpresaScope,
  receptor_rut: string,
  folios: readonly number[],
): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select id from document where ${ownedBy(scope)} and ${isSold} and folio = any(${folios}::bigint[])
      and receptor_rut = ${receptor_rut} order by id`
  return rows.map(({ id }) => id)
}

export interface GuiaInvoice {
  readonly guia_id: string
  readonly factura_id: string
}

/** The first of these guías that a factura holds. */
export async function findInvoiceOf(
  sql: Sql,
  { account_id, empresa_id }: EmpresaScope,
  guia_ids: readonly string[],
): Promise<GuiaInvoice | null> {
  if (guia_ids.length === 0) return null
  const [row] = await sql<GuiaInvoice>`
    select guia_id, factura_id from guia_invoice
    where account_id = ${account_id} and empresa_id = ${empresa_id} and guia_id = any(${guia_ids}::text[])
      and released_at is null order by guia_id limit 1`
  return row ?? null
}

export type NewGuiaInvoice = GuiaInvoice & Tenant

/** What a factura invoices, guía by guía. */
export function invoicesOf({ account_id, empresa_id, mode, id }: DocumentRow, guia_ids: readonly string[]) {
  return guia_ids.map((guia_id): NewGuiaInvoice => ({ account_id, empresa_id, mode, guia_id, factura_id: id }))
}

/** `when` ends the select, as in `insertDocuments`. A second factura of the same guía violates `guia_invoiced_once`. */
export function insertGuiaInvoices(rows: readonly NewGuiaInvoice[], when: Fragment): Fragment {
  return part`
    insert into guia_invoice (account_id, empresa_id, mode, guia_id, factura_id)
    select g.account_id, g.empresa_id, g.mode, g.guia_id, g.factura_id
    from (select ${tenantsOf(rows)}, ${listed.text(rows.map(({ guia_id }) => guia_id))} as guia_id,
      ${listed.text(rows.map(({ factura_id }) => factura_id))} as factura_id) g
    ${when}`
}

/** The same in a statement that lands. By the guías, so that two that claim the same never wait for each other in a circle. */
export const newGuiaInvoices: RowWriter<NewGuiaInvoice> = (rows, when) => {
  const sorted = rows.toSorted((a, b) => (a.guia_id < b.guia_id ? -1 : 1))
  return [part`invoiced as (${insertGuiaInvoices(sorted, when)})`]
}

/** A factura that was rejected, failed or annulled invoices nothing: its guías are free for another. */
export async function releaseGuias(
  sql: Sql,
  { account_id, empresa_id }: EmpresaScope,
  factura_ids: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    update guia_invoice set released_at = ${at}
    where account_id = ${account_id} and empresa_id = ${empresa_id} and factura_id = any(${factura_ids}::text[])
      and released_at is null`
}

/** One that is tried again takes its guías back, unless another has them by now. */
export async function retakeGuias(
  sql: Sql,
  { account_id, empresa_id }: EmpresaScope,
  factura_id: string,
): Promise<void> {
  await sql`
    update guia_invoice set released_at = null
    where account_id = ${account_id} and empresa_id = ${empresa_id} and factura_id = ${factura_id}`
}
