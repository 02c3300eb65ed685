import { santiagoDate } from '@timbre/dte/values'
import type { Mode } from '../../../catalog/modes.ts'
import type { Figure, Override } from './compute.ts'
import { codeEntry } from './form.ts'
import type { F29Inputs } from './inputs.ts'
import type { F29Proposal } from './schema.ts'
import type { Warning } from './warnings.ts'

/** A figure as it is stored: the entries behind it are in the lineage. */
export interface StoredFigure extends Omit<Figure, 'groups'> {
  readonly entries: number
}

export interface Change {
  readonly code: number
  readonly before: number | null
  readonly after: number | null
}

export interface SiiCode {
  readonly code: number
  readonly amount: number
}

/** A code as it was filed. */
export interface FiledCode {
  readonly code: number
  readonly amount: number | null
  readonly rate: number | null
  /** What the declaration that it corrects says; not there where it corrects none. */
  readonly before?: number | null
}

export interface ProposalRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly period: string
  readonly version: number
  readonly inputs: F29Inputs
  readonly overrides: readonly Override[]
  readonly codes: readonly StoredFigure[]
  readonly diff: readonly Change[]
  readonly warnings: readonly Warning[]
  readonly sii_codes: readonly SiiCode[] | null
  readonly sii_read_at: Date | null
  readonly due_date: string
  readonly created_at: Date
  readonly computed_at: Date
  /** How often what it is made of changed, and how often when it was computed. */
  readonly changes: number
  readonly computed_changes: number
}

/** With the filing of its period that has not failed, where there is one. */
export interface ProposalWithFiling extends ProposalRow {
  readonly filing_id: string | null
  readonly filing_status: string | null
  readonly filed_codes: readonly FiledCode[] | null
}

/** A figure by its code, 0 where there is none. */
export function amountIn(
  codes: readonly { readonly code: number; readonly amount: number | null }[],
  code: number,
): number {
  return codes.find((one) => one.code === code)?.amount ?? 0
}

function showCode(figure: StoredFigure, { overrides }: ProposalWithFiling): F29Proposal['codes'][number] {
  const entry = codeEntry(figure.code)
  if (!entry) throw new Error(`the form has no code ${figure.code}`)
  const { code, line, section, label, kind, sign, formula } = entry
  const override_reason = overrides.find((one) => one.code === code)?.reason ?? null
  const { amount, rate, source, computed_amount, entries } = figure
  return {
    code,
    line,
    section,
    label,
    kind,
    sign,
    amount,
    rate,
    formula,
    source,
    computed_amount,
    entries,
    override_reason,
  }
}

/** What is paid late is no part of what the SII proposes. */
const LATE: readonly number[] = [92, 93, 94]

/** Codes that the SII proposes otherwise, or that only one of the two has. */
function differencesOf({ codes, sii_codes }: ProposalWithFiling): F29Proposal['differences'] {
  if (sii_codes === null) return []
  const theirs = new Map(sii_codes.map(({ code, amount }) => [code, amount]))
  // Where the SII proposes at all, a code it left out is a zero.
  const isOurs = ({ code, amount }: StoredFigure) => amount !== null && (!LATE.includes(code) || theirs.has(code))
  const ours = codes.filter(isOurs).map(({ code }) => code)
  const all = [...new Set([...ours, ...theirs.keys()])].sort((one, other) => one - other)
  return all
    .map((code) => ({ code, ours: amountIn(codes, code), sii: theirs.get(code) ?? 0 }))
    .filter(({ ours: one, sii }) => one !== sii)
}

function statusOf(filing_status: string | null): F29Proposal['status'] {
  if (filing_status === null) return 'open'
  return filing_status === 'accepted' ? 'filed' : 'filing'
}

type Valued = Pick<StoredFigure, 'code' | 'amount' | 'rate'>

export function valueIn(all: readonly Valued[], code: number): number | null {
  const figure = all.find((one) => one.code === code)
  return figure?.amount ?? figure?.rate ?? null
}

/** Codes that differ. One that is not shown and one that holds zero are the same. */
export function diffOf(before: readonly Valued[], after: readonly Valued[]): Change[] {
  const codes = new Set([...before, ...after].map(({ code }) => code))
  return [...codes].flatMap((code) => {
    const [was, is] = [valueIn(before, code), valueIn(after, code)]
    return (was ?? 0) === (is ?? 0) ? [] : [{ code, before: was, after: is }]
  })
}

/** What is paid: 94 of a declaration that is late, 91 of one in term. */
export function dueIn(codes: readonly { readonly code: number; readonly amount: number | null }[]): number {
  const at = (code: number) => codes.find((one) => one.code === code)?.amount ?? 0
  return codes.some(({ code }) => code === 94) ? at(94) : at(91)
}

/** Changed since it was computed, or past its day with the interest of another day. */
function isStale(row: ProposalWithFiling, now: Date): boolean {
  const { changes, computed_changes, due_date, computed_at, codes, filed_codes } = row
  if (changes !== computed_changes) return true
  const [today, computed_on] = [santiagoDate(now), santiagoDate(computed_at)]
  const owed = amountIn(codes, 91) - amountIn(filed_codes ?? [], 91)
  return owed > 0 && today > due_date && today > computed_on
}

export function showProposal(row: ProposalWithFiling, now: Date): F29Proposal {
  const { filing_id, filing_status, inputs } = row
  return {
    object: 'f29_proposal',
    id: row.id,
    mode: row.mode,
    period: row.period,
    status: statusOf(filing_status),
    version: row.version,
    stale: isStale(row, now),
    due_date: row.due_date,
    total: amountIn(row.codes, 91),
    total_due: dueIn(row.codes),
    remanente: amountIn(row.codes, 77),
    codes: row.codes.map((figure) => showCode(figure, row)),
    diff: row.diff.map(({ code, before, after }) => ({ code, before, after })),
    sii_read_at: row.sii_read_at?.toISOString() ?? null,
    differences: differencesOf(row),
    warnings: row.warnings.map((one) => ({ ...one })),
    inputs: {
      ppm_rate: inputs.ppm_rate,
      payroll_tax: inputs.payroll_tax,
      honorarios_withheld: inputs.honorarios_withheld,
      previous_remanente: inputs.previous_remanente,
      common_use_factor: inputs.common_use_factor,
    },
    overrides: row.overrides.map(({ code, amount, reason }) => ({ code, amount, reason })),
    changes_since_filing: row.filed_codes === null ? [] : diffOf(row.filed_codes, row.codes),
    filing: filing_id === null || filing_status === null ? null : { id: filing_id, status: filing_status },
    created_at: row.created_at.toISOString(),
    computed_at: row.computed_at.toISOString(),
  }
}
