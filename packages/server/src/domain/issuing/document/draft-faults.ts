import { type Circumstances, checkDraft, type DteDraft } from '@timbre/dte/draft'
import { Problem } from '../../../kernel/problem.ts'
import { unpricedLines } from './defaults.ts'

/** Any text that is long enough: it is judged, and never kept. */
const STAND_IN = 'Falta'

/** As if nothing lacked in the receptor, so that what is wrong beside it can be told in the same answer. */
function completed({ receptor, ...draft }: DteDraft): DteDraft {
  const { street = STAND_IN, comuna = STAND_IN, city } = receptor.address ?? {}
  const { legal_name = STAND_IN, giro = STAND_IN } = receptor
  return { ...draft, receptor: { ...receptor, legal_name, giro, address: { street, comuna, city } } }
}

/** The same for references that could not be resolved: an order of purchase is right in any document. */
function withReferences(draft: DteDraft, wrong: readonly string[]): DteDraft {
  const references = draft.references?.map((one, index) =>
    wrong.includes(`references[${index}]`)
      ? { document_type: '801', folio: '1', date: draft.issue_date, code: one.code }
      : one,
  )
  return references ? { ...draft, references } : draft
}

const isUnder = (path: string, place: string) => path === place || path.startsWith(`${place}.`)

/** `references[2].folio` -> `references[2]`. */
const memberOf = (param: string) => param.slice(0, param.indexOf(']') + 1)

/** What follows from the amounts of all lines: it says nothing while a price is missing. */
const SUMS = /^(items$|discounts|surcharges)/

/** What the empresa itself lacks is no fault of the request. */
function problemOf({ path, message }: { readonly path: string; readonly message: string }): Problem {
  if (!path.startsWith('emisor.')) return new Problem('invalid_field', { param: path, message })
  const field = path.slice('emisor.'.length)
  return new Problem('empresa_incomplete', { message: `The empresa has no ${field}.`, details: { field } })
}

interface Found {
  readonly receptor: readonly Problem[]
  readonly references: readonly Problem[]
}

/**
 * Everything wrong with a draft by the caller's own fields, in the order in which it would be refused one by one: what was
 * `found` while it was put together, lines without a price, and what the engine refuses beside them.
 */
export function draftFaults(
  draft: DteDraft,
  circumstances: Circumstances,
  found: Found = { receptor: [], references: [] },
): readonly Problem[] {
  const unpriced = unpricedLines(draft)
  const incomplete = found.receptor.length > 0
  const members = [...found.references, ...unpriced].map(({ facts }) => memberOf(facts.param ?? ''))
  const follows = (path: string) =>
    members.some((member) => isUnder(path, member)) ||
    (unpriced.length > 0 && SUMS.test(path)) ||
    (incomplete && path === 'receptor.rut')
  const whole = incomplete ? completed(draft) : draft
  const judged = checkDraft(found.references.length > 0 ? withReferences(whole, members) : whole, circumstances)
  const beside = judged.filter(({ path }) => !follows(path))
  return [...found.receptor, ...found.references, ...unpriced, ...beside.map(problemOf)]
}
