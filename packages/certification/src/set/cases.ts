import type { TipoDte } from '@timbre/dte/values'
import { type Columns, readColumns, readItem } from './items.ts'
import { caseDocument, isExport } from './names.ts'
import type { SectionDraft } from './section.ts'
import type { Case, CaseItem, CaseReference, GlobalDiscount } from './set.ts'
import { isRule, type Line, readPercent, restoreLetters } from './text.ts'
import { dispatchType, referenceCode, transferType } from './words.ts'

const MAX_CASES = 100
const MAX_ITEMS = 60
const NOTES: readonly TipoDte[] = [56, 61]

/** A case while it is read. */
interface Draft {
  readonly heading: Line
  readonly id: string
  readonly number: number
  tipo_dte?: TipoDte
  columns?: Columns
  readonly items: CaseItem[]
  readonly global_discounts: GlobalDiscount[]
  reference?: Omit<CaseReference, 'code' | 'reason'>
  reason?: string
  motive?: string
  carried_by?: string
}

const HEADING = /^CASO (\d{1,12})-(\d{1,4})$/

/** `CASO 414175-1`: the set's number of attention and the number of the case. */
export function readHeading({ folded }: Line): { attention: string; number: number; id: string } | null {
  const found = HEADING.exec(folded)
  return found === null
    ? null
    : { attention: found[1] ?? '', number: Number(found[2]), id: `${found[1]}-${Number(found[2])}` }
}

/** The cases of a section, one after the other. A line that no rule reads is refused, never skipped. */
export function readCases(section: SectionDraft): void {
  let open: Draft | null = null
  for (const line of section.lines) {
    const heading = readHeading(line)
    if (heading !== null) {
      if (open !== null) close(section, open)
      open = { heading: line, id: heading.id, number: heading.number, items: [], global_discounts: [] }
    } else if (open !== null) {
      readCaseLine(section, open, line)
    } else if (line.text !== '' && !isRule(line)) {
      readAdvice(section, line)
    }
  }
  if (open !== null) close(section, open)
  checkReferences(section)
  if (section.cases.length === 0) section.refuse(titleOf(section), 'The section has no case.')
}

const titleOf = ({ line, title }: SectionDraft) => ({ number: line, text: title })

const ADVICE = ['IMPORTANTE:', 'INDICACION:', 'INDICACIONES:']

function readAdvice(section: SectionDraft, line: Line): void {
  if (ADVICE.some((word) => line.folded.startsWith(word))) section.instructions.push(line.text)
  else section.refuse(line, 'It stands before the first case and no rule reads it.')
}

/** The SII repeats what a devolución means anyway: it has the prices of its factura. */
const SAME_PRICES = [
  'LOS PRECIOS UNITARIOS DE LOS ITEMS DEBEN SER LOS MISMOS',
  'EL PRECIO UNITARIO DEL ITEM DEBE SER EL MISMO',
]

function readCaseLine(section: SectionDraft, open: Draft, line: Line): void {
  if (line.text === '') {
    // A table ends with a blank line, once it has a row.
    if (open.items.length > 0) delete open.columns
    return
  }
  if (isRule(line)) return
  const field = fieldOf(line)
  if (field !== null) readField(section, open, line, field)
  else if (line.folded === 'ITEM' || line.folded.startsWith('ITEM CANTIDAD') || line.folded.startsWith('ITEM VALOR'))
    readTable(section, open, line)
  else if (line.folded.startsWith('DESCUENTO GLOBAL')) readGlobalDiscount(section, open, line)
  else if (SAME_PRICES.some((sentence) => line.folded.startsWith(sentence))) return
  else if (open.columns !== undefined) readRow(section, open, line, open.columns)
  else section.refuse(line, 'No rule reads this line of a case.')
}

const FIELDS = ['DOCUMENTO', 'REFERENCIA', 'RAZON REFERENCIA', 'MOTIVO', 'TRASLADO POR'] as const
type Field = { readonly name: (typeof FIELDS)[number]; readonly value: string }

function fieldOf({ text, folded }: Line): Field | null {
  const name = FIELDS.find((field) => folded.startsWith(`${field} `) || folded.startsWith(`${field}:`))
  if (name === undefined) return null
  return { name, value: text.slice(name.length).replace(/^ ?:/, '').trim() }
}

function readField(section: SectionDraft, open: Draft, line: Line, { name, value }: Field) {
  const once = (key: 'reason' | 'motive' | 'carried_by') => {
    const whole = restoreLetters(value)
    if (whole === null) section.refuse(line, 'A letter was lost when the file was saved.')
    else if (open[key] !== undefined) section.refuse(line, 'It is said twice.')
    else open[key] = whole
  }
  if (name === 'DOCUMENTO') return readDocument(section, open, line, value)
  if (name === 'REFERENCIA') return readReference(section, open, line, value)
  return once(name === 'MOTIVO' ? 'motive' : name === 'TRASLADO POR' ? 'carried_by' : 'reason')
}

function readDocument(section: SectionDraft, open: Draft, line: Line, value: string): void {
  const tipo_dte = caseDocument(value)
  if (open.tipo_dte !== undefined) section.refuse(line, 'The document is said twice.')
  else if (tipo_dte === null)
    section.refuse(line, isExport(line.folded) ? 'Export documents are not issued here.' : 'The document is not known.')
  else open.tipo_dte = tipo_dte
}

const CORRESPONDS = ' CORRESPONDIENTE A CASO '

function readReference(section: SectionDraft, open: Draft, line: Line, value: string): void {
  const folded = line.folded
  const at = folded.indexOf(CORRESPONDS)
  const found = at < 0 ? null : /^(\d{1,12})-(\d{1,4})$/.exec(folded.slice(at + CORRESPONDS.length))
  const tipo_dte = at < 0 ? null : caseDocument(value.slice(0, value.toUpperCase().indexOf(CORRESPONDS)))
  if (open.reference !== undefined) section.refuse(line, 'The reference is said twice.')
  else if (found === null || tipo_dte === null) section.refuse(line, 'It does not say which document of which case.')
  else open.reference = { line: line.number, tipo_dte, case_id: `${found[1]}-${Number(found[2])}` }
}

function readTable(section: SectionDraft, open: Draft, line: Line): void {
  const columns = readColumns(line)
  if (typeof columns === 'string') section.refuse(line, columns)
  else open.columns = columns
}

function readRow(section: SectionDraft, open: Draft, line: Line, columns: Columns): void {
  const item = readItem(line, columns, open.tipo_dte === 34 || open.reference?.tipo_dte === 34)
  if (typeof item === 'string') section.refuse(line, item)
  else if (open.items.length >= MAX_ITEMS) section.refuse(line, `A document has at most ${MAX_ITEMS} lines.`)
  else open.items.push(item)
}

const GLOBAL_DISCOUNT = 'DESCUENTO GLOBAL ITEMES AFECTOS '

function readGlobalDiscount(section: SectionDraft, open: Draft, line: Line): void {
  const { folded } = line
  const percent = folded.startsWith(GLOBAL_DISCOUNT) ? readPercent(folded.slice(GLOBAL_DISCOUNT.length)) : null
  if (percent === null) section.refuse(line, 'Only a percentage on the taxed items is known.')
  else open.global_discounts.push({ line: line.number, percent })
}

function close(section: SectionDraft, draft: Draft) {
  const { heading, id, number, items, global_discounts } = draft
  const tipo_dte = draft.tipo_dte
  if (tipo_dte === undefined) return section.refuse(heading, 'The case does not say which document.')
  if (section.cases.length >= MAX_CASES) return section.refuse(heading, `A set has at most ${MAX_CASES} cases.`)
  if (section.cases.some((other) => other.id === id)) return section.refuse(heading, 'The case stands twice.')
  const asked = NOTES.includes(tipo_dte) ? askedOfNote(draft) : askedOfOther(draft, tipo_dte)
  if (typeof asked === 'string') return section.refuse(heading, asked)
  section.cases.push({
    id,
    number,
    label: `CASO ${id}`,
    line: heading.number,
    tipo_dte,
    items,
    global_discounts,
    ...asked,
  })
}

type Asked = Pick<Case, 'reference' | 'transfer' | 'dispatch'>

function askedOfNote({ reference, reason, items, global_discounts, motive, carried_by }: Draft): Asked | string {
  if (reference === undefined) return 'A note must name the case it corrects.'
  if (reason === undefined) return 'A note must say why.'
  const code = referenceCode(reason)
  if (code === null) return `It is not known whether "${reason}" annuls, corrects text or corrects amounts.`
  if (motive !== undefined || carried_by !== undefined) return 'A note has no motive of transfer.'
  if (global_discounts.length > 0) return 'A note with a global discount of its own is not known.'
  if ((code === 3) !== items.length > 0) {
    return code === 3
      ? 'A note that corrects amounts must say which.'
      : 'A note that annuls or corrects text has no items.'
  }
  return { reference: { ...reference, code, reason } }
}

function askedOfOther({ reference, reason, items, motive, carried_by }: Draft, tipo_dte: TipoDte): Asked | string {
  if (reference !== undefined || reason !== undefined) return 'Only notes refer to a case.'
  if (items.length === 0) return 'The case has no item.'
  const priced = items.every(({ quantity, unit_price }) => quantity !== undefined && unit_price !== undefined)
  if (tipo_dte !== 52) {
    if (motive !== undefined || carried_by !== undefined) return 'Only a guía has a motive of transfer.'
    return priced ? {} : 'An item has no quantity or no price.'
  }
  const transfer_type = transferType(motive ?? '')
  const dispatch_type = carried_by === undefined ? undefined : dispatchType(carried_by)
  if (transfer_type === null || dispatch_type === null) return 'It is not known what kind of transfer the guía is.'
  if (transfer_type === 1 ? !priced : items.some(({ quantity }) => quantity === undefined))
    return 'An item has no quantity, or no price in a sale.'
  return {
    transfer: { transfer_type, motive: motive ?? '' },
    ...(dispatch_type === undefined ? {} : { dispatch: { dispatch_type, carried_by: carried_by ?? '' } }),
  }
}

/** Every reference names a case of its own section, of the tipo it says, and never one that waits for it in turn. */
function checkReferences(section: SectionDraft): void {
  const by_id = new Map(section.cases.map((read) => [read.id, read]))
  for (const { reference, id } of section.cases) {
    if (reference === undefined) continue
    const shown = { number: reference.line, text: `CASO ${reference.case_id}` }
    const original = by_id.get(reference.case_id)
    if (original === undefined) section.refuse(shown, 'This section has no such case.')
    else if (original.tipo_dte !== reference.tipo_dte) section.refuse(shown, 'The case asks for another document.')
    else if (isCircle(id, by_id)) section.refuse(shown, 'The cases refer to each other in a circle.')
  }
}

function isCircle(id: string, by_id: ReadonlyMap<string, Case>): boolean {
  let at = by_id.get(id)?.reference?.case_id
  for (let steps = 0; at !== undefined && steps <= MAX_CASES; steps++) {
    if (at === id) return true
    at = by_id.get(at)?.reference?.case_id
  }
  return at !== undefined
}
