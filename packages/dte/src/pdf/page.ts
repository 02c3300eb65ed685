import type { AnyDte } from '../unissued/document.ts'
import { type Canvas, FAINT, INK, leading, MUTED } from './canvas.ts'
import type { Pair } from './content.ts'
import { ACUSE_FIELDS, ACUSE_TEXT, ACUSE_TITLE, LABELS, NO_STAMP, STAMP_TITLE, STAMP_VERIFY } from './copy.ts'
import { type Face, widthOf, wrap } from './face.ts'
import type { Logo } from './logo.ts'
import type { PdfOptions } from './options.ts'
import { LOGO_NAME } from './output.ts'

/** What every layout draws with. */
export interface Job {
  readonly canvas: Canvas
  readonly dte: AnyDte
  readonly options: PdfOptions
  readonly logo: Logo | null
  /** Bytes of the timbre, or null for a document that has none yet. */
  readonly timbre: Uint8Array | null
  /** Where the next thing starts, growing downwards. */
  y: number
}

/** Draws the logo inside the given room without deforming it; returns its height. */
export function drawLogo(
  job: Job,
  x: number,
  y: number,
  room: { width: number; height: number },
  centered = false,
): number {
  const { logo, canvas } = job
  if (!logo) return 0
  const scale = Math.min(room.width / logo.width, room.height / logo.height)
  const [width, height] = [logo.width * scale, logo.height * scale]
  const left = centered ? x + (room.width - width) / 2 : x
  canvas.transformed([width, 0, 0, -height, left, y + height], `/${LOGO_NAME} Do`)
  return height
}

/**
 * The watermark lies under everything, so it is drawn first; on a long roll it comes again and again. On a sheet it
 * stays above the timbre, whose white ground would hide it.
 */
export function drawWatermark(canvas: Canvas, text: string | undefined, width: number, height: number): void {
  if (!text) return
  const long = height > width * 1.6
  const length = 1.12 * width
  const size = Math.min(80, (length * 10) / widthOf('bold', text, 10))
  const half = widthOf('bold', text, size) / 2
  const diagonal = Math.SQRT1_2
  const times = long ? Math.max(1, Math.round(height / (width * 1.6))) : 1
  for (let i = 0; i < times; i++) {
    const [x, y] = [width / 2, long ? (height * (i + 0.5)) / times : height * 0.46]
    const [back, drop] = [diagonal * half, diagonal * size * 0.3]
    // Rising to the right, in a space whose y grows downwards, is a turn against the clock.
    canvas.watermark([diagonal, -diagonal, diagonal, diagonal, x - back + drop, y + back + drop], text, size, FAINT)
  }
}

/** Where pairs go: labels at x, values `label` points to their right. */
export interface PairBlock {
  readonly x: number
  readonly width: number
  readonly label: number
  readonly size: number
  readonly label_color: string
  readonly color: string
}

/** Whom the document is for is what the eye looks for first. */
const faceOf = (name: string): Face => (name === LABELS.receptor ? 'bold' : 'regular')

/** Label and value in two columns; a long value goes on below itself. Returns where the block ends. */
export function drawPairs({ canvas }: Job, entries: readonly Pair[], y: number, block: PairBlock): number {
  const { x, label, size, color } = block
  let top = y
  for (const [name, value] of entries) {
    canvas.text(x, top + size * 0.92, name, { size: size - 1, color: block.label_color })
    const style = { face: faceOf(name), size, color, width: block.width - label }
    top = canvas.paragraph(x + label, top, value, style) + 1.2
  }
  return top
}

export function heightOfPairs(entries: readonly Pair[], { width, label, size }: PairBlock): number {
  const lines = ([name, value]: Pair) => wrap(faceOf(name), value, size, width - label).length
  return entries.reduce((sum, pair) => sum + lines(pair) * leading(size) + 1.2, 0)
}

/** What must be read under the timbre, in 6 points or more (Manual de Muestras Impresas v4.0). */
export function stampLegend({ options, timbre }: Job): string[] {
  if (!timbre) return [NO_STAMP]
  const { resolucion } = options
  const authorization = resolucion ? [`Res. ${resolucion.numero} de ${resolucion.fecha.slice(0, 4)}`] : []
  return [STAMP_TITLE, ...authorization, STAMP_VERIFY]
}

const ACUSE_PADDING = 7
const ACUSE_SIZE = 7.5
const ACUSE_STEP = 17

/** On a narrow roll each field has a line of its own; on a sheet they go two by two. */
function acuseRows(width: number): string[][] {
  const [name, rut, date, place, signature] = ACUSE_FIELDS
  return width < 150 ? ACUSE_FIELDS.map((field) => [field]) : [[name], [rut, date], [place, signature]]
}

export function heightOfAcuse(width: number): number {
  const legal = wrap('regular', ACUSE_TEXT, 6.5, width - 2 * ACUSE_PADDING).length * leading(6.5)
  return ACUSE_PADDING * 2 + 12 + acuseRows(width).length * ACUSE_STEP + 4 + legal
}

export function drawAcuse({ canvas }: Job, x: number, y: number, width: number): void {
  canvas.box(x, y, width, heightOfAcuse(width), 0.7, INK)
  const [left, inner] = [x + ACUSE_PADDING, width - 2 * ACUSE_PADDING]
  let top = y + ACUSE_PADDING
  canvas.text(left, top + 7, ACUSE_TITLE.toUpperCase(), { face: 'bold', size: 7, tracking: 0.4 })
  top += 12
  for (const fields of acuseRows(width)) {
    const share = (inner - (fields.length - 1) * 8) / fields.length
    for (const [i, field] of fields.entries()) {
      const start = left + i * (share + 8)
      const baseline = top + ACUSE_STEP - 4
      canvas.text(start, baseline, `${field}:`, { size: ACUSE_SIZE })
      const after = start + widthOf('regular', `${field}: `, ACUSE_SIZE)
      canvas.rule(after, baseline + 1.5, start + share, baseline + 1.5, 0.4, MUTED)
    }
    top += ACUSE_STEP
  }
  canvas.paragraph(left, top + 4, ACUSE_TEXT, { size: 6.5, width: inner })
}
