import { HAIRLINE, INK, leading, MUTED } from './canvas.ts'
import { cedibleLegend } from './content.ts'
import { type TotalRow, totalRows } from './content-lines.ts'
import { wrap } from './face.ts'
import { LEFT, RIGHT } from './letter-sheet.ts'
import { drawAcuse, heightOfAcuse, type Job, stampLegend } from './page.ts'
import { drawStamp, fitStamp, MM, type Stamp } from './stamp.ts'

/** The timbre may not be nearer than 2 cm to the left edge, nor larger than 4 by 9 cm. */
const STAMP_LEFT = 21 * MM
const STAMP_ROOM = { width: 88 * MM, height: 38 * MM, dot: 72 / 600 }
const LEGEND_SIZE = 7.5

const COLUMN = STAMP_LEFT + STAMP_ROOM.width + 22
const COLUMN_WIDTH = RIGHT - COLUMN
const TOTAL_SIZE = 9
const STRONG_SIZE = 11.5
const LABEL_WIDTH = COLUMN_WIDTH - 92
const CEDIBLE_SIZE = 11

/** Totals, timbre and acuse stay together at the foot of the last page. */
export function heightOfClosing(job: Job): number {
  const legend = legendOf(job)
  const acuse = legend ? heightOfAcuse(COLUMN_WIDTH) + 12 + 20 : 0
  const right = totalRows(job.dte).reduce((sum, row) => sum + heightOfRow(row), 6) + acuse
  return Math.max(right, heightOfStamp(job, stampOf(job)))
}

export function drawClosing(job: Job, y: number, height: number): void {
  const bottom = y + height
  const legend = legendOf(job)
  let top = y
  for (const row of totalRows(job.dte)) top = drawRow(job, row, top)
  if (legend) {
    drawAcuse(job, COLUMN, bottom - 20 - heightOfAcuse(COLUMN_WIDTH), COLUMN_WIDTH)
    const style = { face: 'bold', size: CEDIBLE_SIZE, align: 'right', width: COLUMN_WIDTH, tracking: 0.4 } as const
    job.canvas.text(COLUMN, bottom - 3, legend, style)
  }
  const stamp = stampOf(job)
  drawTimbre(job, stamp, bottom - heightOfStamp(job, stamp))
}

function legendOf({ dte, options }: Job): string | null {
  return options.cedible ? cedibleLegend(dte) : null
}

function heightOfRow({ label, strong }: TotalRow): number {
  if (strong) return STRONG_SIZE + 14
  return wrap('regular', label, TOTAL_SIZE, LABEL_WIDTH).length * leading(TOTAL_SIZE) + 3.5
}

function drawRow({ canvas }: Job, row: TotalRow, top: number): number {
  const end = top + heightOfRow(row)
  if (row.strong) {
    canvas.rule(COLUMN, top + 2, RIGHT, top + 2, 1, INK)
    const style = { face: 'bold', size: STRONG_SIZE } as const
    canvas.text(COLUMN, top + 16, row.label.toUpperCase(), style)
    canvas.text(COLUMN, top + 16, row.amount, { ...style, align: 'right', width: COLUMN_WIDTH })
    canvas.rule(COLUMN, top + 22, RIGHT, top + 22, 0.5, HAIRLINE)
    return end
  }
  canvas.paragraph(COLUMN, top, row.label, { size: TOTAL_SIZE, width: LABEL_WIDTH, color: MUTED })
  canvas.text(COLUMN, top + TOTAL_SIZE * 0.92, row.amount, { size: TOTAL_SIZE, align: 'right', width: COLUMN_WIDTH })
  return end
}

function stampOf({ timbre }: Job): Stamp | null {
  return timbre && fitStamp(timbre.length, STAMP_ROOM)
}

function heightOfStamp(job: Job, stamp: Stamp | null): number {
  return (stamp ? stamp.height + 6 : 0) + stampLegend(job).length * leading(LEGEND_SIZE)
}

function drawTimbre(job: Job, stamp: Stamp | null, y: number): void {
  let top = y
  if (stamp && job.timbre) {
    drawStamp(job.canvas, job.timbre, stamp, STAMP_LEFT, top)
    top += stamp.height + 6
  }
  const [x, width] = stamp ? [STAMP_LEFT, stamp.width] : [LEFT, STAMP_ROOM.width + STAMP_LEFT - LEFT]
  for (const [i, line] of stampLegend(job).entries()) {
    const baseline = top + LEGEND_SIZE * 0.92 + i * leading(LEGEND_SIZE)
    job.canvas.text(x, baseline, line, {
      size: LEGEND_SIZE,
      face: i === 0 ? 'bold' : 'regular',
      align: 'center',
      width,
    })
  }
}
