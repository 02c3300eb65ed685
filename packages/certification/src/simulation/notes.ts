import type { Dte, DteDraft, Item, Reference } from '@timbre/dte/draft'
import type { SimulatedDocument } from './business.ts'
import { isFit } from './originals.ts'

/** What a note has in common with the document that it corrects. */
function noteOn(tipo_dte: 56 | 61, dte: Dte, items: readonly Item[], code: 1 | 3, reason: string): DteDraft {
  const { issue_date, emisor, receptor, gross_prices } = dte
  const corrected: Reference = { tipo_dte: dte.tipo_dte, folio: dte.folio, date: issue_date, code, reason }
  return {
    tipo_dte,
    issue_date,
    emisor,
    receptor,
    items,
    ...(gross_prices === true ? { gross_prices } : {}),
    references: [corrected],
  }
}

/** Lines as they were; what a factura exenta need not say of its lines, a note says. */
function linesOf({ tipo_dte, items }: Dte): readonly Item[] {
  return items.map(({ amount: _, discount_amount: _d, surcharge_amount: _s, ...item }) =>
    tipo_dte === 34 ? { ...item, exempt: true } : item,
  )
}

/** Half of what the first line sold; null where that is no whole number of anything. */
function partialReturn(dte: Dte): DteDraft | null {
  const [first] = linesOf(dte)
  const half = Math.floor((first?.quantity ?? 1) / 2)
  if (first === undefined || half < 1) return null
  const draft = noteOn(61, dte, [{ ...first, quantity: half }], 3, 'DEVOLUCION PARCIAL')
  return isFit(draft) ? draft : null
}

export interface PlannedNote {
  readonly draft: DteDraft
  readonly on: SimulatedDocument
}

/** Notas de crédito, each over a document of its own: part of one comes back, the others are annulled. No amount is made up. */
export function creditNotes(originals: readonly SimulatedDocument[], count: number): readonly PlannedNote[] {
  const returned = originals.find(({ dte }) => partialReturn(dte) !== null)
  const ordered = returned === undefined ? originals : [returned, ...originals.filter((one) => one !== returned)]
  return ordered.slice(0, count).map((on, index) => ({
    draft: (index === 0 ? partialReturn(on.dte) : null) ?? noteOn(61, on.dte, linesOf(on.dte), 1, 'ANULA DOCUMENTO'),
    on,
  }))
}

/** Notas de débito annul notas de crédito; where there is none, they charge one more of a first line, at its price. */
export function debitNotes(corrected: readonly SimulatedDocument[], count: number): readonly PlannedNote[] {
  const correctable = corrected.filter(({ dte }) => dte.tipo_dte !== 52)
  return correctable.slice(0, count).map((on) => {
    const lines = linesOf(on.dte)
    if (on.dte.tipo_dte === 61) return { draft: noteOn(56, on.dte, lines, 1, 'ANULA NOTA DE CREDITO ELECTRONICA'), on }
    const one_more = lines.slice(0, 1).map((item) => ({ ...item, quantity: Math.min(1, item.quantity ?? 1) }))
    return { draft: noteOn(56, on.dte, one_more, 3, 'DIFERENCIA DE CANTIDAD'), on }
  })
}
