import { isDeepStrictEqual } from 'node:util'
import { addPeriods, santiagoDate, santiagoPeriod } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { F29_NOT_SHOWN } from '../../../ports/sii-f29.ts'
import type { Acting } from '../../context.ts'
import { lockEmisor } from '../../platform/empresa/emisor.ts'
import { readIndicators } from '../../platform/indicator/lookup.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { pendingPurchases } from '../rcv/entries.ts'
import { readSync } from '../rcv/sync-status.ts'
import { dueDateOf } from './calendar.ts'
import { computeF29, type Figure, type Override } from './compute.ts'
import type { EntryGroup } from './entry-group.ts'
import type { F29Inputs } from './inputs.ts'
import { requestCompute } from './jobs.ts'
import { groupEntries, saveLineageCodes } from './lineage-store.ts'
import { amountIn, diffOf, type ProposalWithFiling, type SiiCode, type StoredFigure, showProposal } from './show.ts'
import { findProposal, saveProposal } from './store.ts'
import { type Warning, warning } from './warnings.ts'

/** Warnings from the state of the registers and of the month. */
async function monthWarnings(sql: Sql, scope: EmpresaScope, period: string, now: Date): Promise<Warning[]> {
  const sync = await readSync(sql, scope, period)
  const pending = await pendingPurchases(sql, scope, period)
  const unread = sync.partial_errors.filter(({ blocks_filing }) => blocks_filing).length
  return [
    ...(sync.last_synced_at === null ? [warning('never_synced')] : []),
    ...(period >= santiagoPeriod(now) ? [warning('period_open')] : []),
    ...(pending.count > 0 ? [warning('pending_entries', pending)] : []),
    ...(unread > 0 ? [warning('unreadable_lines', { count: unread })] : []),
  ]
}

/** Inputs given anew; what is left out stays as it was. */
export interface Changes {
  readonly inputs?: Partial<F29Inputs>
  readonly overrides?: readonly Override[]
  /** The SII's own proposal, where it was just fetched, or that it does not show it to us. */
  readonly sii?: { readonly codes: readonly SiiCode[] | null; readonly at: Date } | typeof F29_NOT_SHOWN
}

const NO_INPUTS: F29Inputs = {
  ppm_rate: null,
  payroll_tax: null,
  honorarios_withheld: null,
  previous_remanente: null,
  common_use_factor: null,
}

/** The PPM rate carries over from month to month; the other figures are of one month alone. */
function inputsOf(before: ProposalWithFiling | null, previous: ProposalWithFiling | null, changes: Changes): F29Inputs {
  const present = before?.inputs ?? { ...NO_INPUTS, ppm_rate: previous?.inputs.ppm_rate ?? null }
  return { ...present, ...changes.inputs }
}

function storedFigures(figures: readonly Figure[], groups: readonly EntryGroup[]): StoredFigure[] {
  return figures.map(({ groups: behind, ...figure }) => ({
    ...figure,
    entries: behind.reduce((sum, ordinal) => sum + (groups[ordinal]?.entries ?? 0), 0),
  }))
}

function codesByGroup(figures: readonly Figure[], groups: readonly EntryGroup[]): number[][] {
  const found: number[][] = groups.map(() => [])
  for (const { code, groups: behind } of figures) for (const ordinal of behind) found[ordinal]?.push(code)
  return found
}

/** What articles 37 and 42 and IVA paid in advance leave over, and the code of the next period that it goes into. */
const CARRIED = [
  [549, 540],
  [507, 508],
  [573, 557],
] as const

interface Neighbours {
  /** The proposal of the same period before this computation. */
  readonly before: ProposalWithFiling | null
  /** The proposal of the period before. */
  readonly previous: ProposalWithFiling | null
}

/** The codes that were declared, where a declaration stands. */
function filedOf(proposal: ProposalWithFiling | null): ReadonlyMap<number, number> | null {
  const codes = proposal?.filed_codes
  return codes ? new Map(codes.map(({ code, amount }) => [code, amount ?? 0])) : null
}

/** Whether the SII lets us see what it proposes; as it was, where it was not asked now. */
function isShown(before: ProposalWithFiling | null, { sii }: Changes): boolean {
  if (sii) return sii !== F29_NOT_SHOWN
  return !before?.warnings.some(({ code }) => code === 'sii_proposal_not_shown')
}

async function compute(
  tx: Acting,
  scope: EmpresaScope,
  period: string,
  { before, previous }: Neighbours,
  changes: Changes,
) {
  const inputs = inputsOf(before, previous, changes)
  const overrides = changes.overrides ?? before?.overrides ?? []
  const groups = await groupEntries(tx.sql, scope, period)
  // What was declared is what is left over, whatever the register shows since, until it is rectified.
  const declared = previous && (previous.filed_codes ?? previous.codes)
  const amount = inputs.previous_remanente ?? (declared ? amountIn(declared, 77) : null)
  const remanente = { amount, month_when_due: period, month_when_used: addPeriods(period, 1) }
  const indicators = await readIndicators(tx.sql, scope.mode)
  const carried = new Map(CARRIED.map(([from, to]) => [to, amountIn(declared ?? [], from)]))
  const payment = { due_date: dueDateOf(period), paid_on: santiagoDate(tx.now()), filed: filedOf(before) }
  const computed = computeF29({ groups, inputs, overrides, remanente, carried, indicators, payment })
  await saveLineageCodes(tx.sql, scope, period, codesByGroup(computed.figures, groups))
  const warnings = [
    ...(await monthWarnings(tx.sql, scope, period, tx.now())),
    ...computed.warnings,
    ...(isShown(before, changes) ? [] : [warning('sii_proposal_not_shown')]),
  ]
  return { inputs, overrides, warnings, codes: storedFigures(computed.figures, groups) }
}

async function emitProposal(
  tx: Acting,
  scope: EmpresaScope,
  before: ProposalWithFiling | null,
  after: ProposalWithFiling,
) {
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  const now = tx.now()
  const object = showProposal(after, now)
  if (before === null) return tx.emit({ type: 'tax.f29.proposal_ready', object, empresa })
  if (diffOf(before.codes, after.codes).length === 0) return
  const previous_attributes = previousAttributes(showProposal(before, now), object) ?? {}
  tx.emit({ type: 'tax.f29.proposal_changed', object, empresa, previous_attributes })
}

/**
 * Computes and saves the proposal of a period, with the entries behind each figure. A computation that changes nothing
 * makes no new version and emits no event. A changed remanente requests the computation of the next period.
 */
export async function propose(
  tx: Acting,
  scope: EmpresaScope,
  period: string,
  changes: Changes = {},
): Promise<ProposalWithFiling> {
  // One computation of an empresa at a time, and no filing meanwhile.
  await lockEmisor(tx.sql, scope)
  const before = await findProposal(tx.sql, scope, period)
  const previous = await findProposal(tx.sql, scope, addPeriods(period, -1))
  const made = await compute(tx, scope, period, { before, previous }, changes)
  const diff = before ? diffOf(before.codes, made.codes) : []
  const inputs_before = before && { inputs: before.inputs, overrides: before.overrides }
  const same = isDeepStrictEqual(inputs_before, { inputs: made.inputs, overrides: made.overrides }) && diff.length === 0
  const { account_id, empresa_id, mode } = scope
  const sii = changes.sii === F29_NOT_SHOWN ? { codes: null, at: null } : changes.sii
  const now = tx.now()
  await saveProposal(tx.sql, {
    account_id,
    empresa_id,
    mode,
    id: before?.id ?? newId('f29_proposal'),
    period,
    version: (before?.version ?? 0) + (same ? 0 : 1),
    ...made,
    diff: same ? (before?.diff ?? []) : diff,
    sii_codes: sii ? sii.codes : (before?.sii_codes ?? null),
    sii_read_at: sii ? sii.at : (before?.sii_read_at ?? null),
    due_date: dueDateOf(period),
    created_at: before?.created_at ?? now,
    computed_at: now,
    // Those it saw: what came while it ran makes it stale again.
    computed_changes: before?.changes ?? 0,
  })
  const after = (await findProposal(tx.sql, scope, period)) as ProposalWithFiling
  await emitProposal(tx, scope, before, after)
  const left_over = [77, ...CARRIED.map(([from]) => from)]
  if (before === null || diff.some(({ code }) => left_over.includes(code))) await carryOver(tx, scope, period)
  return after
}

/** Computes the next period anew, where there is a proposal of it. */
export async function carryOver(
  tx: Pick<Acting, 'sql' | 'enqueue'>,
  scope: EmpresaScope,
  period: string,
): Promise<void> {
  const next = addPeriods(period, 1)
  if (await findProposal(tx.sql, scope, next)) await requestCompute(tx, scope, next)
}
