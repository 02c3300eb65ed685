import { isRut } from '@timbre/dte/wire'

/** A document as the form of the free portal describes it. Totals travel in the form and must agree with the lines. */
export interface SfgDraft {
  readonly tipo: number
  readonly issued_on: string
  /** Null where the form does not tell: nobody knows what the portal takes it for. */
  readonly payment: number | null
  readonly transfer: number
  readonly emisor: {
    readonly giro: string
    readonly acteco: string
    readonly address: string
    readonly comuna: string
    readonly city: string
  }
  readonly receptor: {
    readonly rut: string
    readonly name: string
    readonly giro: string
    readonly address: string
    readonly comuna: string
    readonly city: string
  }
  readonly lines: readonly SfgLine[]
  readonly references: readonly SfgReference[]
  readonly net: number
  readonly exempt: number
  readonly iva: number
  readonly total: number
}

export interface SfgLine {
  readonly name: string
  readonly description: string
  readonly quantity: number
  readonly unit: string
  readonly price: number
  readonly discount_percent: number
  readonly amount: number
}

export interface SfgReference {
  readonly tipo: string
  readonly folio: string
  readonly date: string
  readonly code: string
  readonly reason: string
}

/** The fields of a posted form, by name. */
export type Form = Readonly<Record<string, string>>

export const SFG_TIPOS: readonly number[] = [33, 34, 52, 56, 61]
export const SFG_LINES = 10
export const SFG_REFERENCES = 3
const NAME_LENGTH = 25

/** What the portal refuses with an alert: the sentence is the reason, and no preview is made. */
export class FormRefusal extends Error {}

export function readDraft(tipo: number, form: Form, today: string): SfgDraft {
  const required = (field: string, label: string): string => {
    const value = (form[field] ?? '').trim()
    if (value === '') throw new FormRefusal(`Debe ingresar el campo : ${label}`)
    return value
  }
  // A form that brings the field empty is refused; one that leaves it out is dated by the SII (the latter is ours).
  const issued_on = form.EFXP_FCH_EMIS === undefined ? today : required('EFXP_FCH_EMIS', 'Fecha emision')
  if (!/^\d{4}-\d{2}-\d{2}$/.test(issued_on) || issued_on > today) throw new FormRefusal('FECHA NO CORRESPONDE')
  const rut = `${required('EFXP_RUT_RECEP', 'RUT receptor')}-${required('EFXP_DV_RECEP', 'DV receptor').toUpperCase()}`
  if (!isRut(rut)) throw new FormRefusal('RUT receptor invalido')
  const draft: SfgDraft = {
    tipo,
    issued_on,
    payment: form.EFXP_FMA_PAGO ? Number(form.EFXP_FMA_PAGO) : null,
    transfer: Number(form.EFXP_IND_TRASLADO || 1),
    emisor: {
      giro: form.EFXP_GIRO_EMIS ?? '',
      acteco: form.EFXP_ACTECO ?? '',
      address: form.EFXP_DIR_ORIGEN ?? '',
      comuna: form.EFXP_CMNA_ORIGEN ?? '',
      city: required('EFXP_CIUDAD_ORIGEN', 'Ciudad emisor'),
    },
    receptor: {
      rut,
      name: required('EFXP_RZN_SOC_RECEP', 'Razon social receptor'),
      giro: required('EFXP_GIRO_RECEP', 'Giro receptor'),
      address: required('EFXP_DIR_RECEP', 'Direccion receptor'),
      comuna: required('EFXP_CMNA_RECEP', 'Comuna receptor'),
      city: required('EFXP_CIUDAD_RECEP', 'Ciudad receptor'),
    },
    lines: readLines(form),
    references: readReferences(form),
    net: amount(form.EFXP_MNT_NETO),
    exempt: amount(form.EFXP_MNT_EXE),
    iva: amount(form.EFXP_IVA),
    total: amount(form.EFXP_MNT_TOTAL),
  }
  return checkTotals(draft)
}

function readLines(form: Form): readonly SfgLine[] {
  const numbers = Array.from({ length: 60 }, (_, index) => String(index + 1).padStart(2, '0'))
  const used = numbers.filter((number) => (form[`EFXP_NMB_${number}`] ?? '').trim() !== '')
  if (used.length === 0) throw new FormRefusal('Debe ingresar el campo : Nombre del producto')
  if (used.length > SFG_LINES) throw new FormRefusal(`El documento no puede tener mas de ${SFG_LINES} lineas`)
  return used.map((number) => {
    const name = (form[`EFXP_NMB_${number}`] ?? '').trim()
    if (name.length > NAME_LENGTH)
      throw new FormRefusal(`El nombre del producto no puede superar los ${NAME_LENGTH} caracteres`)
    const quantity = Number(form[`EFXP_QTY_${number}`] || Number.NaN)
    const price = Number(form[`EFXP_PRC_${number}`] || Number.NaN)
    if (!(quantity > 0)) throw new FormRefusal('Cantidad debe ser mayor a 0')
    if (!(price >= 0)) throw new FormRefusal('Debe ingresar el campo : Precio')
    return {
      name,
      description: (form[`EFXP_DSC_ITEM_${number}`] ?? '').trim(),
      quantity,
      unit: (form[`EFXP_UNMD_${number}`] ?? '').trim(),
      price,
      discount_percent: Number(form[`EFXP_PCTD_${number}`] || 0),
      amount: amount(form[`EFXP_SUBT_${number}`]),
    }
  })
}

function readReferences(form: Form): readonly SfgReference[] {
  return Array.from({ length: SFG_REFERENCES }, (_, index) => `00${index + 1}`).flatMap((number) => {
    const tipo = (form[`EFXP_TPO_DOC_REF_${number}`] ?? '').trim()
    if (tipo === '' || tipo === '0') return []
    const folio = (form[`EFXP_FOLIO_REF_${number}`] ?? '').trim()
    const date = (form[`EFXP_FCH_REF_${number}`] ?? '').trim()
    if (folio === '') throw new FormRefusal('Debe ingresar el campo : Folio referencia')
    if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new FormRefusal('Debe ingresar el campo : Fecha referencia')
    const code = (form[`EFXP_CODIGO_REF_${number}`] ?? '').trim()
    return [{ tipo, folio, date, code, reason: (form[`EFXP_RAZON_REF_${number}`] ?? '').trim() }]
  })
}

function checkTotals(draft: SfgDraft): SfgDraft {
  const { tipo, lines, references } = draft
  const sum = lines.reduce((total, line) => total + line.amount, 0)
  const exact = lines.every((line) => line.amount === Math.round(line.quantity * line.price) - discountOf(line))
  const correction = references.some(({ code }) => code === '2')
  if (!exact) throw new FormRefusal('Subtotal de la linea no corresponde')
  if ((tipo === 56 || tipo === 61) && references.every(({ code }) => code === ''))
    throw new FormRefusal('Debe ingresar el campo : Codigo referencia')
  if (!correction && draft.total < 1) throw new FormRefusal('Valor Total debe ser mayor a 0')
  if (tipo === 33 && draft.iva < 1) throw new FormRefusal('Valor IVA debe ser mayor a 0')
  const exempt = tipo === 34 || (draft.net === 0 && draft.iva === 0)
  const [net, iva] = exempt ? [0, 0] : [sum, Math.round(sum * 0.19)]
  if (draft.net !== net || draft.iva !== iva || draft.total !== (exempt ? sum : net + iva))
    throw new FormRefusal('Los montos del documento no cuadran')
  return { ...draft, exempt: exempt ? sum : 0 }
}

export function discountOf(line: SfgLine): number {
  return Math.round((Math.round(line.quantity * line.price) * line.discount_percent) / 100)
}

function amount(text = ''): number {
  const value = Number(text.trim() || 0)
  return Number.isSafeInteger(value) ? value : Number.NaN
}
