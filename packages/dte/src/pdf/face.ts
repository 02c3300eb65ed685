import PDFDocument from 'pdfkit'

/**
 * The two faces of the page. Helvetica is one of the fonts every PDF reader carries, so nothing is embedded and a page
 * weighs little; its digits share one width, which keeps columns of amounts aligned.
 */
export type Face = 'regular' | 'bold'

export const FONT_NAMES: Readonly<Record<Face, string>> = { regular: 'Helvetica', bold: 'Helvetica-Bold' }

/** WinAnsi is ISO-8859-1 plus these; a footer or a watermark may use them, a DTE cannot. */
const WINANSI_EXTRA: Readonly<Record<string, number>> = {
  '€': 0x80,
  '‚': 0x82,
  ƒ: 0x83,
  '„': 0x84,
  '…': 0x85,
  '†': 0x86,
  '‡': 0x87,
  ˆ: 0x88,
  '‰': 0x89,
  Š: 0x8a,
  '‹': 0x8b,
  Œ: 0x8c,
  Ž: 0x8e,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '•': 0x95,
  '–': 0x96,
  '—': 0x97,
  '˜': 0x98,
  '™': 0x99,
  š: 0x9a,
  '›': 0x9b,
  œ: 0x9c,
  ž: 0x9e,
  Ÿ: 0x9f,
}
const QUESTION_MARK = 0x3f

/** The byte of a UTF-16 unit in WinAnsi. A character without one prints as a question mark: visible, never dropped. */
function byteOf(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff)) return code
  if (code < 0x20) return 0x20
  return WINANSI_EXTRA[text.charAt(index)] ?? QUESTION_MARK
}

const widths = new Map<Face, Float64Array>()

/** Advance of each WinAnsi byte in thousandths of the size, measured once by pdfkit from the font's own metrics. */
function widthsOf(face: Face): Float64Array {
  const known = widths.get(face)
  if (known) return known
  const doc = new PDFDocument({ autoFirstPage: false, info: { CreationDate: new Date(0) } })
  doc.font(FONT_NAMES[face]).fontSize(1000)
  const measured = new Float64Array(256)
  const extra = new Map(Object.entries(WINANSI_EXTRA).map(([character, byte]) => [byte, character]))
  for (let byte = 0x20; byte < 256; byte++) {
    measured[byte] = doc.widthOfString(extra.get(byte) ?? String.fromCharCode(byte))
  }
  widths.set(face, measured)
  return measured
}

export function widthOf(face: Face, text: string, size: number): number {
  const advance = widthsOf(face)
  let total = 0
  for (let i = 0; i < text.length; i++) total += advance[byteOf(text, i)] ?? 0
  return (total * size) / 1000
}

/** The text as the inside of a PDF literal string. */
export function literal(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const byte = byteOf(text, i)
    if (byte === 0x28 || byte === 0x29 || byte === 0x5c) out += '\\'
    out += String.fromCharCode(byte)
  }
  return out
}

/** Breaks a text into lines no wider than `width`: at spaces, or inside a word that is wider alone. Nothing is cut. */
export function wrap(face: Face, text: string, size: number, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split(/\r?\n/)) {
    if (widthOf(face, paragraph, size) <= width) lines.push(paragraph)
    else wrapParagraph(lines, face, paragraph, size, width)
  }
  return lines
}

function wrapParagraph(lines: string[], face: Face, paragraph: string, size: number, width: number): void {
  const space = widthOf(face, ' ', size)
  let line = ''
  let used = 0
  for (const word of paragraph.split(/[ \t]+/)) {
    if (word === '') continue
    for (const piece of breakWord(face, word, size, width)) {
      const advance = widthOf(face, piece, size)
      if (line !== '' && used + space + advance > width) {
        lines.push(line)
        line = ''
        used = 0
      }
      used += advance + (line === '' ? 0 : space)
      line = line === '' ? piece : `${line} ${piece}`
    }
  }
  if (line !== '') lines.push(line)
}

/** A word wider than the column (an address, a code without spaces) is split where it no longer fits. */
function breakWord(face: Face, word: string, size: number, width: number): string[] {
  if (widthOf(face, word, size) <= width) return [word]
  const pieces: string[] = []
  let start = 0
  let used = 0
  for (let i = 0; i < word.length; i++) {
    const advance = widthOf(face, word.charAt(i), size)
    if (i > start && used + advance > width) {
      pieces.push(word.slice(start, i))
      start = i
      used = 0
    }
    used += advance
  }
  pieces.push(word.slice(start))
  return pieces
}
