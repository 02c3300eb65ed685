import { inflateSync } from 'node:zlib'

/** A page of a PDF as far as the review of samples goes: its words, and the dark rectangles of which barcodes are drawn. */
export interface PdfPage {
  readonly text: string
  /** The rectangles that one stroke of the brush filled, for the stroke that filled most. */
  readonly bars: readonly Rectangle[]
}

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What is unpacked of one file: a page of 500 KB has far less. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_STREAMS = 200

/**
 * Reads the pages of a PDF from its content streams. It is no PDF reader: it knows text in simple fonts and filled
 * rectangles, which is how stamps are drawn as vectors; a stamp that is a picture is not seen.
 */
export function readPdf(file: Uint8Array): PdfPage[] {
  let left = MOST_BYTES
  const pages: PdfPage[] = []
  for (const stream of streamsOf(Buffer.from(file))) {
    let operators: string
    try {
      operators = inflateSync(stream, { maxOutputLength: left }).toString('latin1')
    } catch {
      continue
    }
    left -= operators.length
    if (!/\bTj\b|\bTJ\b|\bre\b/.test(operators)) continue
    pages.push(draw(operators))
    if (left <= 0) break
  }
  return pages.filter(({ text, bars }) => text !== '' || bars.length > 0)
}

function* streamsOf(file: Buffer): Generator<Buffer> {
  let at = 0
  for (let found = 0; found < MOST_STREAMS; found++) {
    const start = file.indexOf('stream', at)
    if (start < 0) return
    const end = file.indexOf('endstream', start)
    if (end < 0) return
    const head = file.subarray(Math.max(0, start - 400), start).toString('latin1')
    const dictionary = head.slice(head.lastIndexOf('obj') + 3)
    at = end + 'endstream'.length
    if (!dictionary.includes('/FlateDecode') || dictionary.includes('/Image')) continue
    const from = file[start + 6] === 0x0d ? start + 8 : start + 7
    yield file.subarray(from, end)
  }
}

type Matrix = readonly [number, number, number, number, number, number]
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

const TOKEN = /\((?:\\[\s\S]|[^\\()])*\)|<[0-9A-Fa-f\s]*>|[-+]?\d*\.?\d+|[[\]]|\/[^\s/[\]()<>]+|[A-Za-z'"*]+/g

function draw(operators: string): PdfPage {
  const texts: string[] = []
  let matrix = IDENTITY
  const kept: Matrix[] = []
  let operands: string[] = []
  let path: Rectangle[] = []
  let bars: readonly Rectangle[] = []
  for (const [token] of operators.matchAll(TOKEN)) {
    if (!/^[A-Za-z'"*]+$/.test(token)) {
      operands.push(token)
      continue
    }
    const numbers = operands.map(Number)
    if (token === 'q') kept.push(matrix)
    else if (token === 'Q') matrix = kept.pop() ?? IDENTITY
    else if (token === 'cm') matrix = times(numbers.slice(-6) as unknown as Matrix, matrix)
    else if (token === 're') path.push(placed(numbers.slice(-4), matrix))
    else if (token === 'Tj' || token === 'TJ' || token === "'") texts.push(operands.map(textIn).join(''))
    else if (/^[fFbBsSn]/.test(token)) {
      if (/^[fFbB]/.test(token) && path.length > bars.length) bars = path
      path = []
    }
    operands = []
  }
  return { text: texts.join(' '), bars }
}

function times([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

/** Pages are drawn upright: a matrix may move, stretch and mirror. */
function placed([x = 0, y = 0, width = 0, height = 0]: readonly number[], [a, , , d, e, f]: Matrix): Rectangle {
  const [left, top] = [x * a + e, y * d + f]
  const [right, bottom] = [(x + width) * a + e, (y + height) * d + f]
  return {
    x: Math.min(left, right),
    y: -Math.max(top, bottom),
    width: Math.abs(right - left),
    height: Math.abs(bottom - top),
  }
}

function textIn(operand: string): string {
  if (operand.startsWith('(')) return operand.slice(1, -1).replace(/\\([\s\S])/g, '$1')
  if (operand.startsWith('<')) return Buffer.from(operand.replace(/[<>\s]/g, ''), 'hex').toString('latin1')
  return ''
}
