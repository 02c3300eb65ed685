import type { Refusal } from '../../refusal.ts'
import { refusal } from '../fields/check.ts'
import { MAX_DOCUMENT_PESOS } from '../money.ts'
import { ANONYMOUS_RUT, TIPO, tipo } from '../tipos.ts'
import type { Rule } from './rule.ts'

/** Since that day the XML of every boleta goes to the SII (Res. Ex. SII 74 of 2020; Ley 21.210): it takes none from before. */
const FIRST_BOLETA = '2021-01-01'

export const dateRules: Rule = ({ tipo_dte, issue_date, period }, _priced, { today, authorized_on }) => {
  const refusals: Refusal[] = []
  if (tipo(tipo_dte).family === 'boleta' && issue_date < FIRST_BOLETA) {
    const message = `is before ${FIRST_BOLETA}: the SII takes no electronic boleta from before (Res. Ex. 74 of 2020)`
    refusals.push(refusal(['issue_date'], 'too_old', message))
  } else if (authorized_on !== undefined && issue_date < authorized_on) {
    // The SII refuses it with HED-3-305.
    const message = `is before ${authorized_on}, when the SII authorised the empresa to issue it`
    refusals.push(refusal(['issue_date'], 'too_old', message))
  }
  if (today !== undefined && issue_date > today)
    refusals.push(refusal(['issue_date'], 'future', `is later than ${today}`))
  if (period?.from !== undefined && period.to !== undefined && period.from > period.to) {
    refusals.push(refusal(['period', 'to'], 'date_order', 'is before period.from'))
  }
  return refusals
}

const NOTE_ONLY_SALE = 4

/** 4 stands for a nota de crédito alone (SiiTypes_v10.xsd, TipoTransVENTA: "solo NCE"). */
export const saleTypeRules: Rule = ({ tipo_dte, sale_type }) =>
  sale_type === NOTE_ONLY_SALE && tipo_dte !== TIPO.nota_de_credito
    ? [refusal(['sale_type'], 'not_for_tipo', 'may be 4 in a nota de crédito alone')]
    : []

export const totalRules: Rule = (_draft, { totals }) => {
  if (totals.total < 0) return [refusal(['items'], 'negative_total', 'add up to less than zero')]
  const { taxes = [], iva_rate: _, ...amounts } = totals
  const parts = [...Object.values(amounts), ...taxes.map(({ amount }) => amount)]
  return parts.some((amount = 0) => Math.abs(amount) > MAX_DOCUMENT_PESOS)
    ? [refusal(['items'], 'amount_too_large', 'add up to more than a document can carry')]
    : []
}

const INTERNAL_TRANSFER = 5

/** Goods that move between places of one taxpayer have that taxpayer at both ends. */
export const guiaRules: Rule = ({ tipo_dte, dispatch, emisor, receptor }) => {
  const internal = tipo_dte === 52 && dispatch?.transfer_type === INTERNAL_TRANSFER
  if (!internal || receptor.rut === emisor.rut) return []
  return [refusal(['receptor', 'rut'], 'internal_transfer', 'must be the emisor in an internal transfer')]
}

/** Services billed by period say which period and to whom (SII, Formato de Boletas v4.1). */
export const boletaRules: Rule = ({ tipo_dte, service_type, period, receptor }) => {
  const periodic = service_type === 1 || service_type === 2
  if (tipo(tipo_dte).family !== 'boleta' || !periodic) return []
  const missing = [
    { path: ['period', 'from'], value: period?.from },
    { path: ['period', 'to'], value: period?.to },
    { path: ['receptor', 'legal_name'], value: receptor.legal_name },
  ].filter(({ value }) => value === undefined)
  return missing.map(({ path }) => refusal(path, 'required', 'is needed for a service billed by period'))
}

const LARGE_BOLETA_UF = 135

/** Above 135 UF a boleta names its buyer and how it was paid, and in cash how to reach them (Ley 21.713). */
export const largeBoletaRules: Rule = ({ tipo_dte, receptor, payment }, { totals }, { uf }) => {
  if (tipo(tipo_dte).family !== 'boleta' || uf === undefined || totals.total <= LARGE_BOLETA_UF * uf) return []
  const why = `is needed in a boleta above ${LARGE_BOLETA_UF} UF`
  const refusals: Refusal[] = []
  if (receptor.rut === ANONYMOUS_RUT) refusals.push(refusal(['receptor', 'rut'], 'large_boleta', why))
  const needed = [
    { path: ['receptor', 'legal_name'], value: receptor.legal_name, asked: true },
    { path: ['payment', 'method'], value: payment?.method, asked: true },
    { path: ['receptor', 'email'], value: receptor.email, asked: payment?.method === 'cash' },
    { path: ['receptor', 'phone'], value: receptor.phone, asked: payment?.method === 'cash' },
  ]
  for (const { path, value, asked } of needed) {
    if (asked && value === undefined) refusals.push(refusal(path, 'large_boleta', why))
  }
  return refusals
}
