import { completeDraft, type DteDraft, type Emisor, type Item, type Receptor, type Reference } from '@timbre/dte/draft'
import type { TipoDte } from '@timbre/dte/values'
import type { Case, CaseItem, Section } from '../set/set.ts'
import { itemsOfNote } from './notes.ts'
import type { PlannedDocument } from './plan.ts'
import { PlanProblem } from './problem.ts'

/** IVA that the buyer withholds in full, in facturas de compra and their notes. */
export const FULL_WITHHOLDING = 15
const MAX_RECEPTOR_GIRO = 40

export interface DocumentContext {
  readonly emisor: Emisor
  readonly issue_date: string
  /** For the documents of the section that are no notes, in their order. */
  readonly receptores: readonly Receptor[]
  readonly nextFolio: (tipo_dte: TipoDte) => number
}

/** One document for each case of a section, each after the one that it refers to. */
export function planDocuments(section: Section, context: DocumentContext): readonly PlannedDocument[] {
  const planned = new Map<string, PlannedDocument>()
  const waiting_receptores = [...context.receptores]
  for (const asked of inOrder(section.cases)) {
    const original = asked.reference === undefined ? undefined : planned.get(asked.reference.case_id)
    const draft = draftOf(asked, original, context, () => receptorOf(asked, original, waiting_receptores, context))
    planned.set(asked.id, complete(asked, draft, context.nextFolio(asked.tipo_dte)))
  }
  return [...planned.values()]
}

export function complete(asked: Case, draft: DteDraft, folio: number): PlannedDocument {
  try {
    return { case_id: asked.id, case_number: asked.number, line: asked.line, dte: completeDraft(draft, folio) }
  } catch (failure) {
    if (!(failure instanceof RangeError)) throw failure
    throw new PlanProblem(asked.line, asked.label, 'Its amounts are more than a document can carry.')
  }
}

/** The order of the set, but a case that refers to a later one waits for it. The reader refused circles. */
export function inOrder(cases: readonly Case[]): readonly Case[] {
  const by_id = new Map(cases.map((asked) => [asked.id, asked]))
  const ordered = new Set<Case>()
  const place = (asked: Case): void => {
    if (ordered.has(asked)) return
    const original = by_id.get(asked.reference?.case_id ?? '')
    if (original !== undefined) place(original)
    ordered.add(asked)
  }
  cases.forEach(place)
  return [...ordered]
}

/** How many distinct receptores a section needs: one for each document that is no note and no internal transfer. */
export function receptoresNeeded({ cases }: Section): number {
  return cases.filter(({ reference, transfer }) => reference === undefined && transfer?.transfer_type !== 5).length
}

function receptorOf(
  { transfer }: Case,
  original: PlannedDocument | undefined,
  waiting: Receptor[],
  { emisor }: DocumentContext,
): Receptor {
  if (original !== undefined) return original.dte.receptor
  if (transfer?.transfer_type !== 5) return waiting.shift() as Receptor
  // Goods that move between warehouses of the emisor have it at both ends.
  const { rut, legal_name, giro, address } = emisor
  return { rut, legal_name, giro: giro?.slice(0, MAX_RECEPTOR_GIRO), address }
}

function draftOf(
  asked: Case,
  original: PlannedDocument | undefined,
  { emisor, issue_date }: DocumentContext,
  receptor: () => Receptor,
): DteDraft {
  const { tipo_dte, transfer, dispatch } = asked
  const discounts = original === undefined ? globalDiscounts(asked) : discountsOfNote(asked, original)
  return {
    tipo_dte,
    issue_date,
    emisor,
    receptor: receptor(),
    items: original === undefined ? asked.items.map((item) => itemOf(item, tipo_dte)) : itemsOfNote(asked, original),
    ...(discounts === undefined ? {} : { discounts }),
    references: referencesOf(asked, original, issue_date),
    ...(transfer === undefined
      ? {}
      : { dispatch: { transfer_type: transfer.transfer_type, dispatch_type: dispatch?.dispatch_type } }),
    ...(tipo_dte === 33 || tipo_dte === 34 ? { payment: { form: 'credit' as const } } : {}),
  }
}

export function itemOf(item: CaseItem, tipo_dte: TipoDte): Item {
  return {
    description: item.name,
    quantity: item.quantity,
    unit: item.unit,
    unit_price: item.unit_price,
    ...(item.discount_percent === undefined ? {} : { discount: { percent: item.discount_percent } }),
    ...(item.exempt ? { exempt: true } : {}),
    ...(tipo_dte === 46 && !item.exempt ? { additional_tax: FULL_WITHHOLDING } : {}),
  }
}

function globalDiscounts({ global_discounts }: Case): DteDraft['discounts'] {
  if (global_discounts.length === 0) return undefined
  return global_discounts.map(({ percent }) => ({ percent, applies_to: 'taxed' as const, reason: 'Descuento global' }))
}

/** What is annulled or given back had the discounts of its original. */
function discountsOfNote({ reference }: Case, { dte }: PlannedDocument): DteDraft['discounts'] {
  return reference?.code === 2 ? undefined : dte.discounts?.map(({ applied: _, ...discount }) => discount)
}

/** The set first, then the document of the other case (SII, manual of certification). */
function referencesOf(
  { id, label, reference }: Case,
  original: PlannedDocument | undefined,
  date: string,
): Reference[] {
  const set: Reference = { document_type: 'SET', folio: id, date, reason: label }
  if (reference === undefined || original === undefined) return [set]
  const { tipo_dte, folio, issue_date } = original.dte
  return [set, { tipo_dte, folio, date: issue_date, code: reference.code, reason: reference.reason }]
}
