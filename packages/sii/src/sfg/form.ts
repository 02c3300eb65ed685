import type { Dte, PaymentForm, PricedItem, Reference } from '@timbre/dte'
import { SFG_LIMITS } from '@timbre/dte/values'
import { drift } from '../failure.ts'
import type { Form, Page } from '../portal/page.ts'
import { scriptRows } from './script-arrays.ts'

/** A document with its amounts and without a folio: the SII gives that one. */
export type SfgDocument = Omit<Dte, 'folio'>

const PAYMENT: Readonly<Record<PaymentForm, string>> = { cash: '1', credit: '2', free: '3' }

/** What the form cannot say of a document, or null. The SII's own check would come later, or not at all. */
export function beyondForm({
  tipo_dte,
  items,
  references = [],
  discounts = [],
  surcharges = [],
  totals,
  receptor,
}: SfgDocument): string | null {
  const { tipos, lines, item_name } = SFG_LIMITS
  if (!(tipos as readonly number[]).includes(tipo_dte)) return `tipo ${tipo_dte} is not issued there`
  if (items.length > lines) return `${items.length} lines, and the form has ${lines}`
  const long = items.find(({ description }) => description.length > item_name)
  if (long !== undefined) return `an item name of ${long.description.length} characters, and the form has ${item_name}`
  if (references.length > SFG_LIMITS.references)
    return `${references.length} references, and the form has ${SFG_LIMITS.references}`
  if (discounts.length + surcharges.length > 0) return 'discounts or surcharges over the whole document'
  if ((totals.taxes ?? []).length > 0) return 'additional taxes'
  if (items.some((item) => item.surcharge !== undefined || item.discount?.amount !== undefined)) {
    return 'a line with a surcharge, or with a discount that is not a percentage'
  }
  if (tipo_dte === 33 && (totals.exempt ?? 0) > 0) return 'exempt lines in a factura'
  const { street, comuna, city } = receptor.address ?? {}
  if ([receptor.legal_name, receptor.giro, street, comuna, city].some((value) => !value)) {
    return 'a receptor without name, giro, address, comuna and city'
  }
  return null
}

/** The form as a browser would send it: what the page holds, what its script would complete, and the document. */
export function formFields(page: Page, form: Form, document: SfgDocument): Map<string, string> {
  const { receptor, totals, items, references = [] } = document
  const [number = '', dv = ''] = receptor.rut.split('-')
  const { street = '', comuna = '', city = '' } = receptor.address ?? {}
  return new Map([
    ...form.fields,
    ...emisorFields(page, form, document),
    ['EFXP_FCH_EMIS', document.issue_date],
    ['EFXP_TIPOVENTA_SELECT', String(document.sale_type ?? 1)],
    ['EFXP_TIPOCOMPRA_SELECT', String(document.purchase_type ?? 1)],
    ['EFXP_RUT_RECEP', number],
    ['EFXP_DV_RECEP', dv],
    ['EFXP_RZN_SOC_RECEP', receptor.legal_name ?? ''],
    ['EFXP_GIRO_RECEP', receptor.giro ?? ''],
    ['EFXP_DIR_RECEP', street],
    ['EFXP_CMNA_RECEP', comuna],
    ['EFXP_CIUDAD_RECEP', city],
    ['EFXP_CONTACTO', receptor.contact ?? ''],
    ['CANT_DET', String(items.length)],
    ...items.flatMap(itemFields),
    ...paymentFields(document),
    ['EFXP_SUBTOTAL', String(items.reduce((sum, { amount }) => sum + amount, 0))],
    ['EFXP_MNT_NETO', String(totals.net ?? 0)],
    ...(totals.exempt === undefined ? [] : [['EFXP_MNT_EXE', String(totals.exempt)] as const]),
    ...(totals.iva === undefined ? [] : ivaFields(totals.iva_rate ?? 19, totals.iva)),
    ['EFXP_MNT_TOTAL', String(totals.total)],
    ...(references.length === 0 ? [] : [['REF_SI_NO', 'SiChecked'] as const]),
    ...references.flatMap(referenceFields),
    ...dispatchFields(document),
  ])
}

/** Three obligatory fields come blank: their values stand in lists that the page's script would put in. */
function emisorFields(page: Page, form: Form, { emisor }: SfgDocument): [string, string][] {
  const places = scriptRows(page.scripts, 'emisorDir')
  const activities = scriptRows(page.scripts, 'emisorActEco')
  const code = String(emisor.codigo_sucursal ?? '')
  const place = places?.find((row) => code !== '' && row[3] === code) ?? places?.[0]
  const wanted = (emisor.acteco ?? []).map(String)
  const activity = activities?.find(([acteco = '']) => wanted.includes(acteco)) ?? activities?.[0]
  const held = (name: string) => form.fields.get(name) || undefined
  const values = {
    EFXP_DIR_ORIGEN: place?.[0] ?? held('EFXP_DIR_ORIGEN'),
    EFXP_CMNA_ORIGEN: place?.[1] ?? held('EFXP_CMNA_ORIGEN'),
    // The portal leaves it blank and asks for it all the same.
    EFXP_CIUDAD_ORIGEN: place?.[2] || emisor.address?.city || emisor.address?.comuna || place?.[1],
    EFXP_CDG_SII_SUCUR: place?.[3] ?? held('EFXP_CDG_SII_SUCUR'),
    EFXP_ACTECO: activity?.[0] ?? held('EFXP_ACTECO'),
  }
  if (values.EFXP_DIR_ORIGEN === undefined) throw drift('emisorDir')
  if (values.EFXP_ACTECO === undefined) throw drift('emisorActEco')
  const fields = Object.entries(values).map(([name, value]): [string, string] => [name, value ?? ''])
  return [...fields, ['EFXP_ACTECO_SELECT', values.EFXP_ACTECO]]
}

function itemFields(item: PricedItem, index: number): [string, string][] {
  const at = String(index + 1).padStart(2, '0')
  return [
    [`EFXP_NMB_${at}`, item.description],
    ...(item.detail === undefined ? [] : [[`EFXP_DSC_ITEM_${at}`, item.detail] as [string, string]]),
    [`EFXP_QTY_${at}`, String(item.quantity ?? 1)],
    [`EFXP_UNMD_${at}`, item.unit ?? ''],
    [`EFXP_PRC_${at}`, String(item.unit_price ?? item.amount)],
    [`EFXP_PCTD_${at}`, item.discount?.percent === undefined ? '' : String(item.discount.percent)],
    [`EFXP_SUBT_${at}`, String(item.amount)],
  ]
}

/** Where the document does not say how it is paid, what the page holds stays: it decides when the buyer may use the IVA. */
function paymentFields({ payment }: SfgDocument): [string, string][] {
  return payment?.form === undefined ? [] : [['EFXP_FMA_PAGO', PAYMENT[payment.form]]]
}

function ivaFields(rate: number, iva: number): [string, string][] {
  return [
    ['EFXP_TASA_IVA', String(rate)],
    ['EFXP_IVA', String(iva)],
  ]
}

function referenceFields(reference: Reference, index: number): [string, string][] {
  const at = `00${index + 1}`
  return [
    [`EFXP_TPO_DOC_REF_${at}`, String(reference.tipo_dte ?? reference.document_type ?? '')],
    [`EFXP_IND_GLOBAL_${at}`, reference.global === true ? '1' : ''],
    [`EFXP_FOLIO_REF_${at}`, String(reference.folio ?? 0)],
    [`EFXP_FCH_REF_${at}`, reference.date ?? ''],
    [`EFXP_CODIGO_REF_${at}`, String(reference.code ?? '')],
    [`EFXP_RAZON_REF_${at}`, (reference.reason ?? '').slice(0, SFG_LIMITS.reference_reason)],
  ]
}

/** Names seen in the form of a factura; what else the one of a guía asks for is not verified: see UNVERIFIED. */
function dispatchFields({ dispatch }: SfgDocument): [string, string][] {
  if (dispatch === undefined) return []
  const [carrier = '', carrier_dv = ''] = (dispatch.carrier_rut ?? '').split('-')
  const [driver = '', driver_dv = ''] = (dispatch.driver?.rut ?? '').split('-')
  return [
    ['EFXP_TIPO_DESPACHO', String(dispatch.dispatch_type ?? '')],
    ['EFXP_IND_TRASLADO', String(dispatch.transfer_type ?? '')],
    ['EFXP_RUT_TRANSPORTE', carrier],
    ['EFXP_DV_TRANSPORTE', carrier_dv],
    ['EFXP_PATENTE', dispatch.plate ?? ''],
    ['EFXP_RUT_CHOFER', driver],
    ['EFXP_DV_CHOFER', driver_dv],
    ['EFXP_NOMBRE_CHOFER', dispatch.driver?.name ?? ''],
  ]
}
