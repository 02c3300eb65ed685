import type { Address, Reference } from '../document/document.ts'
import { ANONYMOUS_RUT } from '../document/tipos.ts'
import { printedRut } from '../rut.ts'
import {
  DISPATCH_TYPE_NAMES,
  PAYMENT_FORM_NAMES,
  PAYMENT_METHOD_NAMES,
  REFERENCE_CODE_NAMES,
  TRANSFER_TYPE_NAMES,
} from '../tables/codes.ts'
import { siiOffice } from '../tables/comunas.ts'
import { SALE_CLAUSES, SALE_MODES, TRANSPORTS } from '../tables/customs.ts'
import { DOCUMENTS } from '../tables/documents.ts'
import { type AnyDte, isUnissued } from '../unissued/document.ts'
import { CEDIBLE, CEDIBLE_GUIA, LABELS } from './copy.ts'
import { decimal, pesos, shortDate, shortMoment } from './format.ts'
import { printedTipo } from './tipo.ts'

/** A label and what it says. */
export type Pair = readonly [label: string, value: string]

type Label = keyof typeof LABELS

/** Keeps the pairs that say something, in order. */
function pairs(entries: readonly (readonly [Label, string | undefined])[]): Pair[] {
  return entries.flatMap(([label, value]) => (value ? [[LABELS[label], value] as const] : []))
}

export function addressLine(address: Address | undefined): string {
  const parts = [address?.street, address?.comuna, address?.city]
  return parts.filter((part, i) => part && (i < 2 || part.toLowerCase() !== parts[1]?.toLowerCase())).join(', ')
}

/** The three lines of the box, and no other may be in it (Manual de Muestras Impresas v4.0, section 1). */
export function boxLines(dte: AnyDte): readonly [string, string, string] {
  return [`R.U.T.: ${printedRut(dte.emisor.rut)}`, printedTipo(dte.tipo_dte).printed_name, `N° ${dte.folio}`]
}

/** Under the box: the office of the SII where the emitter is registered, told by its comuna. */
export function officeLine(dte: AnyDte): string {
  const comuna = dte.emisor.address?.comuna
  if (!comuna) return ''
  return `S.I.I. - ${siiOffice(comuna) ?? comuna.toUpperCase()}`
}

/** Giro, addresses and how to reach the emitter; a wide page has telephone and mail on one line. */
export function emisorLines(dte: AnyDte, wide: boolean): string[] {
  const { giro, address, branch, phones, email } = dte.emisor
  const home = addressLine(address)
  const ways = [phones?.join(' / '), email].filter((way) => !!way)
  const contact = wide ? [ways.join('  ·  ')] : ways
  const lines = [giro, home && `Casa matriz: ${home}`, branch && `Sucursal: ${branch}`, ...contact]
  return lines.filter((line): line is string => !!line)
}

export function receptorPairs(dte: AnyDte): Pair[] {
  const { rut, legal_name, giro, address, contact, email, phone, code, foreign } = dte.receptor
  // The generic RUT of a boleta stands for nobody: it is not printed as if it were the customer's.
  if (rut === ANONYMOUS_RUT && !legal_name) return []
  return pairs([
    ['receptor', legal_name],
    ['rut', rut === ANONYMOUS_RUT ? undefined : printedRut(rut)],
    ['foreign_id', [foreign?.id, foreign?.nationality].filter(Boolean).join(' ')],
    ['giro', giro],
    ['address', address?.street],
    ['comuna', address?.comuna],
    ['city', address?.city],
    ['contact', contact],
    ['phone', phone],
    ['email', email],
    ['code', code],
  ])
}

export function factPairs(dte: AnyDte, printDate: (date: string) => string): Pair[] {
  const { payment, period } = dte
  const [from, to] = [period?.from, period?.to].map((date) => date && shortDate(date))
  return [
    ...pairs([
      ['issue_date', printDate(dte.issue_date)],
      ['payment_form', payment?.form && PAYMENT_FORM_NAMES[payment.form]],
      ['due_date', payment?.due_date && shortDate(payment.due_date)],
      ['payment_method', payment?.method && PAYMENT_METHOD_NAMES[payment.method]],
      ['terms', payment?.terms],
      ['period', [from, to].filter(Boolean).join(' al ')],
      ['seller', dte.emisor.seller],
    ]),
    ...instalmentPairs(dte),
  ]
}

function instalmentPairs(dte: AnyDte): Pair[] {
  return (dte.payment?.instalments ?? []).map(({ date, amount, note }, i) => {
    const value = [shortDate(date), pesos(amount), note].filter(Boolean).join('  ')
    return [`${LABELS.instalment} ${i + 1}`, value] as const
  })
}

export function dispatchPairs(dte: AnyDte): Pair[] {
  const dispatch = dte.dispatch
  if (!dispatch) return []
  const { driver, carrier_rut, departure_at, estimated_delivery_at } = dispatch
  return pairs([
    ['transfer_type', TRANSFER_TYPE_NAMES[dispatch.transfer_type ?? 0]],
    ['dispatch_type', DISPATCH_TYPE_NAMES[dispatch.dispatch_type ?? 0]],
    ['carrier', carrier_rut && printedRut(carrier_rut)],
    ['driver', driver && `${driver.name}, ${printedRut(driver.rut)}`],
    ['plate', dispatch.plate],
    ['trailer_plate', dispatch.trailer_plate],
    ['origin', addressLine(dispatch.origin)],
    ['destination', addressLine(dispatch.destination)],
    ['departure_at', departure_at && shortMoment(departure_at)],
    ['estimated_delivery_at', estimated_delivery_at && shortMoment(estimated_delivery_at)],
  ])
}

const named = (names: Readonly<Record<number, string>>, code: number | undefined) =>
  code === undefined ? undefined : (names[code] ?? `código ${code}`)
const coded = (code: number | undefined) => (code === undefined ? undefined : `código ${code}`)
const figure = (value: number | undefined) => (value === undefined ? undefined : decimal(value))

/** How an export is sold and sent; ports and countries by the code of the customs, which is what the document has. */
export function customsPairs(dte: AnyDte): Pair[] {
  if (!isUnissued(dte)) return []
  const { customs, other_currency } = dte
  return pairs([
    ['sale_mode', named(SALE_MODES, customs?.sale_mode)],
    ['sale_clause', named(SALE_CLAUSES, customs?.sale_clause)],
    ['clause_total', figure(customs?.clause_total)],
    ['transport', named(TRANSPORTS, customs?.transport)],
    ['transport_name', [customs?.transport_name, customs?.carrier].filter(Boolean).join(', ')],
    ['booking', customs?.booking],
    ['loading_port', coded(customs?.loading_port)],
    ['landing_port', coded(customs?.landing_port)],
    ['gross_weight', figure(customs?.gross_weight)],
    ['net_weight', figure(customs?.net_weight)],
    ['packages', figure(customs?.packages)],
    ['freight', figure(customs?.freight)],
    ['insurance', figure(customs?.insurance)],
    ['receptor_country', coded(customs?.receptor_country)],
    ['destination_country', coded(customs?.destination_country)],
    ['exchange_rate', figure(other_currency?.exchange_rate)],
  ])
}

/** A reference in words: its kind by name, never by its code alone. */
export interface PrintedReference {
  readonly name: string
  readonly folio: string
  readonly date: string
  readonly reason: string
}

export function printedReferences(dte: AnyDte): PrintedReference[] {
  return (dte.references ?? []).map((reference) => ({
    name: referenceName(reference),
    folio: reference.global ? 'Varios' : String(reference.folio ?? ''),
    date: reference.date ? shortDate(reference.date) : '',
    reason: referenceReason(reference),
  }))
}

function nameOf(code: string): string | undefined {
  return Object.hasOwn(DOCUMENTS, code) && DOCUMENTS[code]?.referable ? DOCUMENTS[code].name : undefined
}

function referenceName({ tipo_dte, document_type, text_code, emisor_rut }: Reference): string {
  const kind = String(tipo_dte ?? document_type ?? text_code ?? '')
  const name = nameOf(String(Number(kind))) ?? nameOf(kind) ?? kind
  return emisor_rut ? `${name} de ${printedRut(emisor_rut)}` : name
}

function referenceReason({ code, reason, text_code, tipo_dte, document_type, seller, till }: Reference): string {
  const named = tipo_dte ?? document_type
  return [code && REFERENCE_CODE_NAMES[code], named && text_code, reason, seller, till && `Caja ${till}`]
    .filter(Boolean)
    .join('. ')
}

/**
 * What the copy says at its lower right corner, or null when the document has no copy to cede: notes and boletas never
 * do, and a guía only when it is itself the sale.
 */
export function cedibleLegend(dte: AnyDte): string | null {
  switch (printedTipo(dte.tipo_dte).cedible) {
    case 'always':
      return CEDIBLE
    case 'sale':
      return dte.dispatch?.transfer_type === 1 ? CEDIBLE_GUIA : null
    default:
      return null
  }
}
