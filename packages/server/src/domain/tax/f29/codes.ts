import { LINES, type Section, type Total } from './lines.ts'

export type CodeKind = 'count' | 'amount' | 'rate' | 'total'

/** A code of the form, and how it stands in it. */
export interface CodeEntry {
  readonly code: number
  readonly line: number
  readonly section: Section
  readonly label: string
  readonly kind: CodeKind
  readonly sign: '+' | '-' | '=' | null
  /** Null where only an override fills it. */
  readonly formula: string | null
  readonly into: Total | null
  /** The code that counts the documents of an amount. */
  readonly counted_by: number | null
}

const sumOf = (total: Total): string =>
  LINES.filter(({ into }) => into === total)
    .map(({ amount, minus }, i) => `${minus ? ' - ' : i === 0 ? '' : ' + '}${amount}`)
    .join('')

const fromLines: CodeEntry[] = LINES.flatMap(({ line, section, label, count, amount, into, minus, from }) => {
  const shared = { line, section, label, formula: from ?? null }
  const sign = into === undefined ? null : minus ? ('-' as const) : ('+' as const)
  const counted = count === undefined ? [] : [{ ...shared, code: count, kind: 'count' as const, sign: null }]
  return [
    ...counted.map((entry) => ({ ...entry, into: null, counted_by: null })),
    { ...shared, code: amount, kind: 'amount' as const, sign, into: into ?? null, counted_by: count ?? null },
  ]
})

const computed = (code: number, line: number, section: Section, label: string, formula: string): CodeEntry => ({
  code,
  line,
  section,
  label,
  kind: 'total',
  sign: '=',
  formula,
  into: null,
  counted_by: null,
})

// Whatever the form works out by itself. The tax of the month and the withheld IVA are never offset by a remanente.
// biome-ignore format: one sum per line
const TOTALS: readonly CodeEntry[] = [
  computed(538, 23, 'ventas', 'Total débitos', sumOf(538)),
  computed(537, 49, 'compras', 'Total créditos', sumOf(537)),
  computed(89, 50, 'iva', 'IVA determinado', 'max(0, 538 - 537)'),
  computed(77, 50, 'iva', 'Remanente de crédito para el mes siguiente', 'max(0, 537 - 538)'),
  { ...computed(115, 69, 'ppm', 'PPM: tasa', 'ppm_rate'), kind: 'rate', sign: null },
  { ...computed(62, 69, 'ppm', 'PPM neto determinado', 'max(0, round(563 x 115 / 100) - 68)'), sign: '+', into: 595 },
  computed(595, 80, 'totales', 'Subtotal impuesto determinado', `89 + 62 + ${sumOf(595)}`),
  computed(596, 122, 'cambio_sujeto', 'Retención por cambio de sujeto', sumOf(596)),
  computed(547, 140, 'totales', 'Total determinado', '595 + 596'),
  computed(91, 141, 'totales', 'Total a pagar dentro del plazo', '547 - 755'),
  computed(94, 144, 'totales', 'Total a pagar con recargo', '91 + 92 + 93 - 795'),
]

/** Every code we know, in the order of the form. */
export const CODES: readonly CodeEntry[] = [...fromLines, ...TOTALS].sort((one, other) => one.line - other.line)

const byCode = new Map(CODES.map((entry) => [entry.code, entry]))

export function codeEntry(code: number): CodeEntry | null {
  return byCode.get(code) ?? null
}

/** Whether the form works it out: such a code follows from the others and is never set by hand. */
export function isComputed({ kind }: CodeEntry): boolean {
  return kind === 'total' || kind === 'rate'
}

/** Shown also when nothing is in them: what every declaration has. The others only when they hold something. */
export const ALWAYS_SHOWN: ReadonlySet<number> = new Set([
  585, 20, 586, 142, 503, 502, 110, 111, 758, 759, 512, 513, 509, 510, 716, 717, 538, 564, 521, 584, 562, 511, 514, 519,
  520, 761, 762, 765, 766, 524, 525, 527, 528, 531, 532, 534, 535, 504, 537, 89, 77, 39, 736, 596, 563, 115, 62, 48,
  151, 595, 547, 91,
])
