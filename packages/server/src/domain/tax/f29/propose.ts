import { isDeepStrictEqual } from 'node:util'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Acting } from '../../context.ts'
import { monthsFrom } from '../rcv/period.ts'
import { askForCompute } from './ask-compute.ts'
import { computeF29, type F29Inputs, type Figure } from './compute.ts'
import { dueDateOf } from './due-date.ts'
import type { EntryGroup } from './entry-group.ts'
import { gatherGroups, writeLineageCodes } from './lineage-store.ts'
import { monthWarnings } from './month-warnings.ts'
import type { Override } from './override.ts'
import { previousOf } from './previous.ts'
import { amountIn, type Change, type KeptFigure, type ProposalWithFiling, type SiiCode } from './row.ts'
import { showProposal } from './show.ts'
import { findProposal, holdEmpresa, writeProposal } from './store.ts'

/** What somebody says anew; whatever is left out stays as it was. */
export interface Changes {
  readonly inputs?: Partial<F29Inputs>
  readonly overrides?: readonly Override[]
  /** What the SII proposes, where it was just asked. */
  readonly sii?: { readonly codes: readonly SiiCode[] | null; readonly at: Date }
}

const NO_INPUTS: F29Inputs = {
  ppm_rate: null,
  payroll_tax: null,
  honorarios_withheld: null,
  previous_remanente: null,
  common_use_factor: null,
}

/** The rate of the PPM goes on from month to month; the other figures are of one month alone. */
function inputsOf(before: ProposalWithFiling | null, previous: ProposalWithFiling | null, changes: Changes): F29Inputs {
  const stand = before?.inputs ?? { ...NO_INPUTS, ppm_rate: previous?.inputs.ppm_rate ?? null }
  return { ...stand, ...changes.inputs }
}

function keptOf(figures: readonly Figure[], groups: readonly EntryGroup[]): KeptFigure[] {
  return figures.map(({ groups: behind, ...figure }) => ({
    ...figure,
    entries: behind.reduce((sum, ordinal) => sum + (groups[ordinal]?.entries ?? 0), 0),
  }))
}

const figureIn = (figure: KeptFigure | undefined) => figure?.amount ?? figure?.rate ?? null

function diffOf(before: readonly KeptFigure[], after: readonly KeptFigure[]): Change[] {
  const codes = new Set([...before, ...after].map(({ code }) => code))
  return [...codes].flatMap((code) => {
    const [was, is] = [before, after].map((all) => figureIn(all.find((one) => one.code === code)))
    // A code that is not shown and one that holds nothing say the same.
    return (was ?? 0) === (is ?? 0) ? [] : [{ code, before: was ?? null, after: is ?? null }]
  })
}

function codesByGroup(figures: readonly Figure[], groups: readonly EntryGroup[]): number[][] {
  const found: number[][] = groups.map(() => [])
  for (const { code, groups: behind } of figures) for (const ordinal of behind) found[ordinal]?.push(code)
  return found
}

interface Standing {
  readonly before: ProposalWithFiling | null
  readonly previous: ProposalWithFiling | null
}

async function compute(
  tx: Acting,
  scope: EmpresaScope,
  period: string,
  { before, previous }: Standing,
  changes: Changes,
) {
  const inputs = inputsOf(before, previous, changes)
  const overrides = changes.overrides ?? before?.overrides ?? []
  const groups = await gatherGroups(tx.sql, scope, period)
  const amount = inputs.previous_remanente ?? (previous ? amountIn(previous.codes, 77) : null)
  const remanente = { amount, month_when_due: period, month_when_used: monthsFrom(period, 1) }
  const computed = computeF29({ groups, inputs, overrides, remanente })
  await writeLineageCodes(tx.sql, scope, period, codesByGroup(computed.figures, groups))
  const warnings = [...(await monthWarnings(tx.sql, scope, period, tx.now())), ...computed.warnings]
  return { inputs, overrides, warnings, codes: keptOf(computed.figures, groups) }
}

async function tell(tx: Acting, scope: EmpresaScope, before: ProposalWithFiling | null, after: ProposalWithFiling) {
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  const object = showProposal(after)
  if (before === null) return tx.emit({ type: 'tax.f29.proposal_ready', object, empresa })
  if (diffOf(before.codes, after.codes).length === 0) return
  const previous_attributes = previousOf(showProposal(before), object)
  tx.emit({ type: 'tax.f29.proposal_changed', object, empresa, previous_attributes })
}

/**
 * Computes the proposal of a period and keeps it, with what each figure came from. A compute that changes nothing makes
 * no new version and tells nobody. What is left over for the next period has that one computed again.
 */
export async function propose(
  tx: Acting,
  scope: EmpresaScope,
  period: string,
  changes: Changes = {},
): Promise<ProposalWithFiling> {
  await holdEmpresa(tx.sql, scope)
  const before = await findProposal(tx.sql, scope, period)
  const previous = await findProposal(tx.sql, scope, monthsFrom(period, -1))
  const made = await compute(tx, scope, period, { before, previous }, changes)
  const diff = before ? diffOf(before.codes, made.codes) : []
  const said = before && { inputs: before.inputs, overrides: before.overrides }
  const same = isDeepStrictEqual(said, { inputs: made.inputs, overrides: made.overrides }) && diff.length === 0
  const { account_id, empresa_id, mode } = scope
  const now = tx.now()
  await writeProposal(tx.sql, {
    account_id,
    empresa_id,
    mode,
    id: before?.id ?? newId('f29_proposal'),
    period,
    version: (before?.version ?? 0) + (same ? 0 : 1),
    ...made,
    diff: same ? (before?.diff ?? []) : diff,
    sii_codes: changes.sii ? changes.sii.codes : (before?.sii_codes ?? null),
    sii_read_at: changes.sii?.at ?? before?.sii_read_at ?? null,
    due_date: dueDateOf(period),
    created_at: before?.created_at ?? now,
    computed_at: now,
  })
  const after = (await findProposal(tx.sql, scope, period)) as ProposalWithFiling
  await tell(tx, scope, before, after)
  if (before === null || diff.some(({ code }) => code === 77)) await carryOver(tx, scope, period)
  return after
}

async function carryOver(tx: Acting, scope: EmpresaScope, period: string): Promise<void> {
  const next = monthsFrom(period, 1)
  if (await findProposal(tx.sql, scope, next)) await askForCompute(tx, scope, next)
}
