import { HAIRLINE, INK, leading, MUTED } from './canvas.ts'
import { customsPairs, dispatchPairs, factPairs, type Pair, printedReferences, receptorPairs } from './content.ts'
import { HEADINGS } from './copy.ts'
import { wrap } from './face.ts'
import { longDate } from './format.ts'
import { drawClosing, heightOfClosing } from './letter-closing.ts'
import { drawItems } from './letter-items.ts'
import { drawFooters, LEFT, limitOf, RIGHT, startPage, WIDTH } from './letter-sheet.ts'
import { drawPairs, type Job, type PairBlock } from './page.ts'

const CLOSING_GAP = 10

export function drawLetter(job: Job): void {
  startPage(job)
  drawParties(job)
  drawDispatch(job)
  drawReferences(job)
  const height = heightOfClosing(job)
  drawItems(job, height + CLOSING_GAP)
  if (job.y + CLOSING_GAP + height > limitOf(job)) startPage(job)
  drawClosing(job, limitOf(job) - height, height)
  drawFooters(job)
}

const pairBlock = (x: number, width: number, label: number): PairBlock => ({
  x,
  width,
  label,
  size: 8.5,
  label_color: MUTED,
  color: INK,
})

function drawParties(job: Job): void {
  const { canvas, dte } = job
  const top = job.y + 7
  const left = receptorPairs(dte)
  const right = factPairs(dte, longDate)
  const half = left.length > 0 ? 322 : 0
  canvas.rule(LEFT, job.y, RIGHT, job.y, 1, INK)
  const ends = [
    drawPairs(job, left, top, pairBlock(LEFT, 300, 58)),
    drawPairs(job, right, top, pairBlock(LEFT + half, WIDTH - half, 84)),
  ]
  job.y = Math.max(...ends) + 5
  // The table of items brings its own rule.
  if (dte.dispatch || dte.references?.length) canvas.rule(LEFT, job.y, RIGHT, job.y, 0.5, HAIRLINE)
  job.y += 8
}

function drawHeading(job: Job, text: string): void {
  job.canvas.text(LEFT, job.y + 6.5, text.toUpperCase(), { face: 'bold', size: 7, color: MUTED, tracking: 0.5 })
  job.y += 12
}

/** The transport of a guía, in two columns filled downwards. */
function drawDispatch(job: Job): void {
  drawColumns(job, HEADINGS.dispatch, dispatchPairs(job.dte))
  drawColumns(job, HEADINGS.customs, customsPairs(job.dte))
}

function drawColumns(job: Job, heading: string, entries: readonly Pair[]): void {
  if (entries.length === 0) return
  drawHeading(job, heading)
  const half = Math.ceil(entries.length / 2)
  const column = (some: readonly Pair[], x: number) => drawPairs(job, some, job.y, pairBlock(x, WIDTH / 2 - 12, 76))
  job.y = Math.max(column(entries.slice(0, half), LEFT), column(entries.slice(half), LEFT + WIDTH / 2 + 6)) + 8
}

const REFERENCE_WIDTHS = [178, 86, 80, WIDTH - 344]
const REFERENCE_SIZE = 8.5

function drawReferences(job: Job): void {
  const references = printedReferences(job.dte)
  if (references.length === 0) return
  drawHeading(job, HEADINGS.references)
  for (const { name, folio, date, reason } of references) {
    const cells = [name, folio && `N° ${folio}`, date && `del ${date}`, reason]
    const lines = cells.map((cell, i) => wrap('regular', cell, REFERENCE_SIZE, (REFERENCE_WIDTHS[i] ?? 0) - 8))
    const height = Math.max(...lines.map(({ length }) => length)) * leading(REFERENCE_SIZE)
    if (job.y + height > limitOf(job)) startPage(job)
    let x = LEFT
    for (const [i, cell] of lines.entries()) {
      for (const [j, line] of cell.entries()) {
        job.canvas.text(x, job.y + REFERENCE_SIZE * 0.92 + j * leading(REFERENCE_SIZE), line, { size: REFERENCE_SIZE })
      }
      x += REFERENCE_WIDTHS[i] ?? 0
    }
    job.y += height + 1
  }
  job.y += 8
}
