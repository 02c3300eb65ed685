import type { LibroEntry } from '@timbre/dte'
import { ivaOn } from '@timbre/dte/values'
import { NOTIFICATION } from '../plan/books.ts'
import type { PlanStep } from '../plan/plan.ts'
import type { PurchaseRow, Section } from '../set/set.ts'
import type { Facts, PlannedCase } from './facts.ts'
import { type Complaint, IECV, MANUAL, ofStep, type Rule } from './rule.ts'

type Step<Name extends PlanStep['step']> = Extract<PlanStep, { step: Name }>

/** Books and the RVD square with the documents and with the rows of the set, to the peso. */
export const BOOK_RULES: readonly Rule[] = [
  {
    id: 'special_book',
    sentence: 'Books are ESPECIAL and TOTAL, with FolioNotificacion 1 for sales and 2 for purchases, of the emisor.',
    source: MANUAL,
    check: ({ plan }) => plan.steps.flatMap((step) => specialBook(step, plan.emisor_rut)),
  },
  {
    id: 'sales_book_squares',
    sentence: 'The sales book has every document of the set it is made of, once, with its amounts.',
    source: `${IECV}; LOK`,
    check: (facts) => books(facts, 'libro_ventas').flatMap((step) => salesSquare(step, facts)),
  },
  {
    id: 'purchases_book_squares',
    sentence:
      'The purchases book has every row of the set, its IVA used as the row says, and the factor of common use.',
    source: IECV,
    check: (facts) =>
      books(facts, 'libro_compras').flatMap((step) => purchasesSquare(step, facts.sectionOf(step) as Section)),
  },
  {
    id: 'guia_book_squares',
    sentence:
      'The book of guías has every guía with its amounts; the invoiced one names its factura, the annulled one says so.',
    source: 'LibroGuia_v10.xsd; considerations of the set',
    check: (facts) => facts.plan.steps.flatMap((step) => (step.step === 'guia_book' ? guiasSquare(step, facts) : [])),
  },
  {
    id: 'rvd_squares',
    sentence: 'The RVD has every boleta and every note about one, by tipo.',
    source: 'ConsumoFolio_v10.xsd; the certification of boletas asks for it',
    check: (facts) => facts.plan.steps.flatMap((step) => (step.step === 'rvd' ? rvdSquares(step, facts) : [])),
  },
]

function books({ plan, sectionOf }: Facts, kind: 'libro_ventas' | 'libro_compras'): readonly Step<'book'>[] {
  return plan.steps.filter(
    (step): step is Step<'book'> => step.step === 'book' && step.section === kind && sectionOf(step) !== undefined,
  )
}

function specialBook(step: PlanStep, emisor_rut: string): readonly Complaint[] {
  if (step.step === 'envelope') return []
  const complaints: string[] = []
  const { emisor_rut: found } = step.step === 'rvd' ? step.rvd : step.book
  if (found !== emisor_rut) complaints.push(`It is of ${found}, not of ${emisor_rut}.`)
  if (step.step !== 'rvd') {
    const wanted = NOTIFICATION[step.section as keyof typeof NOTIFICATION]
    const { notification_number } = step.book
    if (notification_number !== wanted)
      complaints.push(`FolioNotificacion is ${notification_number ?? 'absent'}, not ${wanted}.`)
  }
  if (step.step === 'book' && (step.book.kind !== 'ESPECIAL' || (step.book.delivery ?? 'TOTAL') !== 'TOTAL'))
    complaints.push('The book is not ESPECIAL and TOTAL.')
  return complaints.map((message) => ofStep(step, message))
}

const AMOUNTS = ['net', 'exempt', 'iva', 'total'] as const

function salesSquare(step: Step<'book'>, { documents }: Facts): readonly Complaint[] {
  const of = (kind: string) => documents.filter((document) => document.step.section === kind)
  const sold = of('basico').length > 0 ? of('basico') : of('exenta')
  const entries = [...step.book.entries]
  const unmatched = sold.flatMap(({ dte, planned }) => {
    const at = entries.findIndex(({ tipo_doc, folio }) => tipo_doc === dte.tipo_dte && folio === dte.folio)
    const [entry] = at < 0 ? [] : entries.splice(at, 1)
    const name = `The ${dte.tipo_dte} with folio ${dte.folio} (case ${planned.case_id})`
    if (entry === undefined) return [ofStep(step, `${name} is not in the book.`, planned.line)]
    return AMOUNTS.filter((part) => (entry[part] ?? 0) !== (dte.totals[part] ?? 0)).map((part) =>
      ofStep(step, `${name} has a ${part} of ${dte.totals[part] ?? 0}; the book, ${entry[part] ?? 0}.`, planned.line),
    )
  })
  return [
    ...unmatched,
    ...entries.map((entry) => ofStep(step, `The book has a ${nameOf(entry)} that no case asks for.`)),
  ]
}

const nameOf = ({ tipo_doc, folio }: Pick<LibroEntry, 'tipo_doc' | 'folio'>) => `${tipo_doc} with folio ${folio}`

function purchasesSquare({ book, ...step }: Step<'book'>, section: Section): readonly Complaint[] {
  const complain = (message: string, line: number | null) => ofStep({ ...step, book }, message, line)
  const complaints: Complaint[] = []
  if (book.entries.length !== section.purchases.length)
    complaints.push(
      complain(`The book has ${book.entries.length} rows, not ${section.purchases.length}.`, section.line),
    )
  for (const row of section.purchases) {
    const entry = book.entries.find(({ tipo_doc, folio }) => tipo_doc === row.tipo_doc && folio === row.folio)
    if (entry === undefined) complaints.push(complain(`The ${nameOf(row)} is not in the book.`, row.line))
    else
      for (const part of strangeParts(row, entry, section))
        complaints.push(complain(`The ${nameOf(row)} has another ${part}.`, row.line))
  }
  const common = book.entries.some(({ iva_common_use = 0 }) => iva_common_use > 0)
  const factor = section.common_use_factor ?? book.common_use_factor
  if (common && (factor === undefined || book.common_use_factor !== factor))
    complaints.push(complain('The factor of common use is not that of the set.', section.line))
  return complaints
}

/** The amounts of a row worked out once more, by where its IVA goes. */
function strangeParts(row: PurchaseRow, entry: LibroEntry, section: Section): readonly string[] {
  const iva = Math.round((row.taxed * ivaOn(entry.date)) / 100)
  const original = section.purchases.find(
    ({ tipo_doc, folio }) => tipo_doc === row.corrects?.tipo_doc && folio === row.corrects.folio,
  )
  const use = row.use === 'note' ? original?.use : row.use
  const where = { common_use: 'iva_common_use', free_delivery: 'not_recoverable' } as const
  const place = use === 'common_use' || use === 'free_delivery' ? where[use] : 'iva'
  const not_recoverable = (entry.iva_not_recoverable ?? []).filter(({ code }) => code === 4)
  const withheld = (entry.taxes ?? []).filter(({ code }) => code === 15)
  const sum = (parts: readonly { amount: number }[]) => parts.reduce((all, { amount }) => all + amount, 0)
  const kept = use === 'full_withholding' ? iva : 0
  const parts: readonly (readonly [string, number, number])[] = [
    ['exempt amount', row.exempt, entry.exempt ?? 0],
    ['net', row.taxed, entry.net ?? 0],
    ['IVA with credit', place === 'iva' ? iva : 0, entry.iva ?? 0],
    ['IVA of common use', place === 'iva_common_use' ? iva : 0, entry.iva_common_use ?? 0],
    ['IVA that is not recoverable', place === 'not_recoverable' ? iva : 0, sum(not_recoverable)],
    ['IVA withheld', kept, sum(withheld)],
    ['total', row.exempt + row.taxed + iva - kept, entry.total],
  ]
  return parts
    .filter(([, wanted, found]) => wanted !== found)
    .map(([name, wanted, found]) => `${name} (${found}, not ${wanted})`)
}

function guiasSquare(step: Step<'guia_book'>, { documents, sectionOf }: Facts): readonly Complaint[] {
  const guias = documents.filter((document) => document.step.section === 'guias')
  const marks = sectionOf(step)?.guia_marks ?? []
  const complaints: string[] = []
  if (step.book.entries.length !== guias.length)
    complaints.push(`The book has ${step.book.entries.length} guías, not ${guias.length}.`)
  for (const { dte, planned } of guias) {
    const entry = step.book.entries.find(({ folio }) => folio === dte.folio)
    const name = `The guía with folio ${dte.folio} (case ${planned.case_id})`
    const marked = (mark: string) => marks.some((one) => one.case_number === planned.case_number && one.mark === mark)
    if (entry === undefined) complaints.push(`${name} is not in the book.`)
    else {
      if ((entry.total ?? 0) !== dte.totals.total)
        complaints.push(`${name} is of ${dte.totals.total}; the book says ${entry.total ?? 0}.`)
      if (entry.transfer_type !== dte.dispatch?.transfer_type)
        complaints.push(`${name} has another transfer in the book.`)
      if (marked('invoiced') !== (entry.reference !== undefined))
        complaints.push(`${name} does not say whether it was invoiced.`)
      if (marked('annulled') !== (entry.annulled !== undefined))
        complaints.push(`${name} does not say whether it was annulled.`)
    }
  }
  return complaints.map((message) => ofStep(step, message, sectionOf(step)?.line ?? null))
}

function rvdSquares(step: Step<'rvd'>, { documents }: Facts): readonly Complaint[] {
  const of_set = documents.filter((document) => document.step.section === 'boletas')
  const tipos = new Set([
    ...of_set.map(({ dte }) => dte.tipo_dte as number),
    ...step.rvd.summaries.map(({ tipo_dte }) => tipo_dte),
  ])
  return [...tipos].flatMap((tipo_dte) => {
    const issued = of_set.filter(({ dte }) => dte.tipo_dte === tipo_dte)
    const summary = step.rvd.summaries.find((one) => one.tipo_dte === tipo_dte)
    if (summary === undefined) return [ofStep(step, `The RVD has no ${tipo_dte}.`)]
    const folios = (list: readonly number[]) => [...list].sort((one, other) => one - other).join()
    const wrong = AMOUNTS.filter((part) => (summary[part] ?? 0) !== sumOf(issued, part)).map((part) =>
      ofStep(step, `The ${part} of the ${tipo_dte} is ${summary[part] ?? 0}, not ${sumOf(issued, part)}.`),
    )
    return folios(summary.issued) === folios(issued.map(({ dte }) => dte.folio))
      ? wrong
      : [...wrong, ofStep(step, `The folios of the ${tipo_dte} are not those that were issued.`)]
  })
}

function sumOf(documents: readonly PlannedCase[], part: (typeof AMOUNTS)[number]): number {
  return documents.reduce((all, { dte }) => all + (dte.totals[part] ?? 0), 0)
}
