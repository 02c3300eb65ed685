import { CLUSTERS } from './pdf417-patterns.ts'

/**
 * PDF417 in byte compaction (ISO/IEC 15438:2006). The timbre is a run of ISO-8859-1 bytes, and byte compaction is the
 * only mode that returns every one of them untouched, whatever the reader thinks of character sets.
 */
export interface Pdf417 extends Shape {
  /** Row by row: left indicator, data columns, right indicator. Each is 17 modules, bit 16 leftmost, 1 for a bar. */
  readonly patterns: Int32Array
}

export const START_PATTERN = 0x1fea8
export const STOP_PATTERN = 0x3fa29
/** Modules a row takes besides its data columns: start 17, two indicators of 17, stop 18. */
export const FIXED_MODULES = 69
const MAX_ROWS = 90

/** The level the SII asks for: Manual de Muestras Impresas v4.0, section on the timbre. */
const LEVEL = 5
const MAX_CODEWORDS = 928
const PRIME = 929
const PAD = 900
const LATCH_BYTES = 901
const LATCH_BYTES_BY_SIX = 924

export interface Shape {
  readonly columns: number
  readonly rows: number
  readonly level: number
}

/**
 * The rectangle that holds so many bytes in the given number of data columns (1 to 30), or null when none does. It has
 * the SII's level while that fits (1,034 bytes; a timbre with its usual 512-bit keys takes about 800). Beyond that, a
 * weaker symbol that can be read is worth more than a document that cannot be printed.
 */
export function shapePdf417(length: number, columns: number): Shape | null {
  const data = 2 + Math.floor(length / 6) * 5 + (length % 6)
  for (let level = LEVEL; level >= 0; level--) {
    const rows = Math.max(3, Math.ceil((data + (2 << level)) / columns))
    if (rows <= MAX_ROWS && rows * columns <= MAX_CODEWORDS) return { columns, rows, level }
  }
  return null
}

/** Encodes the bytes in a rectangle that `shapePdf417` gave for their number. */
export function encodePdf417(bytes: Uint8Array, { columns, rows, level }: Shape): Pdf417 {
  const total = rows * columns
  const checks = 2 << level
  const codewords = new Int32Array(total)
  compactBytes(bytes, codewords, total - checks)
  appendErrorCorrection(codewords, total - checks, checks)
  return { columns, rows, level, patterns: drawRows(codewords, columns, rows, level) }
}

/** Six bytes are a number below 900 to the fifth: 48 bits, exact in a double. Bytes left over go one a codeword. */
function compactBytes(bytes: Uint8Array, codewords: Int32Array, dataLength: number): void {
  codewords[0] = dataLength
  codewords[1] = bytes.length % 6 === 0 ? LATCH_BYTES_BY_SIX : LATCH_BYTES
  let at = 2
  let i = 0
  for (; i + 6 <= bytes.length; i += 6, at += 5) {
    let value = 0
    for (let j = i; j < i + 6; j++) value = value * 256 + (bytes[j] ?? 0)
    for (let place = at + 4; place >= at; place--) {
      const quotient = Math.floor(value / 900)
      codewords[place] = value - quotient * 900
      value = quotient
    }
  }
  for (; i < bytes.length; i++) codewords[at++] = bytes[i] ?? 0
  codewords.fill(PAD, at, dataLength)
}

/** Reed-Solomon over the integers modulo 929 with generator 3 (clause 5.10). */
function appendErrorCorrection(codewords: Int32Array, dataLength: number, checks: number): void {
  const coefficients = generatorPolynomial(checks)
  const remainder = new Int32Array(checks)
  for (let i = 0; i < dataLength; i++) {
    const factor = ((codewords[i] ?? 0) + (remainder[0] ?? 0)) % PRIME
    for (let j = 0; j < checks - 1; j++) {
      remainder[j] = ((remainder[j + 1] ?? 0) + factor * (coefficients[j] ?? 0)) % PRIME
    }
    remainder[checks - 1] = (factor * (coefficients[checks - 1] ?? 0)) % PRIME
  }
  for (let j = 0; j < checks; j++) codewords[dataLength + j] = (PRIME - (remainder[j] ?? 0)) % PRIME
}

const generators = new Map<number, Int32Array>()

/** Product of (x - 3^i), i from 1: the coefficients after the leading 1, highest power first, negated once here. */
function generatorPolynomial(checks: number): Int32Array {
  const known = generators.get(checks)
  if (known) return known
  let polynomial = [1]
  let root = 1
  for (let i = 0; i < checks; i++) {
    root = (root * 3) % PRIME
    const next = [...polynomial, 0]
    for (let j = 0; j < polynomial.length; j++) {
      next[j + 1] = ((next[j + 1] ?? 0) + (PRIME - root) * (polynomial[j] ?? 0)) % PRIME
    }
    polynomial = next
  }
  const negated = Int32Array.from(polynomial.slice(1), (coefficient) => (PRIME - coefficient) % PRIME)
  generators.set(checks, negated)
  return negated
}

/** Adds to every row the indicators that tell a reader the shape of the symbol (clause 5.11.3). */
function drawRows(codewords: Int32Array, columns: number, rows: number, level: number): Int32Array {
  const patterns = new Int32Array(rows * (columns + 2))
  const shape = [Math.floor((rows - 1) / 3), level * 3 + ((rows - 1) % 3), columns - 1] as const
  let at = 0
  for (let row = 0; row < rows; row++) {
    const turn = row % 3
    const cluster = CLUSTERS[turn] ?? CLUSTERS[0]
    const base = 30 * Math.floor(row / 3)
    patterns[at++] = cluster[base + (shape[turn] ?? 0)] ?? 0
    for (let column = 0; column < columns; column++) {
      patterns[at++] = cluster[codewords[row * columns + column] ?? 0] ?? 0
    }
    patterns[at++] = cluster[base + (shape[(turn + 2) % 3] ?? 0)] ?? 0
  }
  return patterns
}
