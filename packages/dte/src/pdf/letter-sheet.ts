import { leading, MUTED, RED } from './canvas.ts'
import { boxLines, emisorLines, officeLine } from './content.ts'
import { widthOf, wrap } from './face.ts'
import { drawLogo, drawWatermark, type Job } from './page.ts'
import { MM } from './stamp.ts'

/** A sheet of 21.5 by 27.9 cm, with what every one of its pages carries: box, emitter and footer. */
export const LEFT = 40
export const RIGHT = 572
export const WIDTH = RIGHT - LEFT
const PAGE_WIDTH = 612
const PAGE_HEIGHT = 792
const TOP = 34
const BOTTOM = 764
const FOOTER_SIZE = 7

/** The SII bounds the box to between 1.5 by 5.5 cm and 4 by 8 cm, its line to between 0.5 and 1 mm. */
const BOX_WIDTH = 78 * MM
const BOX_LINE = 0.75 * MM
const BOX_SIZE = 12.5
/** A name that fits on one line at a smaller size does; the longest take two. The SII asks for 10 points or more. */
const NAME_SIZES = [12.5, 12, 11.5, 11]
const LEAST_NAME_SIZE = 10.5
const COLUMN_GAP = 22

/** How far down a page may be written: the footer keeps the rest. */
export function limitOf({ options }: Job): number {
  const lines = options.footer ? wrap('regular', options.footer, FOOTER_SIZE, WIDTH - 90).length : 1
  return BOTTOM - lines * leading(FOOTER_SIZE) - 6
}

/** Every page carries the box and the emitter: a loose page must say whose it is. */
export function startPage(job: Job): void {
  const { canvas } = job
  canvas.addSheet(PAGE_WIDTH, PAGE_HEIGHT)
  drawWatermark(canvas, job.options.watermark, PAGE_WIDTH, PAGE_HEIGHT)
  const right = drawBox(job)
  const left = drawEmisor(job)
  job.y = Math.max(left, right) + 12
}

function drawBox({ canvas, dte }: Job): number {
  const x = RIGHT - BOX_WIDTH
  const [rut, name, folio] = boxLines(dte)
  const inner = BOX_WIDTH - 16
  const size = NAME_SIZES.find((points) => widthOf('bold', name, points) <= inner) ?? LEAST_NAME_SIZE
  const names = wrap('bold', name, size, inner)
  const height = 68 + (names.length - 1) * leading(size)
  canvas.box(x + BOX_LINE / 2, TOP + BOX_LINE / 2, BOX_WIDTH - BOX_LINE, height - BOX_LINE, BOX_LINE, RED)
  const line = (baseline: number, text: string, points: number) =>
    canvas.text(x, baseline, text, { face: 'bold', size: points, color: RED, align: 'center', width: BOX_WIDTH })
  line(TOP + 21, rut, BOX_SIZE)
  for (const [i, text] of names.entries()) line(TOP + 38.5 + i * leading(size), text, size)
  line(TOP + height - 12, folio, BOX_SIZE + 0.5)
  line(TOP + height + 13, officeLine(dte), 9)
  return TOP + height + 16
}

function drawEmisor(job: Job): number {
  const { canvas, dte } = job
  const width = WIDTH - BOX_WIDTH - COLUMN_GAP
  const logo = drawLogo(job, LEFT, TOP, { width: 170, height: 50 })
  let y = TOP + (logo ? logo + 8 : 0)
  y = canvas.paragraph(LEFT, y, dte.emisor.legal_name, { face: 'bold', size: 14, width }) + 2
  for (const line of emisorLines(dte, true)) y = canvas.paragraph(LEFT, y, line, { size: 8.5, width, color: MUTED })
  return y
}

/** Written at the end, when the number of pages is known. */
export function drawFooters({ canvas, options }: Job): void {
  const pages = canvas.sheets.length
  for (let page = 0; page < pages; page++) {
    canvas.select(page)
    const lines = options.footer ? wrap('regular', options.footer, FOOTER_SIZE, WIDTH - 90) : []
    const first = BOTTOM - (Math.max(1, lines.length) - 1) * leading(FOOTER_SIZE)
    for (const [i, line] of lines.entries()) {
      canvas.text(LEFT, first + i * leading(FOOTER_SIZE), line, { size: FOOTER_SIZE, color: MUTED })
    }
    if (pages > 1) {
      const style = { size: FOOTER_SIZE, color: MUTED, align: 'right', width: WIDTH } as const
      canvas.text(LEFT, BOTTOM, `Página ${page + 1} de ${pages}`, style)
    }
  }
}
