import { inflateSync } from 'node:zlib'

/** A text as it stands in the file: what it says, where, and how large. */
export interface PlacedText {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size: number
  readonly bold: boolean
}

export interface ReadPage {
  readonly width: number
  readonly height: number
  readonly texts: readonly PlacedText[]
  /** Whether a timbre is drawn: no other drawing has a path of thousands of rectangles. */
  readonly stamped: boolean
}

const latin1 = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)

/** Reads back the pages that `renderPdf` wrote, from the bytes alone. */
export function readPages(pdf: Uint8Array): ReadPage[] {
  const file = latin1(pdf)
  const boxes = [...file.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  return pageStreams(pdf, file).map((operators, i) => ({
    width: Number(boxes[i]?.[1]),
    height: Number(boxes[i]?.[2]),
    texts: readTexts(operators),
    stamped: (operators.match(/ re /g)?.length ?? 0) > 1000,
  }))
}

/** What a person reads on all pages, with a space between pieces. */
export function readText(pdf: Uint8Array): string {
  return readPages(pdf)
    .flatMap(({ texts }) => texts.map(({ text }) => text))
    .join(' ')
}

function pageStreams(pdf: Uint8Array, file: string): string[] {
  const streams: string[] = []
  for (const match of file.matchAll(/<<([^<>]*)>>\nstream\n/g)) {
    if (!match[1]?.includes('/FlateDecode') || match[1].includes('/Image')) continue
    const start = match.index + match[0].length
    const length = Number(/\/Length (\d+)/.exec(match[1])?.[1])
    const operators = latin1(inflateSync(pdf.subarray(start, start + length)))
    if (operators.includes(' Tj ET')) streams.push(operators)
  }
  return streams
}

function readTexts(operators: string): PlacedText[] {
  let [font, size] = ['F1', 0]
  const texts: PlacedText[] = []
  const pattern =
    /BT (?:[\d. ]+ rg \/(F\d) ([\d.]+) Tf [\d.]+ Tc )?1 0 0 -1 (-?[\d.]+) (-?[\d.]+) Tm \(((?:\\.|[^\\)])*)\) Tj ET/g
  for (const [, newFont, newSize, x, y, literal = ''] of operators.matchAll(pattern)) {
    if (newFont) [font, size] = [newFont, Number(newSize)]
    const text = literal.replace(/\\(.)/g, '$1')
    texts.push({ text, x: Number(x), y: Number(y), size, bold: font === 'F2' })
  }
  return texts
}
