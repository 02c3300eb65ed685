import type { SectionDraft } from './section.ts'
import type { Case, CaseItem } from './set.ts'
import { fold, type Line, readNumber, restoreLetters } from './text.ts'

/** The heading of the only layout of a boleta set that is known (unverified: the SII's own text has not been seen). */
const HEADING = 'FOLIO;INDEXE;NMBITEM;QTYITEM;UNMDITEM;PRCITEM;ANULAR;REBAJAR'
const CELLS = 8
const MAX_CASES = 500
const MAX_ITEMS = 1000

export function isBoletaHeading({ folded }: Line): boolean {
  return folded.replaceAll(' ', '') === HEADING
}

type Draft = { line: Line; number: number; items: CaseItem[]; note?: NonNullable<Case['boleta_note']> }

/** A row with a number begins a boleta; the rows without one are its further lines. */
export function readBoletas(section: SectionDraft): void {
  let open: Draft | null = null
  for (const line of section.lines) {
    if (line.text === '') continue
    const row = readRow(line)
    if (typeof row === 'string') {
      section.refuse(line, row)
      continue
    }
    if (row.number !== null) {
      if (open !== null) close(section, open)
      open = { line, number: row.number, items: [] }
    }
    if (open === null) section.refuse(line, 'The first row has no number of a boleta.')
    else if (row.number === null && row.note !== undefined)
      section.refuse(line, 'Whether to annul or lower is said in the first row of a boleta.')
    else if (open.items.length >= MAX_ITEMS) section.refuse(line, `A boleta has at most ${MAX_ITEMS} lines.`)
    else {
      open.items.push(row.item)
      if (row.note !== undefined) open.note = row.note
    }
  }
  if (open !== null) close(section, open)
}

function close(section: SectionDraft, { line, number, items, note }: Draft) {
  if (section.cases.some((read) => read.number === number)) return section.refuse(line, 'The boleta stands twice.')
  if (section.cases.length >= MAX_CASES) return section.refuse(line, `A set has at most ${MAX_CASES} boletas.`)
  section.cases.push({
    id: String(number),
    number,
    label: `CASO-${number}`,
    line: line.number,
    tipo_dte: items.every(({ exempt }) => exempt) ? 41 : 39,
    items,
    global_discounts: [],
    ...(note === undefined ? {} : { boleta_note: note }),
  })
}

interface Row {
  readonly number: number | null
  readonly item: CaseItem
  readonly note?: NonNullable<Case['boleta_note']>
}

function readRow(line: Line): Row | string {
  const cells = splitCsv(line.raw)
  if (cells === null || cells.length !== CELLS) return `The row does not have ${CELLS} columns.`
  const [number = '', exempt = '', written = '', quantity = '', unit = '', price = '', annul = '', lower = ''] = cells
  const name = restoreLetters(written)
  if (name === null) return 'A letter was lost when the file was saved.'
  if (name === '' || name.length > 80) return 'The name of the item is empty or too long.'
  if (number !== '' && !/^[1-9]\d{0,3}$/.test(number)) return `${number} is not the number of a boleta.`
  if (exempt !== '' && exempt !== '1') return `${exempt} is not an indicator of exemption.`
  const [quantity_value, price_value] = [readNumber(quantity), readNumber(price)]
  if (quantity_value === null || price_value === null || quantity_value <= 0 || price_value <= 0)
    return 'The quantity or the price is not a number.'
  if (unit.length > 4) return 'The unit has more than 4 characters.'
  const note = readNote(annul, lower)
  if (typeof note === 'string') return note
  const item: CaseItem = {
    line: line.number,
    name,
    quantity: quantity_value,
    ...(unit === '' ? {} : { unit }),
    unit_price: price_value,
    exempt: exempt === '1' || fold(name).includes('EXENTO'),
  }
  return { number: number === '' ? null : Number(number), item, ...(note === null ? {} : { note }) }
}

function readNote(annul: string, lower: string): NonNullable<Case['boleta_note']> | string | null {
  if (annul === '' && lower === '') return null
  if (annul === '1' && lower === '') return { annul: true }
  const percent = readNumber(lower)
  if (annul !== '' || percent === null || percent <= 0 || percent >= 100)
    return 'It is not known what to annul or lower.'
  return { lower_percent: percent }
}

/** Cells between semicolons; one that has a semicolon or a quote stands in quotes, with its quotes doubled. */
function splitCsv(raw: string): readonly string[] | null {
  const cells: string[] = []
  let at = 0
  for (;;) {
    let cell = ''
    if (raw.charAt(at) === '"') {
      const closed = closingQuote(raw, at + 1)
      if (closed < 0) return null
      cell = raw.slice(at + 1, closed).replaceAll('""', '"')
      at = closed + 1
      if (at < raw.length && raw.charAt(at) !== ';') return null
    } else {
      const next = raw.indexOf(';', at)
      const end = next < 0 ? raw.length : next
      cell = raw.slice(at, end)
      at = end
    }
    cells.push(cell.trim())
    if (at >= raw.length) return cells
    at++
  }
}

function closingQuote(raw: string, from: number): number {
  let at = raw.indexOf('"', from)
  while (at >= 0 && raw.charAt(at + 1) === '"') at = raw.indexOf('"', at + 2)
  return at
}
