import type { Dte, Reference } from '@timbre/dte/draft'
import type { PlannedCase } from './facts.ts'
import { type Complaint, FORMAT, MANUAL, ofCase, type Rule } from './rule.ts'

/** How documents refer to the set and to each other, and what notes may change. */
export const REFERENCE_RULES: readonly Rule[] = [
  {
    id: 'set_reference_first',
    sentence: 'The first reference of a document names its case: SET, CASO n-n; in boletas, code SET and CASO-n.',
    source: `${MANUAL}; HED-3-211 in boletas`,
    check: ({ documents }) => documents.flatMap(namesItsCase),
  },
  {
    id: 'reference_resolves',
    sentence: 'The second reference of a note is the document of the case that it corrects: tipo, folio and date.',
    source: 'REF-3-750',
    check: ({ documents }) => documents.flatMap(resolves),
  },
  {
    id: 'original_first',
    sentence: 'A document is sent before whatever refers to it.',
    source: 'REF-3-750: the referenced document was not received',
    check: ({ documents }) =>
      documents.flatMap((document) =>
        document.original !== undefined && document.original.place >= document.place
          ? [ofCase(document, `It is sent before case ${document.original.planned.case_id}, which it corrects.`)]
          : [],
      ),
  },
  {
    id: 'reference_code',
    sentence: 'CodRef says what the reason says: ANULA 1, CORRIGE 2, DEVOLUCION or MODIFICA MONTO 3.',
    source: `${FORMAT}, section E`,
    check: ({ documents }) => documents.flatMap(codeAsAsked),
  },
  {
    id: 'text_correction_is_zero',
    sentence: 'A note that corrects text moves no money.',
    source: `${FORMAT}, section E`,
    check: notesOf(2, ({ dte }) =>
      dte.totals.total === 0 && !dte.totals.net ? [] : ['It corrects text and has amounts.'],
    ),
  },
  {
    id: 'annulment_repeats',
    sentence: 'A note that annuls has the amounts of what it annuls.',
    source: `${FORMAT}, section E`,
    check: notesOf(1, ({ dte }, original) => {
      const parts = ['net', 'exempt', 'iva', 'total'] as const
      const wrong = parts.filter((part) => (dte.totals[part] ?? 0) !== (original.totals[part] ?? 0))
      return wrong.map((part) => `Its ${part} is ${dte.totals[part] ?? 0}; it annuls ${original.totals[part] ?? 0}.`)
    }),
  },
  {
    id: 'difference_within_original',
    sentence: 'What a nota de crédito gives back is part of its original, at its price and with its discount.',
    source: `${FORMAT}, section E: only the difference, never above the original`,
    check: notesOf(3, withinOriginal),
  },
]

function namesItsCase(document: PlannedCase): readonly Complaint[] {
  const { asked, dte } = document
  const first: Reference = dte.references?.[0] ?? {}
  const boleta = dte.tipo_dte === 39 || dte.tipo_dte === 41
  const named = boleta ? first.text_code === 'SET' : first.document_type === 'SET' && first.code === undefined
  if (named && first.reason === asked?.label) return []
  return [ofCase(document, `Its first reference is not SET with ${asked?.label ?? 'its case'}.`)]
}

/** The reference to what is corrected: the second one of a set, whose first one names the case. */
const correctionOf = ({ dte, step }: PlannedCase): Reference | undefined =>
  dte.references?.[step.section === 'simulacion' ? 0 : 1]

function resolves(document: PlannedCase): readonly Complaint[] {
  const { asked, original, boleta_note } = document
  const second = correctionOf(document)
  if (asked?.reference === undefined && !boleta_note)
    return second === undefined ? [] : [ofCase(document, 'It refers to a document that its case does not name.')]
  if (original === undefined) return [ofCase(document, 'The document that it corrects is not in the plan.')]
  const { tipo_dte, folio, issue_date } = original.dte
  const same = second?.tipo_dte === tipo_dte && Number(second.folio) === folio && second.date === issue_date
  const line = asked?.reference?.line
  return same
    ? []
    : [ofCase(document, `It does not refer to the ${tipo_dte} with folio ${folio} of ${issue_date}.`, line)]
}

function codeAsAsked(document: PlannedCase): readonly Complaint[] {
  const { asked } = document
  const wanted = asked?.reference?.code
  const found = correctionOf(document)?.code
  return wanted === undefined || wanted === found
    ? []
    : [ofCase(document, `CodRef is ${found ?? 'absent'}, not ${wanted}.`, asked?.reference?.line)]
}

/** A rule over the notes of one code that have their original. */
function notesOf(code: number, judge: (note: PlannedCase, original: Dte) => readonly string[]): Rule['check'] {
  return ({ documents }) =>
    documents.flatMap((document) =>
      document.original !== undefined && correctionOf(document)?.code === code
        ? judge(document, document.original.dte).map((message) => ofCase(document, message))
        : [],
    )
}

function withinOriginal({ dte, asked, boleta_note }: PlannedCase, original: Dte): readonly string[] {
  const complaints: string[] = []
  // A nota de débito adds to its original and may come to more than it.
  if (dte.tipo_dte === 61 && dte.totals.total > original.totals.total)
    complaints.push(`Its total is ${dte.totals.total}, above ${original.totals.total} of its original.`)
  if (boleta_note) return complaints
  for (const [index, line] of dte.items.entries()) {
    const source = original.items.find(({ description }) => description === line.description)
    const given_price = asked?.items[index]?.unit_price !== undefined
    if (source === undefined) complaints.push(`Its original has no ${line.description}.`)
    else if ((line.quantity ?? 1) > (source.quantity ?? 1))
      complaints.push(`It gives back more of ${line.description} than there was.`)
    else if (!given_price && line.unit_price !== source.unit_price)
      complaints.push(`${line.description} has another price than in its original.`)
    else if (!given_price && line.discount?.percent !== source.discount?.percent)
      complaints.push(`${line.description} has another discount than in its original.`)
  }
  const percents = (of: Dte) => (of.discounts ?? []).map(({ percent }) => percent).join()
  if (percents(dte) !== percents(original)) complaints.push('It does not have the global discount of its original.')
  return complaints
}
