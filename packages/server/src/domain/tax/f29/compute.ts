import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../../kernel/problem.ts'
import type { Indicators } from '../../platform/indicator/indicators.ts'
import { SHIPPED } from '../../platform/indicator/shipped.ts'
import { classify } from './classify.ts'
import type { EntryGroup } from './entry-group.ts'
import { ALWAYS_SHOWN, CODES, type CodeEntry, LINES, type Total } from './form.ts'
import type { F29Inputs } from './inputs.ts'
import { leftOutWarnings } from './left-out.ts'
import { scaled, timesFraction } from './ratio.ts'
import { type Remanente, readjustRemanente } from './remanente.ts'
import { addSurcharge, type Payment, SURCHARGES } from './surcharge.ts'
import { type Warning, warning } from './warnings.ts'

export interface Override {
  readonly code: number
  readonly amount: number
  readonly reason: string
}

export interface ComputeInput {
  readonly groups: readonly EntryGroup[]
  readonly inputs: F29Inputs
  readonly remanente: Remanente
  /** What else the period before left over, by the code that it comes back in: 508, 540, 557. */
  readonly carried?: ReadonlyMap<number, number>
  readonly overrides: readonly Override[]
  /** Left out: those that the program carries. */
  readonly indicators?: Indicators
  /** Left out: it is paid in term. */
  readonly payment?: Payment
}

/** A code with its figure and the groups of entries behind it. */
export interface Figure {
  readonly code: number
  /** Whole pesos or documents, never negative: the sign belongs to the line. Null for the rate alone. */
  readonly amount: number | null
  readonly rate: number | null
  readonly source: 'entries' | 'codes' | 'input' | 'override' | 'none'
  /** What it would be without the override. */
  readonly computed_amount: number | null
  /** Ordinals of the groups behind it. */
  readonly groups: readonly number[]
}

export interface Computed {
  readonly figures: readonly Figure[]
  readonly warnings: readonly Warning[]
}

interface Gathered {
  readonly sums: Map<number, number>
  readonly groups: Map<number, number[]>
  readonly warnings: Warning[]
}

/** IVA for common use gives credit by the share of taxed sales (D.L. 825, art. 23 no. 3; D.S. 55 of 1977, art. 43). */
function shareOf({ common_use_factor: factor }: F29Inputs): (iva: number) => number {
  return (iva) => (factor === null ? 0 : timesFraction(iva, scaled(factor, 4), 10_000))
}

function gather({ groups, inputs, overrides }: ComputeInput): Gathered {
  const gathered: Gathered = { sums: new Map(), groups: new Map(), warnings: [] }
  const share = shareOf(inputs)
  groups.forEach((group, ordinal) => {
    for (const { code, amount } of classify(group, share)) {
      gathered.sums.set(code, (gathered.sums.get(code) ?? 0) + amount)
      const behind = gathered.groups.get(code) ?? []
      if (!behind.includes(ordinal)) gathered.groups.set(code, [...behind, ordinal])
    }
  })
  const overridden = overrides.map(({ code }) => code)
  gathered.warnings.push(...leftOutWarnings(groups, gathered.sums, inputs, overridden), ...cutNegatives(gathered.sums))
  return gathered
}

/** The form takes no amount below zero: where notas de crédito exceed a code it is cut, with a warning. */
function cutNegatives(sums: Map<number, number>): Warning[] {
  const below = [...sums].filter(([, amount]) => amount < 0)
  for (const [code] of below) sums.set(code, 0)
  return below.map(([code, amount]) => warning('negative_code', { amount: -amount, concerns: [code] }))
}

const amountOf = (sums: ReadonlyMap<number, number>, code: number) => sums.get(code) ?? 0

function totalOf(sums: ReadonlyMap<number, number>, total: Total): number {
  return LINES.filter(({ into }) => into === total).reduce(
    (sum, { amount, minus }) => sum + (minus ? -1 : 1) * amountOf(sums, amount),
    0,
  )
}

/** Totals whose notas de crédito exceed all the rest. */
function belowZero(sums: ReadonlyMap<number, number>): Warning[] {
  return ([538, 537, 602, 603, 543] as const).flatMap((code) => {
    const total = totalOf(sums, code)
    return total < 0 ? [warning('negative_code', { amount: -total, concerns: [code] })] : []
  })
}

/** The sums that the form works out by itself, each after those it follows from. */
function addTotals(sums: Map<number, number>, { ppm_rate }: F29Inputs): void {
  const of = (code: number) => amountOf(sums, code)
  const set = (code: number, amount: number) => sums.set(code, Math.max(0, amount))
  const [debits, credits] = [totalOf(sums, 538), totalOf(sums, 537)]
  set(538, debits)
  set(537, credits)
  // Notas de crédito above the débitos of the month become credit, although the total shows no less than zero.
  const balance = debits - credits
  set(89, balance)
  set(77, -balance)
  // Ley sobre Impuesto a la Renta, art. 84: a percentage of the gross income of the month.
  set(62, timesFraction(of(563), scaled(ppm_rate ?? 0, 3), 100_000) - of(68))
  set(595, of(89) + of(62) + totalOf(sums, 595))
  set(596, totalOf(sums, 596))
  addAdditional(sums)
  set(547, of(595) + of(550) + of(506) - of(598) + of(596))
  set(91, of(547) - of(755))
  if (of(92) + of(93) + of(795) > 0) set(94, of(91) + of(92) + of(93) - of(795))
}

/** Articles 37 and 42, each with a remanente of its own, and IVA paid in advance, which lowers the IVA determined. */
function addAdditional(sums: Map<number, number>): void {
  const set = (code: number, amount: number) => sums.set(code, Math.max(0, amount))
  const luxury = totalOf(sums, 550)
  set(550, luxury)
  set(549, -luxury)
  const [debits, credits] = [totalOf(sums, 602), totalOf(sums, 603)]
  set(602, debits)
  set(603, credits)
  set(506, debits - credits)
  set(507, credits - debits)
  set(543, totalOf(sums, 543))
  set(598, Math.min(amountOf(sums, 543), amountOf(sums, 89)))
  set(573, amountOf(sums, 543) - amountOf(sums, 598))
}

/** Codes that the caller or the period before gives, and no entry. */
const GIVEN: readonly number[] = [504, 508, 540, 557, 48, 151]

function sourceOf({ code, kind, formula }: CodeEntry, overrides: readonly Override[]): Figure['source'] {
  if (overrides.some((one) => one.code === code)) return 'override'
  if (kind === 'total' || SURCHARGES.includes(code)) return 'codes'
  if (GIVEN.includes(code)) return 'input'
  return formula === null ? 'none' : 'entries'
}

/** Everything that the figure of a code is made of. */
interface Facts {
  readonly input: ComputeInput
  readonly gathered: Gathered
  readonly sums: ReadonlyMap<number, number>
  /** The same without any override. */
  readonly plain: ReadonlyMap<number, number>
}

function figureOf(entry: CodeEntry, { sums, plain, gathered, input }: Facts): Figure {
  const { code, kind } = entry
  const { ppm_rate: rate } = input.inputs
  if (kind === 'rate') {
    return { code, amount: null, rate, source: rate === null ? 'none' : 'input', computed_amount: null, groups: [] }
  }
  return {
    code,
    amount: amountOf(sums, code),
    rate: null,
    source: sourceOf(entry, input.overrides),
    computed_amount: amountOf(plain, code),
    groups: gathered.groups.get(code) ?? [],
  }
}

function lateWarnings(
  { payment, indicators = SHIPPED, overrides }: ComputeInput,
  sums: Parameters<typeof addSurcharge>[0],
) {
  return payment ? addSurcharge(sums, payment, { indicators, overridden: overrides.map(({ code }) => code) }) : []
}

/** Without income there is nothing to pay on account of (Ley sobre Impuesto a la Renta, art. 84). */
function ppmWarnings({ inputs }: ComputeInput, sums: ReadonlyMap<number, number>): Warning[] {
  return inputs.ppm_rate === null && amountOf(sums, 563) > 0 ? [warning('ppm_rate_missing')] : []
}

/** The figures of a declaration, code by code, from what is known of the month. Pure. */
export function computeF29(input: ComputeInput): Computed {
  const { inputs, overrides, remanente } = input
  const gathered = gather(input)
  const { sums } = gathered
  const indicators = input.indicators ?? SHIPPED
  const carried = [...(input.carried ?? [])].map(([code, amount]) => ({ code, left: { ...remanente, amount } }))
  const adjusted = [{ code: 504, left: remanente }, ...carried].flatMap(({ code, left }) => {
    const overridden = overrides.some((one) => one.code === code)
    const { amount, warnings } = readjustRemanente(left, { overridden, indicators })
    sums.set(code, amount)
    return warnings
  })
  sums.set(48, inputs.payroll_tax ?? 0)
  sums.set(151, inputs.honorarios_withheld ?? 0)
  const plain = new Map(sums)
  for (const { code, amount } of overrides) sums.set(code, amount)
  addTotals(plain, inputs)
  addTotals(sums, inputs)
  const late = lateWarnings(input, { sums, plain })
  for (const amount of [...plain.values(), ...sums.values()]) {
    if (!Number.isSafeInteger(amount)) throw new Problem('amounts_too_large')
  }
  const facts = { sums, plain, gathered, input }
  const figures = CODES.map((entry) => figureOf(entry, facts)).filter(
    ({ code, amount, source }) => ALWAYS_SHOWN.has(code) || amount !== 0 || source === 'override',
  )
  // Two remanentes ask for the UTM of the same months.
  const unsure = adjusted.filter((one, i) => adjusted.findIndex((other) => isDeepStrictEqual(other, one)) === i)
  return {
    figures,
    warnings: [...gathered.warnings, ...ppmWarnings(input, sums), ...late, ...unsure, ...belowZero(sums)],
  }
}
