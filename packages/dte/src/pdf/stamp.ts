import { BLACK, type Canvas } from './canvas.ts'
import {
  encodePdf417,
  FIXED_MODULES,
  type Pdf417,
  type Shape,
  START_PATTERN,
  STOP_PATTERN,
  shapePdf417,
} from './pdf417.ts'

export const MM = 72 / 25.4

/** The room for a timbre, in points, along its bars' sequence (width) and across it (height). */
export interface StampRoom {
  readonly width: number
  readonly height: number
  /** Dot of the printer: modules and rows are whole dots, so that no bar prints wider than its twin. */
  readonly dot: number
  /** Width of a module; left out, the widest that fits. */
  readonly module?: number
}

export interface Stamp {
  readonly width: number
  readonly height: number
  readonly shape: Shape
  readonly module: number
  readonly row: number
}

/** Wider than this nothing is gained, and the symbol outgrows the 4 by 9 cm that the SII allows. */
const WIDEST_MODULE = 0.36 * MM
/** Rows of three modules are the rule of ISO/IEC 15438; below two, readers stumble over the slightest tilt. */
const BEST_RATIO = 3
const LEAST_RATIO = 2.1
/** More are never needed, and the path's integers stay below 100,000. */
const MAX_COLUMNS = 25
/** Quiet zone on every side, in modules. */
export const QUIET_MODULES = 2

/**
 * Chooses columns and module for the bytes. Wide modules are what scanners need, so it takes the fewest columns whose
 * rows stay tall enough in the room; the SII's error correction level comes before both.
 */
export function fitStamp(length: number, room: StampRoom): Stamp {
  let best: (Stamp & { readonly score: number }) | null = null
  for (let columns = 1; columns <= MAX_COLUMNS; columns++) {
    const shape = shapePdf417(length, columns)
    if (!shape) continue
    const modules = columns * 17 + FIXED_MODULES
    const module = room.module ?? wholeDots(Math.min(WIDEST_MODULE, room.width / modules), room.dot)
    if (module === 0 || module * modules > room.width) continue
    const row = wholeDots(Math.min(BEST_RATIO * module, room.height / shape.rows), room.dot)
    const score = shape.level * 100 + Math.min(row / module, room.module ? BEST_RATIO : LEAST_RATIO) * 10 + module
    if (!best || score > best.score) {
      best = { width: modules * module, height: shape.rows * row, shape, module, row, score }
    }
  }
  // A module fixed for a printer's dots may leave no room for a long timbre: then its dots give way, not its bytes.
  if (!best && room.module) return fitStamp(length, { width: room.width, height: room.height, dot: room.dot / 4 })
  if (!best) throw new RangeError(`the timbre has ${length} bytes and no PDF417 symbol holds them`)
  return best
}

function wholeDots(length: number, dot: number): number {
  return Math.floor(length / dot + 1e-9) * dot
}

/** Bytes of the TED as the SII reads them. */
export function timbreBytes(ted: string): Uint8Array {
  const bytes = new Uint8Array(ted.length)
  for (let i = 0; i < ted.length; i++) {
    const code = ted.charCodeAt(i)
    if (code > 0xff) throw new RangeError(`the TED has a character outside ISO-8859-1 at ${i}`)
    bytes[i] = code
  }
  return bytes
}

/**
 * Draws the symbol with its top left corner at (x, y); `turned`, its rows run down the page. One path for all bars: a reader that smooths edges then leaves
 * no pale seam between rows. Vectors, not an image, so that every printer draws its own sharpest edge.
 */
export function drawStamp(canvas: Canvas, bytes: Uint8Array, stamp: Stamp, x: number, y: number, turned = false): void {
  const { module, row } = stamp
  const [width, height] = turned ? [stamp.height, stamp.width] : [stamp.width, stamp.height]
  const quiet = QUIET_MODULES * module
  canvas.fill(x - quiet, y - quiet, width + 2 * quiet, height + 2 * quiet, '1 1 1')
  const path = tracePath(encodePdf417(bytes, stamp.shape))
  const unit = module / UNITS
  const matrix = turned ? [0, unit, -row, 0, x + width, y] : [unit, 0, 0, row, x, y]
  canvas.transformed(matrix, `${BLACK} rg ${path} f`)
}

/**
 * Parts of a module that the path counts in. A bar gives up one of them on either side: printers paint every dot that a
 * shape touches, so an edge a hair beyond its dot would print a bar too wide and a space too narrow. Giving up more is
 * worse: bars that a scanner sees on half dots then fade.
 */
const UNITS = 200

/**
 * Rectangles in two-hundredths of a module across and rows down, as the text of PDF operators. Four thousand of them make
 * most of a page, so they are written as bytes; strings would cost more than the rest of the page together.
 */
function tracePath({ columns, rows, patterns }: Pdf417): string {
  const across = columns + 2
  const out = new Uint8Array((patterns.length * 4 + 9) * LONGEST_RECTANGLE)
  let at = writeBars(out, 0, barsOf(START_PATTERN, 17), 0, 0, rows)
  at = writeBars(out, at, barsOf(STOP_PATTERN, 18), (across + 1) * 17, 0, rows)
  for (let row = 0, i = 0; row < rows; row++) {
    for (let column = 1; column <= across; column++, i++) {
      at = writeBars(out, at, cachedBars(patterns[i] ?? 0), column * 17, row, 1)
    }
  }
  return new TextDecoder('latin1').decode(out.subarray(0, at))
}

/** `99999 99 999 99 re ` */
const LONGEST_RECTANGLE = 20
const [ZERO, SPACE, R, E] = [0x30, 0x20, 0x72, 0x65]

/** Bars of a pattern: offset and width of each, one after the other. */
type Bars = Uint8Array

function writeBars(out: Uint8Array, start: number, bars: Bars, x: number, row: number, height: number): number {
  let at = start
  for (let i = 0; i < bars.length; i += 2) {
    at = writeInteger(out, at, (x + (bars[i] ?? 0)) * UNITS + 1)
    at = writeInteger(out, at, row)
    at = writeInteger(out, at, (bars[i + 1] ?? 0) * UNITS - 2)
    at = writeInteger(out, at, height)
    out[at++] = R
    out[at++] = E
    out[at++] = SPACE
  }
  return at
}

/** An integer below 100,000 and a space. */
function writeInteger(out: Uint8Array, start: number, value: number): number {
  let at = start
  if (value > 9999) out[at++] = ZERO + ((value / 10000) | 0)
  if (value > 999) out[at++] = ZERO + (((value % 10000) / 1000) | 0)
  if (value > 99) out[at++] = ZERO + (((value % 1000) / 100) | 0)
  if (value > 9) out[at++] = ZERO + (((value % 100) / 10) | 0)
  out[at++] = ZERO + (value % 10)
  out[at++] = SPACE
  return at
}

const known = new Map<number, Bars>()

function cachedBars(pattern: number): Bars {
  let bars = known.get(pattern)
  if (!bars) {
    bars = barsOf(pattern, 17)
    known.set(pattern, bars)
  }
  return bars
}

function barsOf(pattern: number, modules: number): Bars {
  const runs = pattern.toString(2).padStart(modules, '0').match(/1+|0+/g) ?? []
  const bars: number[] = []
  let offset = 0
  for (const run of runs) {
    if (run.startsWith('1')) bars.push(offset, run.length)
    offset += run.length
  }
  return Uint8Array.from(bars)
}
