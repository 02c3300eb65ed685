import { isCivilDate } from '@timbre/dte/values'
import { DECIMALS, INDICATORS, type Indicator } from './indicators.ts'

/** A figure as somebody wrote it. */
export interface WrittenIndicator {
  readonly indicator: string
  readonly period: string
  readonly value: string
}

export interface LoadedIndicator {
  readonly indicator: Indicator
  readonly period: string
  readonly units: number
}

/** What is wrong with one, and in which of its columns. */
export interface IndicatorFault {
  readonly column: keyof WrittenIndicator
  readonly why: string
}

const MONTH = /^[0-9]{4}-(0[1-9]|1[0-2])$/

const isMonth = (period: string) => MONTH.test(period)

interface Rule {
  readonly isPeriod: (period: string) => boolean
  readonly period: string
  /** Beyond these it is a slip: a missing digit, a separator of thousands, another indicator. */
  readonly least: number
  readonly most: number
  readonly unit: string
}

const RULES: Readonly<Record<Indicator, Rule>> = {
  utm: { isPeriod: isMonth, period: 'a month such as 2026-03', least: 20_000, most: 500_000, unit: 'whole pesos' },
  uf: { isPeriod: isCivilDate, period: 'a day such as 2026-03-09', least: 10_000, most: 300_000, unit: 'pesos' },
  ipc: {
    isPeriod: isMonth,
    period: 'a month such as 2026-03',
    least: 20,
    most: 1_000,
    unit: 'points of the index, not a percentage',
  },
  // Before 2025 the interest was 1.5 % for each month or part of one (art. 53 before Ley 21.713), which no daily rate says.
  interest: {
    isPeriod: (period) => period >= '2025-01' && /^[0-9]{4}-0[17]$/.test(period),
    period: 'the first month of a half year from 2025 on, such as 2026-01 or 2026-07',
    least: 0.000_1,
    most: 0.2,
    unit: 'percent for each day',
  },
}

function isIndicator(name: string): name is Indicator {
  return (INDICATORS as readonly string[]).includes(name)
}

/** Decimals are written with a dot, thousands with nothing. */
function unitsOf(value: string, decimals: number): number | null {
  const match = /^([0-9]{1,9})(?:\.([0-9]{1,10}))?$/.exec(value)
  const [, whole = '', part = ''] = match ?? []
  if (!match || part.length > decimals) return null
  return Number(whole + part.padEnd(decimals, '0'))
}

export function parseIndicator({ indicator, period, value }: WrittenIndicator): LoadedIndicator | IndicatorFault {
  const name = indicator.toLowerCase()
  if (!isIndicator(name)) return { column: 'indicator', why: `it must be one of ${INDICATORS.join(', ')}.` }
  const rule = RULES[name]
  if (!rule.isPeriod(period)) return { column: 'period', why: `it must be ${rule.period}.` }
  const decimals = DECIMALS[name]
  const units = unitsOf(value, decimals)
  const shape = decimals === 0 ? '' : `, with a dot and at most ${decimals} decimals`
  if (units === null) return { column: 'value', why: `it must be ${rule.unit}${shape}, and nothing else.` }
  const scale = 10 ** decimals
  if (units < rule.least * scale || units > rule.most * scale) {
    return { column: 'value', why: `it must be ${rule.unit}, between ${rule.least} and ${rule.most}.` }
  }
  return { indicator: name, period, units }
}

/** A file that cannot be loaded: each fault with its line. */
export class IndicatorsRefused extends Error {
  override name = 'IndicatorsRefused'
}

const HEADER = 'indicator,period,value'
const FAULTS_TOLD = 20

/** All of them, or a refusal that names every line that is wrong (the first twenty). */
export function parseIndicatorsFile(text: string): LoadedIndicator[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines[0]?.trim().toLowerCase() !== HEADER) throw new IndicatorsRefused(`line 1: it must be "${HEADER}".`)
  const found = new Map<string, LoadedIndicator>()
  const faults: string[] = []
  lines.forEach((line, i) => {
    if (i === 0 || line.trim() === '') return
    const fault = readLine(line, found)
    if (fault !== null) faults.push(`line ${i + 1}: ${fault}`)
  })
  if (faults.length > 0) throw new IndicatorsRefused(toldOf(faults))
  if (found.size === 0) throw new IndicatorsRefused('There is no figure in it.')
  return [...found.values()]
}

function toldOf(faults: readonly string[]): string {
  const more = faults.length - FAULTS_TOLD
  return [...faults.slice(0, FAULTS_TOLD), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function readLine(line: string, found: Map<string, LoadedIndicator>): string | null {
  const cells = line.split(',').map((cell) => cell.trim())
  const [indicator = '', period = '', value = ''] = cells
  if (cells.length !== 3) return `it has ${cells.length} columns instead of 3; decimals are written with a dot.`
  const parsed = parseIndicator({ indicator, period, value })
  if ('why' in parsed) return `${parsed.column}: ${parsed.why}`
  const key = `${parsed.indicator} ${parsed.period}`
  if (found.has(key)) return `${key} is there twice.`
  found.set(key, parsed)
  return null
}
