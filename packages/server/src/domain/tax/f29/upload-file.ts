import { parseRut } from '@timbre/dte/values'
import { LINES } from './form.ts'

// "Estructura de archivo UPLOAD F29", SII, Subdirección de Informática, 2016: lines of 81 characters in ISO-8859-1,
// plain upper case, ended by CR LF. A person loads the file at the SII, which works out the totals again.
const EOL = '\r\n'
const PER_LINE = 4
const WIDTH = 81
const VALUE = 15
const FORM_VERSION = 2

/** A code with a value: a number of pesos or documents, or text. */
export type Cell = readonly [code: number, value: number | string]

export interface UploadSubject {
  readonly rut: string
  readonly legal_name: string
  /** `YYYY-MM` */
  readonly period: string
}

const lineOf = (code: number) => LINES.find(({ amount }) => amount === code)
const pairs = (...codes: number[]) =>
  codes.flatMap((code) => [lineOf(code)?.count, code].filter((one) => one !== undefined))

/** Codes that the form does not work out by itself, in the order of the file. */
// biome-ignore format: one block of the form per line
const ORDER: readonly number[] = [
  ...pairs(502, 764, 717, 111, 759),
  ...pairs(20, 142, 732, 715, 587, 720),
  ...pairs(513, 510, 709, 734, 517, 501, 154, 518, 713, 791),
  ...pairs(521, 560, 562),
  ...pairs(520, 762, 766, 525, 528, 532, 535, 553),
  ...pairs(504, 593, 594, 592, 539, 718, 790, 164, 730, 742, 743, 127, 729, 744, 745, 544, 523, 712, 757, 755),
  ...pairs(522, 526, 113, 28, 548, 540, 541),
  ...pairs(577, 32, 150, 146, 752, 545, 546, 710),
  ...pairs(575, 576, 574, 33, 580, 149, 582, 85, 753, 754, 551, 559, 508, 533, 552),
  ...pairs(556, 557, 558),
  ...pairs(39, 554, 736, 597, 555),
  ...pairs(50, 48, 151, 153, 49, 155, 54, 56),
  30, 563, 115, 68, 62, 66, 723, 152, 70,
]

function cell([code, value]: Cell): string {
  const name = String(code).padStart(4, '0')
  if (typeof value === 'number') return `${name}+${String(value).padStart(VALUE, '0')}`
  return `${name} ${value.slice(0, VALUE).padEnd(VALUE)}`
}

/** Upper case without accents: the file knows no others. */
function plain(text: string): string {
  const bare = text.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  return bare.toUpperCase().replace(/[^\x20-\x7e]/g, ' ')
}

function headOf({ rut, period }: UploadSubject, records: number): string {
  const { number, check_digit } = rutOf(rut)
  const fixed = ['000', '00', '0'.repeat(10), '0'.repeat(10), '0'.repeat(9), '0'.repeat(8), '0'.repeat(6)]
  const month = period.replace('-', '')
  return `0${month}0029${String(records).padStart(6, '0')}${number}${check_digit}${fixed.join('')}${'WIN'.padEnd(7)}`
}

function rutOf(rut: string): { number: string; check_digit: string } {
  const parsed = parseRut(rut)
  if (!parsed) throw new Error(`not a RUT: ${rut}`)
  return { number: String(parsed.number).padStart(8, '0'), check_digit: parsed.check_digit }
}

/** A rate is written as text with a dot. */
export interface UploadFigure {
  readonly code: number
  readonly amount: number | null
  readonly rate: number | null
}

function cellsOf(figures: readonly UploadFigure[]): Cell[] {
  const by_code = new Map(figures.map((figure) => [figure.code, figure]))
  return ORDER.flatMap((code): Cell[] => {
    const { amount, rate } = by_code.get(code) ?? { amount: null, rate: null }
    if (rate !== null && rate > 0) return [[code, String(rate)]]
    return amount !== null && amount > 0 ? [[code, amount]] : []
  })
}

/** The name under which the SII takes it. */
export function uploadFileName({ rut }: Pick<UploadSubject, 'rut'>): string {
  return `${rutOf(rut).number}.txt`
}

export function writeUploadFile(subject: UploadSubject, figures: readonly UploadFigure[]): Buffer {
  const { number, check_digit } = rutOf(subject.rut)
  const cells: Cell[] = [
    [3, `${number}${check_digit}`.padStart(VALUE, '0')],
    [1, plain(subject.legal_name)],
    [15, subject.period.replace('-', '')],
    // The SII gives the folio when it takes the declaration.
    [7, 0],
    ...cellsOf(figures),
    [8707, FORM_VERSION],
  ]
  const details: string[] = []
  for (let i = 0; i < cells.length; i += PER_LINE) {
    details.push(
      `1${cells
        .slice(i, i + PER_LINE)
        .map(cell)
        .join('')}`.padEnd(WIDTH),
    )
  }
  const lines = [headOf(subject, details.length + 1), ...details]
  return Buffer.from(lines.map((line) => line + EOL).join(''), 'latin1')
}
