import { appendFileSync, readFileSync } from 'node:fs'

/** What a figure must reach, or stay within. */
export type Bound = { readonly at_least: number } | { readonly at_most: number } | { readonly below: number }

interface Shown {
  readonly unit?: string
  readonly digits?: number
  /** More of the bound, behind it: what it is derived from. */
  readonly because?: string
}

interface Kept {
  readonly line: string
  readonly reached: boolean
}

/** The file in which a run of several benchmarks keeps what each was asked for; absent where one runs alone. */
export const KEPT_IN = 'BENCH_ASKED'

function isReached(value: number, bound: Bound): boolean {
  if ('at_least' in bound) return value >= bound.at_least
  return 'at_most' in bound ? value <= bound.at_most : value < bound.below
}

/** Prints a figure, what it is asked to be and whether it is; the end of a run tells of all of them. As exact as it is shown. */
export function asked(
  label: string,
  value: number,
  bound: Bound,
  { unit = '', digits = 2, because }: Shown = {},
): void {
  const [[how, limit]] = Object.entries(bound) as [[string, number]]
  const shown = value.toFixed(digits)
  const reached = isReached(Number(shown), bound)
  const why = because === undefined ? '' : `: ${because}`
  const line = `${label.padEnd(52)} ${shown.padStart(7)}${unit}  (${how.replace('_', ' ')} ${limit}${unit}${why})`
  console.log(`${line}  ${reached ? 'reached' : 'MISSED'}`)
  const file = process.env[KEPT_IN]
  if (file) appendFileSync(file, `${JSON.stringify({ line, reached } satisfies Kept)}\n`)
}

/** What a run kept. */
export const readAsked = (file: string): Kept[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Kept)
