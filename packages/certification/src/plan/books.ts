import type { GuiaEntry, LibroEntry } from '@timbre/dte'
import type { Receptor } from '@timbre/dte/draft'
import { ivaOn } from '@timbre/dte/values'
import type { PurchaseRow, PurchaseUse, Section } from '../set/set.ts'
import { FULL_WITHHOLDING } from './documents.ts'
import type { PlanInputs } from './inputs.ts'
import type { PlannedDocument } from './plan.ts'
import { PlanProblem } from './problem.ts'

/** FolioNotificacion of each book in certification; that of the guías is (unverified). */
export const NOTIFICATION = { libro_ventas: 1, libro_compras: 2, libro_guias: 3 } as const

const MAX_NAME = 50

/** A line of the sales book for each document of the set. */
export function salesEntries(documents: readonly PlannedDocument[]): readonly LibroEntry[] {
  return documents.map(({ dte: { tipo_dte, folio, issue_date, receptor, totals } }) => ({
    tipo_doc: tipo_dte,
    folio,
    ...((totals.net ?? 0) > 0 ? { iva_rate: ivaOn(issue_date) } : {}),
    date: issue_date,
    rut: receptor.rut,
    ...(receptor.legal_name === undefined ? {} : { legal_name: receptor.legal_name.slice(0, MAX_NAME) }),
    ...((totals.exempt ?? 0) > 0 ? { exempt: totals.exempt as number } : {}),
    ...((totals.net ?? 0) > 0 ? { net: totals.net as number, iva: totals.iva as number } : {}),
    total: totals.total,
  }))
}

/** CodIVANoRec of what a supplier gave for free. */
export const FREE_DELIVERY = 4

/** A line of the purchases book for each row of the set; the suppliers are whoever the taxpayer named. */
export function purchaseEntries(section: Section, suppliers: readonly Receptor[], date: string): readonly LibroEntry[] {
  const originals = section.purchases.filter(({ corrects }) => corrects === undefined)
  return section.purchases.map((row) => {
    const original = row.corrects === undefined ? row : correctedRow(section, row)
    const supplier = suppliers[originals.indexOf(original) % suppliers.length] as Receptor
    return purchaseEntry(row, original.use, supplier, date)
  })
}

/** A note has the supplier of what it corrects, and its IVA is used in the same way. */
export function correctedRow(section: Section, row: PurchaseRow): PurchaseRow {
  const { tipo_doc, folio } = row.corrects ?? row
  const original = section.purchases.find(
    (other) => other.corrects === undefined && other.tipo_doc === tipo_doc && other.folio === folio,
  )
  if (original === undefined) throw new PlanProblem(row.line, row.observation, 'The book has no such document.')
  return original
}

function purchaseEntry(row: PurchaseRow, use: PurchaseUse, supplier: Receptor, date: string): LibroEntry {
  const rate = ivaOn(date)
  const iva = Math.floor((row.taxed * rate + 50) / 100)
  const head: Omit<LibroEntry, 'total'> = {
    tipo_doc: row.tipo_doc,
    folio: row.folio,
    ...(row.taxed > 0 ? { iva_rate: rate } : {}),
    date,
    rut: supplier.rut,
    ...(supplier.legal_name === undefined ? {} : { legal_name: supplier.legal_name.slice(0, MAX_NAME) }),
    ...(row.exempt > 0 ? { exempt: row.exempt } : {}),
    ...(row.taxed > 0 ? { net: row.taxed } : {}),
  }
  const total = row.exempt + row.taxed + iva
  switch (use) {
    // IVA that gives no credit, or only a share of it, is not part of MntIVA (SII, Formato IECV).
    case 'common_use':
      return { ...head, iva_common_use: iva, total }
    case 'free_delivery':
      return { ...head, iva_not_recoverable: [{ code: FREE_DELIVERY, amount: iva }], total }
    // The buyer keeps all of the IVA: it is credit, it is withheld, and the seller gets the rest.
    case 'full_withholding':
      return { ...head, iva, taxes: [{ code: FULL_WITHHOLDING, rate, amount: iva }], total: total - iva }
    default:
      return { ...head, ...(row.taxed > 0 ? { iva } : {}), total }
  }
}

/** A line of the book of guías for each guía, with what the set says of it. */
export function guiaEntries(
  section: Section,
  guias: readonly PlannedDocument[],
  invoice: PlanInputs['invoiced_guia'],
): readonly GuiaEntry[] {
  for (const { case_number, line } of section.guia_marks) {
    if (!guias.some((guia) => guia.case_number === case_number))
      throw new PlanProblem(line, `CASO ${case_number}`, 'The set of guías has no such case.')
  }
  return guias.map(({ case_number, dte: { folio, issue_date, receptor, totals, dispatch } }) => {
    const marks = section.guia_marks.filter((mark) => mark.case_number === case_number).map(({ mark }) => mark)
    return {
      folio,
      // It had reached the SII when it was annulled.
      ...(marks.includes('annulled') ? { annulled: 'after' as const } : {}),
      transfer_type: dispatch?.transfer_type ?? 0,
      date: issue_date,
      rut: receptor.rut,
      ...(receptor.legal_name === undefined ? {} : { legal_name: receptor.legal_name.slice(0, MAX_NAME) }),
      ...((totals.net ?? 0) > 0
        ? { net: totals.net as number, iva_rate: ivaOn(issue_date), iva: totals.iva as number, total: totals.total }
        : {}),
      ...(marks.includes('invoiced') && invoice !== undefined ? { reference: invoice } : {}),
    }
  })
}
