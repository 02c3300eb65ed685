import { type Entry, ivaOf } from '../rcv/entries.ts'

/** What the proposal of a month is computed from. */
export interface F29Inputs {
  readonly sales: readonly Entry[]
  /** Those in state REGISTRO. */
  readonly purchases: readonly Entry[]
  /** Credit left over from the month before, code 77 of it. */
  readonly carried: number
  /** Percent, as written in code 115. */
  readonly ppm_rate: string
}

type Codes = Record<string, number>

/**
 * The codes of the F29 that follow from the registers. Which register feeds which code is by the form's own lines;
 * additional taxes, exports and payroll are no part of it.
 */
export function proposeF29({ sales, purchases, carried, ppm_rate }: F29Inputs): Readonly<Record<string, string>> {
  const codes: Codes = {}
  const sold = (...tipos: number[]) => sales.filter(({ document }) => tipos.includes(document.facts.tipo))
  const bought = (...tipos: number[]) => purchases.filter(({ document }) => tipos.includes(document.facts.tipo))
  const kind = (entries: readonly Entry[], ...kinds: number[]) => entries.filter((entry) => kinds.includes(entry.kind))

  put(codes, 503, 502, kind(sold(33), 1, 3), ivaSold)
  put(codes, 716, 717, kind(sold(33), 2), ivaSold)
  put(codes, 110, 111, sold(39), ivaSold)
  put(codes, 512, 513, sold(56), ivaSold)
  put(codes, 509, 510, sold(61), ivaSold)
  const exempt = sales.filter(({ document }) => document.facts.exempt > 0 && document.facts.tipo !== 61)
  put(codes, 586, 142, exempt, ({ document }) => document.facts.exempt)

  put(codes, 519, 520, kind(bought(33, 46), 1), ivaBought)
  put(codes, 761, 762, kind(bought(33, 46), 2), ivaBought)
  put(codes, 765, 766, kind(bought(33, 46), 3), ivaBought)
  put(codes, 524, 525, kind(bought(33, 46), 4), ivaBought)
  put(codes, 531, 532, bought(56), ivaBought)
  put(codes, 527, 528, bought(61), ivaBought)
  put(codes, 564, 521, kind(bought(33, 46), 6), ({ document }) => document.facts.net)
  const without = purchases.filter(({ document }) => document.facts.exempt > 0 && document.facts.tipo !== 61)
  put(codes, 584, 562, without, ({ document }) => document.facts.exempt)

  const code = (number: number) => codes[number] ?? 0
  codes[538] = code(502) + code(717) + code(111) + code(513) - code(510)
  codes[511] = code(520) + code(762) + code(766) + code(525) + code(532) - code(528)
  codes[504] = carried
  codes[537] = code(511) + carried
  codes[89] = Math.max(0, code(538) - code(537))
  codes[77] = Math.max(0, code(537) - code(538))
  codes[39] = bought(46).reduce((sum, { document }) => sum + document.facts.iva_withheld, 0)
  codes[596] = code(39)
  codes[563] = Math.max(
    0,
    sales.reduce((sum, { document: { facts } }) => sum + signOf(facts.tipo) * (facts.net + facts.exempt), 0),
  )
  codes[62] = Math.round((code(563) * Number(ppm_rate)) / 100)
  codes[595] = code(89) + code(62)
  codes[547] = code(595) + code(596)
  codes[91] = code(547)
  const written = Object.fromEntries(Object.entries(codes).map(([number, value]) => [number, String(value)]))
  return { ...written, 115: ppm_rate }
}

function put(codes: Codes, count: number, amount: number, entries: readonly Entry[], value: (entry: Entry) => number) {
  codes[count] = entries.length
  codes[amount] = entries.reduce((sum, entry) => sum + value(entry), 0)
}

function ivaSold({ document }: Entry): number {
  return document.facts.iva
}

function ivaBought(entry: Entry): number {
  return ivaOf(entry).recoverable
}

function signOf(tipo: number): 1 | -1 {
  return tipo === 61 ? -1 : 1
}
