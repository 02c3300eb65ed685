import type { DteDraft, Priced } from '@timbre/dte/draft'
import { TIPO } from '@timbre/dte/values'
import { CEILINGS } from '../../../catalog/limits.ts'
import { Problem, refuseAll } from '../../../kernel/problem.ts'
import { type EmissionChannel, getsFolioFromSii } from '../../platform/empresa/channels.ts'

/**
 * Refuses what the form of the free portal has no place for, by the caller's own field: the SII would refuse it later, or
 * issue a document that says less. Terms of payment beyond its form, codes and contacts are not printed there; they stay
 * with the document here.
 */
export function refuseBeyondPortal(channel: EmissionChannel, draft: DteDraft, priced: Priced): void {
  if (!getsFolioFromSii(channel, draft.tipo_dte)) return
  refuseZeroGuia(draft, priced)
  const details = { channel }
  const faults = [...beyond(draft), ...beyondInLines(draft)].map(
    ([param, what]) =>
      new Problem('invalid_field', { param, message: `The form of the free portal has ${what}.`, details }),
  )
  refuseAll(draft.receptor.address?.city ? faults : [cityMissing(), ...faults])
}

function cityMissing(): Problem {
  const message = 'receptor.address.city is needed on the free portal.'
  return new Problem('receptor_incomplete', { param: 'receptor.address.city', message })
}

/** The free portal refuses a guía that has a line without an amount. */
function refuseZeroGuia({ tipo_dte }: DteDraft, { items }: Priced): void {
  const line = tipo_dte === TIPO.guia ? items.findIndex(({ amount }) => amount === 0) : -1
  if (line >= 0) throw new Problem('sfg_guia_zero_amount', { param: `items[${line}].unit_price` })
}

type Fault = readonly [param: string, what: string]

const NO_PLACE = [
  ['discounts', 'no discount over the whole document'],
  ['surcharges', 'no surcharge over the whole document'],
  ['stated_taxes', 'no additional taxes'],
  ['construction_credit', 'no credit of building firms'],
  ['previous_balance', 'no previous balance'],
  ['no_debit_reduction', 'no mark that the fiscal debit stays'],
] as const satisfies readonly (readonly [keyof DteDraft, string])[]

function beyond(draft: DteDraft): Fault[] {
  const { portal_items, portal_references } = CEILINGS
  const { items, references = [], receptor } = draft
  const said = NO_PLACE.filter(([field]) => {
    const value = draft[field]
    return Array.isArray(value) ? value.length > 0 : Boolean(value)
  })
  const found: (Fault | false | undefined)[] = [
    items.length > portal_items && [`items[${portal_items}]`, `${portal_items} lines`],
    references.length > portal_references && [`references[${portal_references}]`, `${portal_references} references`],
    draft.gross_prices && ['gross_prices', 'net prices alone'],
    receptor.foreign && ['receptor.foreign', 'no receptor abroad'],
    ...said,
  ]
  return found.flatMap((one) => (one ? [one] : []))
}

function beyondInLine(item: DteDraft['items'][number], index: number): Fault | null {
  const letters = CEILINGS.portal_item_letters
  const at = (field: string, what: string): Fault => [`items[${index}].${field}`, what]
  if (item.description.length > letters) return at('description', `${letters} characters for the name of an item`)
  if (item.surcharge) return at('surcharge', 'no surcharge in a line')
  if (item.discount?.amount !== undefined) return at('discount.amount', 'discounts in percent alone')
  if (item.billing) return at('billing', 'only plain sales')
  if (item.additional_tax !== undefined) return at('additional_tax', 'no additional taxes')
  if (item.retention_agent) return at('retention_agent', 'no withheld taxes')
  return null
}

/** One fault of each line. */
function beyondInLines({ tipo_dte, items }: DteDraft): Fault[] {
  const found = items.flatMap((item, index) => {
    const fault = beyondInLine(item, index)
    return fault ? [fault] : []
  })
  // Exempt lines beside taxed ones: the form has one kind of line.
  const exempt = items.findIndex((item) => item.exempt)
  const mixed = exempt >= 0 && (tipo_dte === TIPO.factura || items.some((item) => !item.exempt))
  return mixed && tipo_dte !== TIPO.factura_exenta
    ? [...found, [`items[${exempt}].exempt`, 'no exempt line beside taxed ones']]
    : found
}
