import { additionalTax, kindOf, signOf, tiposOf } from '@timbre/dte/values'
import type { Contribution, EntryGroup } from './entry-group.ts'

/** Where a tax of article 42 goes: its debit, what suppliers charged, and the part of that which is credit. */
interface DrinkCodes {
  readonly debit: number
  readonly charged: number
  readonly credit: number
}

// By the code of the tax in a DTE (Formato DTE v2.4.2, section 4): D.L. 825, art. 42 a) to c), lines 92 to 105.
const DRINKS: Readonly<Record<number, DrinkCodes>> = {
  24: { debit: 577, charged: 575, credit: 576 },
  25: { debit: 32, charged: 574, credit: 33 },
  26: { debit: 150, charged: 580, credit: 149 },
  27: { debit: 146, charged: 582, credit: 85 },
  271: { debit: 752, charged: 753, credit: 754 },
}

// Taxes with one line, which notas de crédito lower: art. 37 and 40 (84 to 86), what is withheld from the margin or in
// advance of the IVA of a buyer (121, 122), and from suplementeros (65).
const OF_SALES: Readonly<Record<number, number>> = {
  14: 597,
  17: 555,
  18: 555,
  19: 555,
  23: 113,
  44: 522,
  45: 526,
  53: 54,
}
// IVA that a supplier charged in advance (113), and the credit of art. 37 a) to c) (87).
const OF_PURCHASES: Readonly<Record<number, number>> = { 17: 556, 18: 556, 19: 556, 23: 28 }

/** Whoever sells fuel passes on what was paid at its first sale or import (Ley 18.502): the F29 does not ask for it. */
const NOT_DECLARED_SOLD: readonly number[] = [28, 35, 51, 52]
/** A cost of whoever buys: fuel but diesel, and art. 37 e), h), i), j), l), which are paid once (art. 40). */
const NOT_DECLARED_BOUGHT: readonly number[] = [35, 44, 45, 51, 52, 53]
const DIESEL = 28

/** Codes one of which a person fills by hand for a tax that nothing here carries: then it is not left out. */
const FILLED_BY_HAND = {
  sale: [502, 517, 587, 597, 555, 113, 522, 526, 577, 32, 150, 146, 752, 54],
  purchase: [28, 576, 33, 149, 85, 754, 556, 514, 127, 544],
  // Whether it is recovered depends on what the fuel moved, and for carriers on their income: no register says it.
  diesel: [127, 544],
} as const

const VOUCHERS = tiposOf('comprobante_de_pago')

/** IVA that the buyer keeps is told by the group itself. */
function isWithheldIva({ withheld }: EntryGroup, code: number): boolean {
  return withheld > 0 && additionalTax(code)?.kind === 'withheld'
}

function soldDrink({ tipo_doc, reference_tipo_doc, late }: EntryGroup, { debit }: DrinkCodes, amount: number) {
  if (kindOf(tipo_doc) === 'nota_de_debito') return [{ code: 545, amount }]
  if (signOf(tipo_doc) > 0) return [{ code: debit, amount }]
  // As the IVA of the same nota: out of term it no longer lowers a debit (D.L. 825, art. 21 and 70).
  if (late) return []
  return [{ code: VOUCHERS.includes(reference_tipo_doc ?? 0) ? 710 : 546, amount }]
}

type Share = (amount: number) => number

/** Of a tax that a supplier charged, what is credit: as much as of the IVA of the same purchase (D.L. 825, art. 45). */
function creditOf({ iva_not_recoverable, iva_common_use }: EntryGroup, amount: number, common_use: Share): number {
  if (iva_not_recoverable > 0) return 0
  return iva_common_use > 0 ? common_use(amount) : amount
}

function boughtDrink(group: EntryGroup, { charged, credit }: DrinkCodes, amount: number, common_use: Share) {
  const kind = kindOf(group.tipo_doc)
  const counted = creditOf(group, amount, common_use)
  if (kind === 'nota_de_debito') return [{ code: 551, amount: counted }]
  if (kind === 'nota_de_credito') return [{ code: 559, amount: counted }]
  return [
    { code: charged, amount },
    { code: credit, amount: counted },
  ]
}

/** The codes that one tax of a group goes into; null where the form has no line for it here. */
function placed(group: EntryGroup, code: number, amount: number, common_use: Share): Contribution[] | null {
  const { side, tipo_doc } = group
  const drink = DRINKS[code]
  if (drink) return side === 'sale' ? soldDrink(group, drink, amount) : boughtDrink(group, drink, amount, common_use)
  if (isWithheldIva(group, code)) return []
  const line = (side === 'sale' ? OF_SALES : OF_PURCHASES)[code]
  if (line === undefined) {
    return (side === 'sale' ? NOT_DECLARED_SOLD : NOT_DECLARED_BOUGHT).includes(code) ? [] : null
  }
  const sign = signOf(tipo_doc)
  if (side === 'sale' && sign < 0 && group.late) return []
  return [{ code: line, amount: sign * (line === OF_PURCHASES[23] ? creditOf(group, amount, common_use) : amount) }]
}

export function classifyTaxes(group: EntryGroup, common_use: Share): Contribution[] {
  const all = group.taxes.flatMap(({ code, amount }) => placed(group, code, amount, common_use) ?? [])
  return all.filter(({ amount }) => amount !== 0)
}

/** What a group has of taxes that go nowhere, by code, unless a person filled a code of the form for them. */
export function taxesLeftOut(group: EntryGroup, overridden: readonly number[]): readonly EntryGroup['taxes'][number][] {
  return group.taxes.filter(({ code, amount }) => {
    if (amount === 0 || placed(group, code, amount, () => 0) !== null) return false
    const by_hand: readonly number[] = FILLED_BY_HAND[code === DIESEL ? 'diesel' : group.side]
    return !by_hand.some((one) => overridden.includes(one))
  })
}

export const DRINK_DEBITS: readonly number[] = [...Object.values(DRINKS).map(({ debit }) => debit), 545]
export const DRINK_CREDITS: readonly number[] = Object.values(DRINKS).map(({ credit }) => credit)
