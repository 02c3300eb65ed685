import { TIPO_NUMBERS } from '@timbre/dte/values'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { isNobody } from '../counterparty/lookup.ts'
import { invoicedIs } from './guia-invoices.ts'
import { isInFlight } from './in-flight.ts'
import type { DocumentRow } from './show.ts'

// A list looks into every year, and to plan that takes longer than to read a page. So what one index leads to is planned once a
// connection, for any values (decision 0035), and spelt to leave PostgreSQL no other.

export interface DocumentFilter {
  readonly status?: string
  readonly tipo_dte?: number
  readonly folio?: number
  readonly receptor_rut?: string
  readonly external_id?: string
  readonly invoiced?: boolean
  readonly 'issue_date[gte]'?: string
  readonly 'issue_date[lte]'?: string
  readonly 'created_at[gte]'?: string
  readonly 'created_at[lte]'?: string
}

export type Place = readonly [created_at: string, id: string]

interface Page {
  readonly place: Place | null
  readonly take: number
}

const IN_FLIGHT = ['queued', 'sent']
const WEIGHED = ['issue_date[gte]', 'issue_date[lte]', 'invoiced']

type Asked = { readonly [name in keyof DocumentFilter]?: unknown }

const isNamed = (asked: Asked) => 'folio' in asked || 'external_id' in asked

/** Whether one index leads to a page, whatever the values: a list that says so is read on connections that plan once. */
export function isLed(asked: Asked): boolean {
  return isNamed(asked) || !(IN_FLIGHT.includes(asked.status as string) || WEIGHED.some((name) => name in asked))
}

/** Newest first, strictly older than the cursor's place. */
export async function listDocuments(
  sql: Sql,
  scope: EmpresaScope,
  filter: DocumentFilter,
  page: Page,
): Promise<DocumentRow[]> {
  if (isNamed(filter)) return listNamed(sql, scope, filter, page)
  return isLed(filter) ? listLed(sql, scope, filter, page) : listWeighed(sql, scope, filter, page)
}

/** So spelt, a plan for any values has no index for it, and the text is the same with a filter and without. */
function ifGiven(column: Fragment, value: Fragment): Fragment {
  return part`and (${value} is null or ${column} = ${value})`
}

function others({ status, tipo_dte, receptor_rut }: DocumentFilter): Fragment {
  return part`${ifGiven(part`status`, part`${status}::text`)} ${ifGiven(part`tipo_dte`, part`${tipo_dte}::smallint`)}
    ${ifGiven(part`receptor_rut`, part`${receptor_rut}::text`)}`
}

/** After every id that was created at the same instant. */
const LAST_ID = '~'

/** Where a page begins and where its list ends. A cursor is bound to its filters, so its place is within them. */
function bounds(filter: DocumentFilter, place: Place | null) {
  const [before, before_id] = place ?? [filter['created_at[lte]'] ?? 'infinity', LAST_ID]
  return {
    older: part`${before}::timestamptz, ${before_id}`,
    from: part`${filter['created_at[gte]'] ?? '-infinity'}::timestamptz`,
  }
}

/** The column that an index has before the time. */
function leadOf({
  status,
  receptor_rut,
  tipo_dte,
}: DocumentFilter): readonly [column: Fragment, value: Fragment] | null {
  // Nearly everything is accepted; what is not is little, whoever it is for.
  if (status !== undefined && status !== 'accepted') return [part`uncommon_status`, part`${status}`]
  // A tipo has more than a receptor, unless that stands for anybody.
  if (receptor_rut !== undefined && (tipo_dte === undefined || !isNobody(receptor_rut)))
    return [part`receptor_rut`, part`${receptor_rut}`]
  return tipo_dte === undefined ? null : [part`tipo_dte`, part`${tipo_dte}::smallint`]
}

/**
 * What one index leads through in the order of the list. The column is compared and ordered by along with the time: as an equality it
 * would leave the order to the index by time too, and with that a rare value is looked for in everything.
 */
async function listLed(sql: Sql, scope: EmpresaScope, filter: DocumentFilter, { place, take }: Page) {
  const lead = leadOf(filter)
  const { older, from } = bounds(filter, place)
  if (lead === null) {
    return sql<DocumentRow>`
      select * from document where ${ownedBy(scope)} and (created_at, id) < (${older}) and created_at >= ${from}
        ${others(filter)}
      order by created_at desc, id desc limit ${take}`
  }
  const [column, value] = lead
  return sql<DocumentRow>`
    select * from document where ${ownedBy(scope)} and ${column} is not null
      and (${column}, created_at, id) < (${value}, ${older}) and (${column}, created_at) >= (${value}, ${from})
      ${others(filter)}
    order by ${column} desc, created_at desc, id desc limit ${take}`
}

/** The few that a folio or an external id names, found before anything else is asked of them. */
async function listNamed(sql: Sql, scope: EmpresaScope, filter: DocumentFilter, { place, take }: Page) {
  const { folio, external_id, invoiced } = filter
  const named = external_id === undefined ? ofFolio(scope, filter) : ofExternalId(scope, external_id)
  const { older, from } = bounds(filter, place)
  // `offset 0` keeps the order and the conditions around it from choosing another index.
  return sql<DocumentRow>`
    select * from (${named} offset 0) document
    where (created_at, id) < (${older}) and created_at >= ${from}
      and issue_date >= ${filter['issue_date[gte]'] ?? '-infinity'}::date
      and issue_date <= ${filter['issue_date[lte]'] ?? 'infinity'}::date
      ${ifGiven(part`folio`, part`${folio}::bigint`)}
      ${others(filter)} ${invoiced === undefined ? nothing : invoicedIs(invoiced)}
    order by created_at desc, id desc limit ${take}`
}

// A folio alone is looked for in each tipo, which the index of folios leads to; without them it would be in all of the list.
function ofFolio(scope: EmpresaScope, { folio, tipo_dte }: DocumentFilter): Fragment {
  const tipos = tipo_dte === undefined ? TIPO_NUMBERS : [tipo_dte]
  return part`
    select d.* from unnest(${tipos}::smallint[]) as wanted (tipo_dte), lateral (
      select * from document where ${ownedBy(scope)} and document.tipo_dte = wanted.tipo_dte and folio = ${folio} offset 0) d`
}

// What names it is one row, whatever year the document is of.
function ofExternalId(scope: EmpresaScope, external_id: string): Fragment {
  return part`select * from document where ${ownedBy(scope)} and id = (
    select document_id from document_external where ${ownedBy(scope)} and external_id = ${external_id})`
}

/** What PostgreSQL finds the way to by the values. */
async function listWeighed(sql: Sql, scope: EmpresaScope, filter: DocumentFilter, { place, take }: Page) {
  const { status, tipo_dte, receptor_rut, invoiced } = filter
  const between = (column: Fragment, gte: string | undefined, lte: string | undefined) =>
    part`${gte === undefined ? nothing : part`and ${column} >= ${gte}`} ${lte === undefined ? nothing : part`and ${column} <= ${lte}`}`
  return sql<DocumentRow>`
    select * from document where ${ownedBy(scope)}
      ${status === undefined ? nothing : statusIs(scope, status)}
      ${tipo_dte === undefined ? nothing : part`and tipo_dte = ${tipo_dte}`}
      ${receptor_rut === undefined ? nothing : part`and receptor_rut = ${receptor_rut}`}
      ${invoiced === undefined ? nothing : invoicedIs(invoiced)}
      ${between(part`issue_date`, filter['issue_date[gte]'], filter['issue_date[lte]'])}
      ${between(part`created_at`, filter['created_at[gte]'], filter['created_at[lte]'])}
      ${place === null ? nothing : part`and (created_at, id) < (${place[0]}::timestamptz, ${place[1]})`}
    order by created_at desc, id desc limit ${take}`
}

// Nearly everything is accepted. What is not is found by what names it: no index names the status itself.
function statusIs(scope: EmpresaScope, status: string): Fragment {
  const is = part`and status = ${status}`
  if (status === 'accepted') return is
  return IN_FLIGHT.includes(status) ? part`${is} ${isInFlight(scope)}` : part`${is} and uncommon_status = ${status}`
}
