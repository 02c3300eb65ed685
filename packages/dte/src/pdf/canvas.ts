import { type Face, literal, widthOf, wrap } from './face.ts'

/** Colours as PDF operands. Ink is not quite black, which reads better on paper; red is that of the SII's box. */
export const INK = '0.1 0.12 0.15'
export const BLACK = '0 0 0'
export const MUTED = '0.42 0.45 0.5'
export const HAIRLINE = '0.82 0.84 0.87'
export const FAINT = '0.92 0.93 0.94'
export const RED = '0.78 0.06 0.1'

export interface TextStyle {
  readonly face?: Face
  readonly size: number
  readonly color?: string
  /** Against `width`; text starts at x when there is none. */
  readonly align?: 'left' | 'center' | 'right'
  readonly width?: number
  /** Space added between letters, in points. */
  readonly tracking?: number
}

export interface Sheet {
  readonly width: number
  height: number
  readonly operators: string[]
}

/** Distance between the baselines of two lines of a paragraph. */
export function leading(size: number): number {
  return size * 1.28
}

const number = (value: number): string => String(Math.round(value * 100) / 100)

/**
 * Pages as lists of PDF operators, y growing downwards. Text is placed by its baseline with metrics kept in memory:
 * pdfkit's own text engine measures and breaks every line anew and takes most of the time of a page.
 */
export class Canvas {
  readonly sheets: Sheet[] = []
  #sheet: Sheet = { width: 0, height: 0, operators: [] }
  #style = ''

  addSheet(width: number, height: number): void {
    this.#sheet = { width, height, operators: [] }
    this.#style = ''
    this.sheets.push(this.#sheet)
  }

  /** Goes back to a sheet, to write what is known only at the end. */
  select(index: number): void {
    this.#sheet = this.sheets[index] ?? this.#sheet
    this.#style = ''
  }

  /** Draws under everything that the sheet in use already has. */
  below(draw: () => void): void {
    const above = this.#sheet.operators.splice(0)
    draw()
    for (const operators of above) this.#sheet.operators.push(operators)
  }

  /** Fixes the height of the sheet in use: a roll is as long as what was printed on it. */
  trim(height: number): void {
    this.#sheet.height = height
  }

  /** One line of text; y is its baseline. */
  text(x: number, y: number, text: string, style: TextStyle): void {
    if (text === '') return
    const { face = 'regular', size, color = INK, align = 'left', width = 0, tracking = 0 } = style
    let left = x
    if (align !== 'left') {
      const free = width - widthOf(face, text, size) - tracking * (text.length - 1)
      left += align === 'right' ? free : free / 2
    }
    const setting = `${color} rg /${face === 'bold' ? 'F2' : 'F1'} ${number(size)} Tf ${number(tracking)} Tc`
    const change = setting === this.#style ? '' : `${setting} `
    this.#style = setting
    this.#sheet.operators.push(`BT ${change}1 0 0 -1 ${number(left)} ${number(y)} Tm (${literal(text)}) Tj ET`)
  }

  /** A paragraph whose first line has its top at y; returns where the next thing may start. */
  paragraph(x: number, y: number, text: string, style: TextStyle & { readonly width: number }): number {
    const lines = wrap(style.face ?? 'regular', text, style.size, style.width)
    const step = leading(style.size)
    for (const [i, line] of lines.entries()) this.text(x, y + style.size * 0.92 + i * step, line, style)
    return y + lines.length * step
  }

  rule(x1: number, y1: number, x2: number, y2: number, thickness = 0.5, color = HAIRLINE): void {
    this.raw(`${color} RG ${number(thickness)} w ${number(x1)} ${number(y1)} m ${number(x2)} ${number(y2)} l S`)
  }

  box(x: number, y: number, width: number, height: number, thickness: number, color: string): void {
    this.raw(`${color} RG ${number(thickness)} w ${number(x)} ${number(y)} ${number(width)} ${number(height)} re S`)
  }

  fill(x: number, y: number, width: number, height: number, color: string): void {
    this.#style = ''
    this.raw(`${color} rg ${number(x)} ${number(y)} ${number(width)} ${number(height)} re f`)
  }

  /** Draws under a transformation of its own and restores the state after it. */
  transformed(matrix: readonly number[], operators: string): void {
    this.raw(`q ${matrix.map((value) => String(Math.round(value * 1e8) / 1e8)).join(' ')} cm ${operators} Q`)
  }

  /** Text under a matrix that turns it; the letters are upright in a space whose y grows downwards. */
  watermark(matrix: readonly number[], text: string, size: number, color: string): void {
    const letters = `BT ${color} rg /F2 ${number(size)} Tf 0 Tc 1 0 0 -1 0 0 Tm (${literal(text)}) Tj ET`
    this.transformed(matrix, letters)
  }

  raw(operators: string): void {
    this.#sheet.operators.push(operators)
  }
}
