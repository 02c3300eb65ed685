import { ANSWERABLE_TIPOS, EXCHANGED_TIPOS, isTipoDte, santiagoDate, TIPO } from '@timbre/dte/values'
import { DEL_GIRO, NOT_INCLUDED, placeIva, SUMMARIZED_TIPOS, TIPOS_COMPRA, TIPOS_VENTA } from '../../catalog/rcv.ts'
import { type IssuedInPeriod, listIssuedIn, sumIssuedIn } from '../../domain/issuing/document/in-period.ts'
import { listReceivedIn, type ReceivedInPeriod } from '../../domain/receiving/received-document/lookup.ts'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import type { RegisteredAnswer } from '../../ports/sii-reception.ts'
import { answersToOwn, CLAIMS, placeOf } from './claims.ts'
import type { SandboxEntry } from './rcv-csv.ts'

interface Days {
  readonly from: string
  readonly before: string
}

const PLAIN = {
  acknowledged_at: null,
  claimed_at: null,
  iva_not_recoverable: 0,
  iva_not_recoverable_code: null,
  iva_common_use: 0,
  iva_fixed_assets: 0,
  net_fixed_assets: 0,
  iva_late: 0,
  other_taxes: [],
  documents: 1,
  reference_tipo_doc: null,
  reference_folios: [],
} as const
const AS_SALE = { side: 'sale', estado_contable: null, tipo_compra: null, tipo_venta: 1 } as const
const AS_PURCHASE = { side: 'purchase', estado_contable: 'REGISTRO', tipo_compra: 1, tipo_venta: null } as const

type Amounts = Pick<SandboxEntry, 'net' | 'exempt' | 'iva' | 'total'>
const amountsOf = ({ net, exempt, iva, total }: Amounts): Amounts => ({ net, exempt, iva, total })

/** A sale of what its emisor says it sells (TpoTranVenta). */
function soldAs(sale_type: number | null) {
  return { ...AS_SALE, tipo_venta: TIPOS_VENTA.find((tipo) => tipo === sale_type) ?? AS_SALE.tipo_venta }
}

/** The register begins with the tipo that the document suggests (TpoTranCompra); only a person takes one out of it. */
function boughtAs(purchase_type: number | null, { net, iva }: Amounts) {
  const suggested = TIPOS_COMPRA.find((tipo) => tipo === purchase_type && tipo !== NOT_INCLUDED)
  const tipo_compra = suggested ?? DEL_GIRO
  return { ...AS_PURCHASE, tipo_compra, ...placeIva({ ...PLAIN, net, iva }, tipo_compra, null) }
}

/** Guías are in no register. */
const ISSUED_TIPOS = EXCHANGED_TIPOS.filter(isTipoDte)

/** The dates that the register shows beside a sale: sales have no estado contable, and one that is claimed still counts. */
function answeredAt(answers: readonly RegisteredAnswer[]): Pick<SandboxEntry, 'acknowledged_at' | 'claimed_at'> {
  const first = (actions: readonly string[]) => answers.find(({ action }) => actions.includes(action))?.at.toISOString()
  return { acknowledged_at: first(['ERM']) ?? null, claimed_at: first(CLAIMS) ?? null }
}

/** A factura de compra, and a nota about one, is a purchase of whoever issues it. */
function isAboutPurchase({ tipo_dte, refers_to }: { tipo_dte: number; refers_to: number | null }): boolean {
  return tipo_dte === TIPO.factura_de_compra || refers_to === TIPO.factura_de_compra
}

function asEntry(row: IssuedInPeriod, answers: readonly RegisteredAnswer[]): SandboxEntry {
  const { tipo_dte, folio, receptor_rut, receptor_name, issue_date, sent_at, refers_to, refers_folio } = row
  return {
    ...PLAIN,
    ...amountsOf(row),
    ...(isAboutPurchase(row) ? boughtAs(row.purchase_type, row) : soldAs(row.sale_type)),
    ...answeredAt(answers),
    tipo_doc: tipo_dte,
    folio,
    counterparty_rut: receptor_rut,
    counterparty_name: receptor_name,
    issue_date,
    received_at: sent_at?.toISOString() ?? null,
    iva_late: row.late ? row.iva : 0,
    other_taxes: row.taxes,
    reference_tipo_doc: refers_to,
    reference_folios: refers_folio === null ? [] : [refers_folio],
  }
}

/** What the empresa issued and the SII took: sales one by one, boletas by the month, facturas de compra as purchases. */
export async function issuedEntries(sql: Sql, empresa: EmpresaScope, days: Days): Promise<SandboxEntry[]> {
  const single = await listIssuedIn(sql, empresa, days, ISSUED_TIPOS)
  const answers = await answersToOwn(sql, empresa)
  const months = await sumIssuedIn(sql, empresa, days, SUMMARIZED_TIPOS)
  const summaries = months.map(({ tipo_dte, ...month }) => ({
    ...PLAIN,
    ...AS_SALE,
    ...month,
    tipo_doc: tipo_dte,
    folio: null,
    counterparty_rut: null,
    counterparty_name: null,
    issue_date: days.from,
    received_at: null,
  }))
  return [...single.map((row) => asEntry(row, answers.get(placeOf(row.tipo_dte, row.folio)) ?? [])), ...summaries]
}

/** Only what is sold on credit with IVA waits for its receptor (Ley 19.983, art. 3 and D.L. 825, art. 23 no. 7). */
function waits({ payment_form, tipo_dte }: ReceivedInPeriod): boolean {
  return ANSWERABLE_TIPOS.includes(tipo_dte) && tipo_dte !== TIPO.factura_exenta && payment_form !== 'cash'
}

function estadoOf(row: ReceivedInPeriod): NonNullable<SandboxEntry['estado_contable']> {
  const { status, receipt_status } = row
  if (status === 'rejected') return 'RECLAMADO'
  const answered = status !== 'pending' || receipt_status === 'acknowledged'
  return answered || !waits(row) ? 'REGISTRO' : 'PENDIENTE'
}

/**
 * The day whose month a document is registered in: its own, but for what had to wait. That gives credit from when the
 * goods were acknowledged, or it was accepted, or its eight days lapsed (D.L. 825, art. 23 no. 7).
 */
function registeredOn(row: ReceivedInPeriod): string {
  const { issue_date, acknowledged_at, answered_at } = row
  if (!waits(row) || estadoOf(row) !== 'REGISTRO') return issue_date
  const [first] = [acknowledged_at, answered_at].flatMap((at) => (at === null ? [] : [santiagoDate(at)])).sort()
  return first === undefined || first < issue_date ? issue_date : first
}

/** A purchase, with the estado contable that its answer gave it. */
function purchaseOf(row: ReceivedInPeriod) {
  const estado_contable = estadoOf(row)
  const answered = row.acknowledged_at ?? row.answered_at
  return {
    ...boughtAs(row.purchase_type, row),
    estado_contable,
    acknowledged_at: estado_contable === 'REGISTRO' ? (answered?.toISOString() ?? null) : null,
    claimed_at: estado_contable === 'RECLAMADO' ? (row.answered_at?.toISOString() ?? null) : null,
  }
}

/** What others sent as entries of the register: a factura de compra, and a nota about one, is a sale of its receptor. */
export async function receivedEntries(sql: Sql, empresa: EmpresaScope, days: Days): Promise<SandboxEntry[]> {
  const rows = await listReceivedIn(sql, empresa, days, EXCHANGED_TIPOS)
  const registered = rows.filter((row) => registeredOn(row) >= days.from && registeredOn(row) < days.before)
  return registered.map((row) => ({
    ...PLAIN,
    ...amountsOf(row),
    ...(isAboutPurchase(row) ? AS_SALE : purchaseOf(row)),
    tipo_doc: row.tipo_dte,
    folio: row.folio,
    counterparty_rut: row.emisor_rut,
    counterparty_name: row.emisor_name,
    issue_date: row.issue_date,
    other_taxes: row.taxes,
    received_at: row.sii_received_at.toISOString(),
    reference_tipo_doc: row.refers_to,
  }))
}
