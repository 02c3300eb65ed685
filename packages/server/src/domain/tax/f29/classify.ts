import { EXCHANGED_TIPOS, signOf, standsIn, tiposOf } from '@timbre/dte/values'
import { classifyTaxes } from './additional-taxes.ts'
import type { Contribution, EntryGroup } from './entry-group.ts'

const FACTURAS = tiposOf('factura')
const BOLETAS = tiposOf('boleta')
const VOUCHERS = tiposOf('comprobante_de_pago')
const DEBIT_NOTES = tiposOf('nota_de_debito')
const CREDIT_NOTES = tiposOf('nota_de_credito')
const FACTURAS_DE_COMPRA = tiposOf('factura_de_compra')
const LIQUIDACIONES = tiposOf('liquidacion')
const EXPORTS = tiposOf('factura_de_exportacion', 'nota_de_debito_de_exportacion')
const EXPORT_CREDIT_NOTES = tiposOf('nota_de_credito_de_exportacion')
const IMPORTS = tiposOf('declaracion_de_ingreso')

/** Whether the form has a line for the tipo. Entries of any other get a warning, they are never left out in silence. */
export function isKnown({ side, tipo_doc }: Pick<EntryGroup, 'side' | 'tipo_doc'>): boolean {
  return standsIn(side, tipo_doc)
}

/** A count and an amount of one line; nothing where there is no amount. */
function pair(count: number, amount: number, documents: number, pesos: number): Contribution[] {
  if (pesos === 0) return []
  return [
    { code: count, amount: documents },
    { code: amount, amount: pesos },
  ]
}

type Pair = readonly [count: number, amount: number]

/** Where the IVA of a sale goes, by its tipo and by what was sold. */
function debitOf({ tipo_doc, tipo_venta, reference_tipo_doc }: EntryGroup): Pair | null {
  if (CREDIT_NOTES.includes(tipo_doc)) {
    if (tipo_venta === 2 || tipo_venta === 3) return [733, 734]
    return VOUCHERS.includes(reference_tipo_doc ?? 0) ? [708, 709] : [509, 510]
  }
  if (FACTURAS.includes(tipo_doc) || DEBIT_NOTES.includes(tipo_doc)) {
    if (tipo_venta === 2) return [716, 717]
    if (tipo_venta === 3) return [763, 764]
    return FACTURAS.includes(tipo_doc) ? [503, 502] : [512, 513]
  }
  if (BOLETAS.includes(tipo_doc)) return [110, 111]
  if (VOUCHERS.includes(tipo_doc)) return [758, 759]
  return LIQUIDACIONES.includes(tipo_doc) ? [500, 501] : null
}

/** The seller of a factura de compra owes only the IVA that its buyer did not keep. */
function boughtFromUs({ fully_withheld, documents, net, owed, withheld }: EntryGroup): Contribution[] {
  if (fully_withheld) return pair(515, 587, documents, net)
  return [...pair(516, 517, documents, owed), ...(withheld > 0 ? [{ code: 720, amount: net }] : [])]
}

/** A nota about one moves the net amount that its own line informs; its IVA moves as far as the buyer did not keep it. */
function boughtBack({ tipo_doc, fully_withheld, net, withheld }: EntryGroup): Contribution[] {
  return withheld === 0 ? [] : [{ code: fully_withheld ? 587 : 720, amount: signOf(tipo_doc) * net }]
}

function classifySale(group: EntryGroup): Contribution[] {
  const { tipo_doc, documents, net, exempt, owed } = group
  const sign = signOf(tipo_doc)
  const base = { code: 563, amount: sign * (net + exempt) }
  if (EXPORTS.includes(tipo_doc)) return [...pair(585, 20, documents, net + exempt), base]
  if (EXPORT_CREDIT_NOTES.includes(tipo_doc)) return [{ code: 20, amount: base.amount }, base]
  // A nota de crédito lowers the exempt amount and is counted on no line of its own.
  const lowered = exempt > 0 ? [{ code: 142, amount: -exempt }] : []
  const exempted = sign < 0 ? lowered : pair(586, 142, documents, exempt)
  if (FACTURAS_DE_COMPRA.includes(tipo_doc)) return [...boughtFromUs(group), ...exempted, base]
  const debit = debitOf(group)
  return [...(debit ? pair(debit[0], debit[1], documents, owed) : []), ...boughtBack(group), ...exempted, base]
}

/** Where the IVA of a purchase goes, by its tipo and by what it was for. */
function creditOf({ tipo_doc, tipo_compra }: EntryGroup): Pair {
  if (CREDIT_NOTES.includes(tipo_doc)) return [527, 528]
  if (DEBIT_NOTES.includes(tipo_doc)) return [531, 532]
  if (IMPORTS.includes(tipo_doc)) return tipo_compra === 4 ? [536, 553] : [534, 535]
  if (tipo_compra === 2) return [761, 762]
  if (tipo_compra === 3) return [765, 766]
  return tipo_compra === 4 ? [524, 525] : [519, 520]
}

/** IVA that the empresa withheld on a factura de compra it issued is owed apart, and taken back by a nota about one. */
function withheldOf({ tipo_doc, reference_tipo_doc, fully_withheld, withheld }: EntryGroup): Contribution[] {
  if (withheld === 0) return []
  if (FACTURAS_DE_COMPRA.includes(tipo_doc)) return [{ code: fully_withheld ? 39 : 554, amount: withheld }]
  const about_one = reference_tipo_doc !== null && FACTURAS_DE_COMPRA.includes(reference_tipo_doc)
  if (!about_one) return []
  return [{ code: CREDIT_NOTES.includes(tipo_doc) ? 736 : 39, amount: withheld }]
}

/** Purchases that give no credit are declared by their net amount. */
function refusedOf({ tipo_doc, documents, net, iva_not_recoverable }: EntryGroup): Contribution[] {
  if (iva_not_recoverable === 0) return []
  if (CREDIT_NOTES.includes(tipo_doc)) return [{ code: 521, amount: -net }]
  return IMPORTS.includes(tipo_doc) ? pair(566, 560, documents, net) : pair(564, 521, documents, net)
}

function classifyPurchase(group: EntryGroup, common_use: (iva: number) => number): Contribution[] {
  const { tipo_doc, documents, exempt, iva, iva_not_recoverable } = group
  const sign = signOf(tipo_doc)
  const [count, amount] = creditOf(group)
  const credit = iva + common_use(group.iva_common_use)
  const electronic = EXCHANGED_TIPOS.includes(tipo_doc)
  const exempted = sign < 0 ? [{ code: 562, amount: -exempt }] : pair(584, 562, documents, exempt)
  return [
    ...pair(count, amount, documents, credit),
    ...refusedOf(group),
    ...(exempt > 0 ? exempted : []),
    ...(electronic && credit > 0 ? [{ code: 511, amount: sign * credit }] : []),
    ...(electronic && iva_not_recoverable > 0 ? [{ code: 514, amount: sign * iva_not_recoverable }] : []),
    ...withheldOf(group),
  ]
}

/** Every code that a group counts in, and with how much. `common_use` gives the recoverable share of common-use IVA. */
export function classify(group: EntryGroup, common_use: (iva: number) => number): Contribution[] {
  if (!isKnown(group)) return []
  const plain = group.side === 'sale' ? classifySale(group) : classifyPurchase(group, common_use)
  return [...plain, ...classifyTaxes(group, common_use)]
}
