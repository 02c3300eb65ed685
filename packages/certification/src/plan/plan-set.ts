import type { Emisor, Receptor } from '@timbre/dte/draft'
import { periodOf } from '@timbre/dte/values'
import type { CertificationSet, NotUnderstood, Section, SectionKind } from '../set/set.ts'
import { planBoletas, summarise } from './boletas.ts'
import { guiaEntries, NOTIFICATION, purchaseEntries, salesEntries } from './books.ts'
import { type DocumentContext, planDocuments } from './documents.ts'
import { folioDispenser, type PlanInputs } from './inputs.ts'
import { missingInputs } from './missing.ts'
import type { NotBuilt, Plan, PlannedDocument, PlanStep, StepSection } from './plan.ts'
import { PlanProblem } from './problem.ts'

/** The order that the SII accepts: a book is refused until the set that it is made of was approved. */
export const SECTION_ORDER: readonly StepSection[] = [
  'basico',
  'guias',
  'exenta',
  'compra',
  'libro_ventas',
  'libro_compras',
  'libro_guias',
  'boletas',
]

/**
 * The documents that a book is made of: those of the basic set, or of facturas exentas for whoever has no other. Purchases are of
 * the month of those sales, also where their book is made again later.
 */
const BOOKS: Readonly<Partial<Record<SectionKind, readonly SectionKind[]>>> = {
  libro_ventas: ['basico', 'exenta'],
  libro_compras: ['basico', 'exenta'],
  libro_guias: ['guias'],
}

/** Everything that a set asks for, each case literally, in the order in which it is sent. */
export function planSet(set: CertificationSet, inputs: PlanInputs): Plan {
  const not_built = set.sections.filter((section) => !isBuildable(section)).map((section) => leaveOut(section))
  const sections = set.sections
    .filter(isBuildable)
    .sort((one, other) => SECTION_ORDER.indexOf(one.kind) - SECTION_ORDER.indexOf(other.kind))
  const to_build = sections.filter((section) => keptOf(section, inputs).length === 0)
  const missing = missingInputs(to_build, inputs)
  const head = {
    emisor_rut: inputs.emisor?.rut ?? '',
    resolucion: { date: inputs.resolucion_date ?? '', number: 0 },
    missing,
  }
  if (missing.length > 0) return { ...head, steps: [], not_built }
  const builder = new Builder(inputs)
  for (const section of sections) {
    try {
      builder.add(section)
    } catch (failure) {
      if (!(failure instanceof PlanProblem)) throw failure
      not_built.push(leaveOut(section, { line: failure.line, text: failure.text, why: failure.message }))
    }
  }
  return { ...head, steps: builder.steps, not_built }
}

function keptOf({ kind, attention }: Section, { kept = [] }: PlanInputs): readonly PlanStep[] {
  return kept.filter((step) => step.section === kind && step.attention === attention)
}

function isBuildable({ kind, not_understood }: Section): boolean {
  return SECTION_ORDER.includes(kind) && not_understood.length === 0
}

function leaveOut({ kind, title, attention, line, not_understood }: Section, problem?: NotUnderstood): NotBuilt {
  return { kind, title, attention, line, reasons: problem === undefined ? not_understood : [problem] }
}

class Builder {
  readonly steps: PlanStep[] = []
  readonly #inputs: PlanInputs
  readonly #context: DocumentContext
  readonly #documents = new Map<SectionKind, readonly PlannedDocument[]>()

  /** Nothing is missing any more. */
  constructor(inputs: PlanInputs) {
    this.#inputs = inputs
    this.#context = {
      emisor: inputs.emisor as Emisor,
      issue_date: inputs.issue_date as string,
      receptores: inputs.receptores ?? [],
      nextFolio: folioDispenser(inputs.folios),
    }
  }

  add(section: Section) {
    const kept = keptOf(section, this.#inputs)
    if (kept.length > 0) return this.#keep(section, kept)
    const head = { section: section.kind, attention: section.attention }
    const context = this.#contextOf(section)
    const period = this.#inputs.book_periods?.[section.kind] ?? periodOf(context.issue_date)
    const book = { emisor_rut: context.emisor.rut, period }
    const special = { kind: 'ESPECIAL', delivery: 'TOTAL' } as const
    switch (section.kind) {
      case 'libro_ventas': {
        const entries = salesEntries(this.#soldDocuments(section))
        const sales = {
          ...book,
          ...special,
          operation: 'VENTA',
          notification_number: NOTIFICATION.libro_ventas,
        } as const
        return this.#push({ ...head, step: 'book', book: { ...sales, entries } })
      }
      case 'libro_compras': {
        const entries = purchaseEntries(section, context.receptores as readonly Receptor[], context.issue_date)
        const factor = section.common_use_factor ?? this.#inputs.common_use_factor
        const bought = {
          ...book,
          ...special,
          operation: 'COMPRA',
          notification_number: NOTIFICATION.libro_compras,
        } as const
        const common = factor === undefined ? {} : { common_use_factor: factor }
        return this.#push({ ...head, step: 'book', book: { ...bought, ...common, entries } })
      }
      case 'libro_guias': {
        const entries = guiaEntries(section, this.#documentsOf('guias', section), this.#invoice())
        const notification_number = NOTIFICATION.libro_guias
        return this.#push({ ...head, step: 'guia_book', book: { ...book, notification_number, entries } })
      }
      case 'boletas': {
        const { boletas, notes } = planBoletas(section, context)
        this.#push({ ...head, step: 'envelope', documents: boletas })
        if (notes.length > 0) this.#push({ ...head, step: 'envelope', documents: notes })
        const rvd = { emisor_rut: book.emisor_rut, date: context.issue_date, sequence: 1 }
        return this.#push({ ...head, step: 'rvd', rvd: { ...rvd, summaries: summarise([...boletas, ...notes]) } })
      }
      default: {
        const documents = planDocuments(section, context)
        this.#documents.set(section.kind, documents)
        return this.#push({ ...head, step: 'envelope', documents })
      }
    }
  }

  /** A book is of the month of the documents that it is made of, unless another period is given for it. */
  #contextOf({ kind }: Section): DocumentContext {
    const made_of = BOOKS[kind]?.find((one) => this.#documents.has(one))
    const [first] = (made_of && this.#documents.get(made_of)) ?? []
    return { ...this.#context, issue_date: first?.dte.issue_date ?? this.#context.issue_date }
  }

  #keep(section: Section, kept: readonly PlanStep[]): void {
    const documents = kept.flatMap((step) => (step.step === 'envelope' ? step.documents : []))
    if (documents.length > 0) this.#documents.set(section.kind, documents)
    for (const step of kept) this.#push(step)
  }

  #push(step: PlanStep): void {
    this.steps.push(step)
  }

  /** The basic set, and that of facturas exentas for whoever has no basic one. */
  #soldDocuments(section: Section): readonly PlannedDocument[] {
    return this.#documents.get('basico') ?? this.#documentsOf('exenta', section)
  }

  #documentsOf(kind: SectionKind, { line, title }: Section): readonly PlannedDocument[] {
    const documents = this.#documents.get(kind)
    if (documents === undefined) throw new PlanProblem(line, title, 'The set that this book is made of was not built.')
    return documents
  }

  #invoice(): PlanInputs['invoiced_guia'] {
    const factura = this.#documents.get('basico')?.find(({ dte }) => dte.tipo_dte === 33)?.dte
    if (this.#inputs.invoiced_guia !== undefined || factura === undefined) return this.#inputs.invoiced_guia
    return { tipo_doc: factura.tipo_dte, folio: factura.folio, date: factura.issue_date }
  }
}
