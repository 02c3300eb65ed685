import { HAIRLINE, INK, leading, MUTED } from './canvas.ts'
import { type PrintedItem, printedItems } from './content-lines.ts'
import { HEADINGS } from './copy.ts'
import { type Face, widthOf, wrap } from './face.ts'
import { LEFT, limitOf, RIGHT, startPage, WIDTH } from './letter-sheet.ts'
import type { Job } from './page.ts'

const SIZE = 8.5
const SMALL = 7.5
const PADDING = 3.5
const GAP = 10
const HEAD = 16

type Field = 'code' | 'item' | 'quantity' | 'unit' | 'unit_price' | 'adjustment' | 'amount'

interface Column {
  readonly field: Field
  readonly x: number
  readonly width: number
  readonly align: 'left' | 'right'
}

/** One printed line of a row: what goes in each column, and how. */
interface Line {
  readonly cells: readonly (readonly [Column, string])[]
  readonly size: number
  readonly face: Face
  readonly color: string
}

/**
 * A row goes on the next page whole when it fits there; one taller than half a page breaks between its lines. The last
 * one goes with the totals that follow it (`closing` points tall): a page of totals alone could belong to any document.
 */
export function drawItems(job: Job, closing: number): void {
  const items = printedItems(job.dte)
  const columns = chooseColumns(items)
  for (const [i, item] of items.entries()) {
    const lines = linesOf(item, columns)
    const height = lines.reduce((sum, { size }) => sum + leading(size), 2 * PADDING)
    const room = limitOf(job)
    if (i === 0) drawFirstHead(job, columns, height < room / 2 ? height : PADDING + leading(SIZE))
    const needed = height + (i > 0 && i === items.length - 1 ? closing : 0)
    if (job.y + needed > room && height < room / 2) restart(job, columns)
    job.y += PADDING
    for (const line of lines) {
      if (job.y + leading(line.size) > limitOf(job)) restart(job, columns)
      drawLine(job, line)
    }
    job.y += PADDING
    job.canvas.rule(LEFT, job.y, RIGHT, job.y, 0.4, HAIRLINE)
  }
}

/** A long list of references may end near the foot of a page: the head never stands there without a row below it. */
function drawFirstHead(job: Job, columns: readonly Column[], row: number): void {
  if (job.y + HEAD + row > limitOf(job)) startPage(job)
  drawHead(job, columns)
}

function restart(job: Job, columns: readonly Column[]): void {
  startPage(job)
  drawHead(job, columns)
}

/** Columns are as wide as what they hold; those that no line uses are left out and the description takes the rest. */
function chooseColumns(items: readonly PrintedItem[]): Column[] {
  const widest = (head: string, texts: readonly string[]) =>
    Math.max(widthOf('bold', head, SMALL), ...texts.map((text) => widthOf('regular', text, SIZE)))
  const right = (['quantity', 'unit', 'unit_price', 'adjustment', 'amount'] as const).flatMap((field) => {
    const texts = items.map((item) => item[field])
    if (field !== 'amount' && texts.every((text) => text === '')) return []
    return [{ field, width: Math.ceil(widest(HEADINGS[field], texts)) + GAP }]
  })
  const codes = items.map(({ code }) => code)
  const code = codes.every((text) => text === '') ? 0 : Math.min(90, widest(HEADINGS.code, codes) + GAP)
  const taken = right.reduce((sum, { width }) => sum + width, code)
  const columns: Column[] = code ? [{ field: 'code', x: LEFT, width: code - GAP, align: 'left' }] : []
  columns.push({ field: 'item', x: LEFT + code, width: WIDTH - taken, align: 'left' })
  let x = LEFT + code + WIDTH - taken
  for (const { field, width } of right) {
    columns.push({ field, x: x + GAP, width: width - GAP, align: field === 'unit' ? 'left' : 'right' })
    x += width
  }
  return columns
}

function drawHead(job: Job, columns: readonly Column[]): void {
  job.canvas.rule(LEFT, job.y, RIGHT, job.y, 1, INK)
  for (const { field, x, width, align } of columns) {
    job.canvas.text(x, job.y + 11, HEADINGS[field], { face: 'bold', size: SMALL, align, width })
  }
  job.y += HEAD
  job.canvas.rule(LEFT, job.y, RIGHT, job.y, 0.5, INK)
}

function linesOf(item: PrintedItem, columns: readonly Column[]): Line[] {
  const at = (field: Field) => columns.find((column) => column.field === field)
  const text = at('item')
  if (!text) return []
  const codes = at('code') ? wrap('regular', item.code, SIZE, at('code')?.width ?? 0) : []
  const names = wrap('regular', item.description, SIZE, text.width)
  const lines: Line[] = names.map((name, i) => {
    const cells: [Column, string][] = [[text, name]]
    for (const column of columns) {
      if (column.field === 'code') cells.push([column, codes[i] ?? ''])
      else if (column.field !== 'item' && i === 0) cells.push([column, item[column.field]])
    }
    return { cells, size: SIZE, face: 'regular', color: INK }
  })
  const small: Line[] = [item.marks, item.detail]
    .flatMap((note) => (note ? wrap('regular', note, SMALL, text.width) : []))
    .map((note) => ({ cells: [[text, note]], size: SMALL, face: 'regular', color: MUTED }))
  const rest = [...lines.slice(1), ...small]
  addAside(rest, at('adjustment'), item.adjustment_percent)
  for (const code of codes.slice(names.length)) addAside(rest, at('code'), code)
  return [...lines.slice(0, 1), ...rest]
}

/** Adds a cell to the first line below the first that has none in its column, or a line of its own. */
function addAside(lines: Line[], column: Column | undefined, text: string): void {
  if (!column || text === '') return
  const index = lines.findIndex(({ cells }) => !cells.some(([taken, cell]) => taken === column && cell !== ''))
  const free = lines[index]
  const cell = [column, text] as const
  if (free) lines[index] = { ...free, cells: [...free.cells, cell] }
  else lines.push({ cells: [cell], size: SMALL, face: 'regular', color: MUTED })
}

function drawLine(job: Job, line: Line): void {
  for (const [{ x, width, align, field }, text] of line.cells) {
    const color = field === 'item' || line.size === SIZE ? line.color : MUTED
    job.canvas.text(x, job.y + line.size * 0.92, text, { size: line.size, face: line.face, color, align, width })
  }
  job.y += leading(line.size)
}
