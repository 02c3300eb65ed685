import { bookDocument } from './names.ts'
import type { SectionDraft } from './section.ts'
import type { PurchaseRow, PurchaseUse } from './set.ts'
import { cellsOf, expandTabs, fold, isRule, type Line, readNumber, says } from './text.ts'

/** Sentences that say nothing but which documents the book is made of, by how they begin. */
const SALES_SENTENCES = [
  'CONSTRUYA EL LIBRO DE VENTAS CON LOS DOCUMENTOS',
  'SI OBTUVO AMBOS SET, UTILICE LOS DOCUMENTOS',
]

export function readSalesBook(section: SectionDraft): void {
  const lines = section.lines.filter((line) => line.text !== '' && !isRule(line))
  const [first] = lines
  if (first === undefined) return
  const sentences = lines
    .map(({ folded }) => folded)
    .join(' ')
    .split('.')
    .map((sentence) => sentence.trim())
  section.instructions.push(...lines.map(({ text }) => text))
  for (const sentence of sentences) {
    if (sentence !== '' && !SALES_SENTENCES.some((known) => sentence.startsWith(known)))
      section.refuse({ number: first.number, text: sentence }, 'The sales book has an instruction that is not known.')
  }
}

const GUIA_SENTENCES = ['CONSTRUYA EL LIBRO CON LAS GUIAS', 'TENIENDO EN CUENTA LAS SIGUIENTES CONSIDERACIONES']
const MARK = /^- ?EL CASO (\d{1,4}) CORRESPONDE A UNA GUIA (.{1,80})$/

export function readGuiaBook(section: SectionDraft): void {
  for (const line of section.lines) {
    if (line.text === '' || isRule(line)) continue
    if (GUIA_SENTENCES.some((known) => line.folded.startsWith(known))) {
      section.instructions.push(line.text)
      continue
    }
    const found = MARK.exec(line.folded)
    const words = found?.[2] ?? ''
    const mark = words.startsWith('ANULADA') ? 'annulled' : words.startsWith('QUE SE FACTURO') ? 'invoiced' : null
    if (mark === null) section.refuse(line, 'The book of guías has a consideration that is not known.')
    else section.guia_marks.push({ line: line.number, case_number: Number(found?.[1]), mark })
  }
}

const MAX_ROWS = 200
const GENERAL = 'OBSERVACIONES GENERALES'
const HEADINGS = ['TIPO DOCUMENTO FOLIO', 'OBSERVACIONES']
const AMOUNTS = 'MONTO EXENTO MONTO AFECTO'

/** A purchases book: three lines for each document (which, how its IVA is used, amounts), then general observations. */
export function readPurchasesBook(section: SectionDraft): void {
  const end = section.lines.findIndex(({ folded }) => folded === GENERAL)
  const rows = end < 0 ? section.lines : section.lines.slice(0, end)
  readRows(section, rows)
  if (end >= 0) readGeneral(section, section.lines.slice(end + 1))
}

type Half = { line: Line; tipo_doc: number; folio: number; observation?: Line }

function readRows(section: SectionDraft, lines: readonly Line[]): void {
  /** Where the taxed column begins, as the heading of the amounts shows it. */
  let taxed_from = -1
  let half: Half | null = null
  for (const line of lines) {
    if (line.text === '' || isRule(line)) {
      if (half !== null) section.refuse(half.line, 'The row ends before its amounts.')
      half = null
    } else if (HEADINGS.includes(line.folded)) {
    } else if (line.folded === AMOUNTS) {
      taxed_from = fold(expandTabs(line.raw)).indexOf('MONTO AFECTO')
    } else if (half === null) {
      half = readDocument(section, line)
    } else if (half.observation === undefined) {
      half.observation = line
    } else {
      addRow(section, half, line, taxed_from)
      half = null
    }
  }
  if (half !== null) section.refuse(half.line, 'The row ends before its amounts.')
}

function readDocument(section: SectionDraft, line: Line): Half | null {
  const [name = '', folio = '', ...more] = cellsOf(line)
  const tipo_doc = bookDocument(name)
  if (tipo_doc === null || !/^\d{1,10}$/.test(folio) || Number(folio) === 0 || more.length > 0) {
    section.refuse(line, 'It is not a document and its folio.')
    return null
  }
  return { line, tipo_doc, folio: Number(folio) }
}

const USES: readonly (readonly [string, PurchaseUse])[] = [
  ['FACTURA DEL GIRO CON DERECHO A CREDITO', 'giro'],
  ['FACTURA CON IVA USO COMUN', 'common_use'],
  ['ENTREGA GRATUITA DEL PROVEEDOR', 'free_delivery'],
  ['COMPRA CON RETENCION TOTAL DEL IVA', 'full_withholding'],
]

function addRow(section: SectionDraft, half: Half, amounts: Line, taxed_from: number) {
  const { line, tipo_doc, folio, observation = line } = half
  const corrects = correctedBy(observation.folded)
  const use = corrects === null ? USES.find(([words]) => says(observation.folded, words))?.[1] : 'note'
  if (use === undefined) return section.refuse(observation, 'It is not known how the IVA of this row is used.')
  const read = readAmounts(amounts, taxed_from)
  if (typeof read === 'string') return section.refuse(amounts, read)
  if (section.purchases.length >= MAX_ROWS) return section.refuse(line, `A book of a set has at most ${MAX_ROWS} rows.`)
  const row: PurchaseRow = { line: line.number, tipo_doc, folio, use, observation: observation.text, ...read }
  section.purchases.push(corrects === null ? row : { ...row, corrects })
}

const BY_DISCOUNT = 'NOTA DE CREDITO POR DESCUENTO '

/** `NOTA DE CREDITO POR DESCUENTO A FACTURA 234`: the row that a note corrects. */
function correctedBy(folded: string): NonNullable<PurchaseRow['corrects']> | null {
  if (!folded.startsWith(BY_DISCOUNT)) return null
  const words = folded.slice(BY_DISCOUNT.length).replace(/^A /, '').split(' ')
  const folio = words.pop() ?? ''
  const tipo_doc = bookDocument(words.join(' '))
  return tipo_doc === null || !/^\d{1,10}$/.test(folio) ? null : { tipo_doc, folio: Number(folio) }
}

/** The exempt amount stands under its heading and the taxed one under the other; either may be missing. */
function readAmounts({ raw, text }: Line, taxed_from: number): { exempt: number; taxed: number } | string {
  const numbers = text.split(' ').map(readNumber)
  if (numbers.some((value) => value === null || !Number.isInteger(value))) return 'They are not whole amounts.'
  const [first = 0, second] = numbers as number[]
  if (numbers.length > 2) return 'There are more than two amounts.'
  if (second !== undefined) return { exempt: first, taxed: second }
  if (taxed_from < 0) return 'No heading tells whether the amount is exempt or taxed.'
  const ends_at = expandTabs(raw).trimEnd().length
  return ends_at > taxed_from ? { exempt: 0, taxed: first } : { exempt: first, taxed: 0 }
}

const FACTOR = 'FACTOR DE PROPORCIONALIDAD DEL IVA ES DE '

function readGeneral(section: SectionDraft, lines: readonly Line[]) {
  const said = lines.filter((line) => line.text !== '' && !isRule(line))
  const [first] = said
  if (first === undefined) return
  const folded = said.map((line) => line.folded).join(' ')
  const at = folded.indexOf(FACTOR)
  const factor = at < 0 ? null : /^([01])[.,](\d{1,3})\.?$/.exec(folded.slice(at + FACTOR.length))
  const value = factor === null ? 0 : Number(`${factor[1]}.${factor[2]}`)
  if (!folded.startsWith('EN FACTURA CON IVA USO COMUN') || value <= 0 || value > 1) {
    return section.refuse({ number: first.number, text: folded }, 'A general observation is not known.')
  }
  section.instructions.push(...said.map(({ text }) => text))
  section.common_use_factor = value
}
