import { type DteDraft, type GlobalAdjustment, type Item, priceDraft } from '@timbre/dte/draft'
import { isLateNota, TIPO, type TipoDte, tipo } from '@timbre/dte/values'
import { CEILINGS } from '../../../catalog/limits.ts'
import { invalidField, mapOrRefuse } from '../../../kernel/problem.ts'
import type { CreateDocument } from '../document/create-schema.ts'
import { amountsReason, annulsReason, foldedLine, TEXT_LINE } from './copy.ts'

/** The document a nota de crédito is about. It was accepted, so it has its folio. */
export interface Original {
  readonly tipo_dte: TipoDte
  readonly folio: number
  readonly issue_date: string
  readonly draft: DteDraft
}

/** 1 annuls, 2 corrects text, 3 corrects amounts (SII, Formato DTE v2.4.2, CodRef). */
export interface Correction {
  readonly code: 1 | 2 | 3
  readonly reason?: string | undefined
  readonly items?: readonly Item[] | undefined
}

const NOTE = 61

/** In a tipo without IVA a plain line is exempt by itself; a nota is a taxed tipo, so its line must say so. */
function asNoteLine(original: Original, item: Item): Item {
  return tipo(original.tipo_dte).taxed || item.billing !== undefined ? item : { ...item, exempt: true }
}

/** A guía may list what has no price; in its nota that is a price of zero. */
const priced = (item: Item): Item => (item.unit_price === undefined ? { ...item, unit_price: 0 } : item)

function asNoteAdjustment(original: Original, adjustment: GlobalAdjustment): GlobalAdjustment {
  if (tipo(original.tipo_dte).taxed || adjustment.applies_to !== undefined) return adjustment
  return { ...adjustment, applies_to: 'exempt' }
}

/** Folds the lines of one kind into one with their sum. Only boletas are that long, and none of their lines carries a tax. */
function fold(original: Original): Item[] {
  const kinds = new Map<string, { like: Item; amount: number; lines: number }>()
  for (const { amount, ...item } of priceDraft(original.draft).items) {
    const { exempt, billing } = asNoteLine(original, item)
    const kind = `${exempt === true} ${billing}`
    const before = kinds.get(kind) ?? { like: { description: '', exempt, billing }, amount: 0, lines: 0 }
    kinds.set(kind, { ...before, amount: before.amount + amount, lines: before.lines + 1 })
  }
  return [...kinds.values()].map(({ like, amount, lines }) => ({
    ...like,
    description: foldedLine(lines, original),
    quantity: 1,
    unit_price: amount,
  }))
}

/** Repeats the lines and amounts of the original, so that nothing is left of it. */
function annulment(original: Original): Partial<DteDraft> {
  const { items, discounts, surcharges, stated_taxes, construction_credit } = original.draft
  const lines =
    items.length > CEILINGS.document_items ? fold(original) : items.map((one) => priced(asNoteLine(original, one)))
  return {
    items: lines,
    ...(discounts && { discounts: discounts.map((one) => asNoteAdjustment(original, one)) }),
    ...(surcharges && { surcharges: surcharges.map((one) => asNoteAdjustment(original, one)) }),
    ...(stated_taxes && { stated_taxes }),
    ...(construction_credit !== undefined && { construction_credit }),
  }
}

/** One line that moves no money (SII, Formato DTE v2.4.2: a note with CodRef 2 carries amounts of zero). */
function textCorrection(original: Original, { reason, items }: Correction): Partial<DteDraft> {
  if (items) return { items: items.map((one) => asNoteLine(original, one)) }
  if (reason === undefined) {
    throw invalidField('reason', 'a note that corrects text says what it corrects: "Donde dice … debe decir …".')
  }
  return { items: [asNoteLine(original, { description: TEXT_LINE, detail: reason, unit_price: 0 })] }
}

/** A note of a factura de compra withholds by the codes of its original, or the seller would be paid twice the IVA. */
function withheld(original: Original, item: Item, index: number): Item {
  if (original.tipo_dte !== TIPO.factura_de_compra || item.exempt === true || item.billing !== undefined) return item
  const codes = new Set(
    original.draft.items.map(({ additional_tax }) => additional_tax).filter((one) => one !== undefined),
  )
  if (item.additional_tax === undefined && codes.size === 1) return { ...item, additional_tax: [...codes][0] }
  if (item.additional_tax !== undefined && codes.has(item.additional_tax)) return item
  const reason = `it must be one the original withholds by: ${[...codes].join(', ')}.`
  throw invalidField(`items[${index}].additional_tax`, reason)
}

function amountCorrection(original: Original, { items }: Correction): Partial<DteDraft> {
  if (!items) throw invalidField('items', 'a note that corrects amounts carries the difference as lines.')
  const { taxed } = tipo(original.tipo_dte)
  const lines = mapOrRefuse(items, (item, index) => {
    if (!taxed && item.exempt === false) {
      throw invalidField(`items[${index}].exempt`, `a tipo ${original.tipo_dte} has no line with IVA to correct.`)
    }
    return withheld(original, asNoteLine(original, item), index)
  })
  return { items: lines }
}

const LINES_OF = { 1: annulment, 2: textCorrection, 3: amountCorrection } as const

function reasonOf(original: Original, { code, reason }: Correction): string | undefined {
  if (reason !== undefined) return reason
  if (code === 1) return annulsReason(original)
  return code === 3 ? amountsReason(original) : undefined
}

function isTooLate({ tipo_dte, issue_date }: Original, code: number, today: string): boolean {
  return isLateNota({ tipo: tipo_dte, issue_date }, { code, issue_date: today })
}

/** Keeps whether `unit_price` includes IVA, so that a boleta's note splits to the same net. */
function pricesOf({ tipo_dte, draft }: Original): Partial<DteDraft> {
  const { taxed, prices } = tipo(tipo_dte)
  return taxed && (draft.gross_prices ?? prices === 'gross') ? { gross_prices: true } : {}
}

/** The receptor of the original. The address book and the other sources complete it. */
function receptorOf({ draft }: Original): Partial<DteDraft['receptor']> {
  const { rut, legal_name, giro, address, email, contact, code, foreign } = draft.receptor
  return { rut, legal_name, giro, address, email, contact, code, foreign }
}

/** Builds the nota de crédito over a document, as if the caller had written it out for POST /documents. */
export function buildCreditNote(original: Original, correction: Correction, today: string): CreateDocument {
  const { tipo_dte, folio, issue_date, draft } = original
  const { sale_type, purchase_type } = draft
  const reference = { tipo_dte, folio, date: issue_date, code: correction.code, reason: reasonOf(original, correction) }
  const note = {
    tipo_dte: NOTE,
    receptor: receptorOf(original),
    ...LINES_OF[correction.code](original, correction),
    ...pricesOf(original),
    ...(sale_type !== undefined && { sale_type }),
    ...(purchase_type !== undefined && { purchase_type }),
    ...(isTooLate(original, correction.code, today) && { no_debit_reduction: true }),
    references: [reference],
  }
  // Written as JSON, an absent field and one that is undefined are the same.
  return note as CreateDocument
}
