import { santiagoPeriod } from '@timbre/dte/values'
import type { Entry, JobOutcome, Outcomes } from '../../../kernel/job.ts'
import { brokenRules, invalidField, mapOrRefuse } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import { F29_NOT_SHOWN } from '../../../ports/sii-f29.ts'
import type { EmpresaContext } from '../../context.ts'
import type { JobContext } from '../../job.ts'
import { lockEmisor } from '../../platform/empresa/emisor.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { FIRST_PERIOD } from '../rcv/period.ts'
import { refuseLocked, unlockPeriod } from '../rcv/period-lock.ts'
import { codeEntry, isComputed } from './form.ts'
import { type Changes, propose } from './propose.ts'
import { hasPlaces } from './ratio.ts'
import type { F29Proposal, PeriodPath, Recompute } from './schema.ts'
import { showProposal } from './show.ts'
import { findCurrentFiling } from './store.ts'

/** Refuses the inputs for all that is wrong with them, the period and the rates before the codes. */
function refuseInputs(
  { period, overrides = [], ppm_rate, common_use_factor }: PeriodPath & Recompute,
  now: Date,
): void {
  const before = brokenRules(
    [period > santiagoPeriod(now), 'period', 'it has not begun.'],
    [period < FIRST_PERIOD, 'period', `the registers begin with ${FIRST_PERIOD}.`],
    [!hasPlaces(ppm_rate ?? 0, 3), 'ppm_rate', 'it has at most three decimals.'],
    [!hasPlaces(common_use_factor ?? 0, 4), 'common_use_factor', 'it has at most four decimals.'],
  )
  const judge = ({ code }: { readonly code: number }, i: number) => {
    const param = `overrides[${i}].code`
    const entry = codeEntry(code)
    if (!entry) throw invalidField(param, `the form has no code ${code} that can be filled here.`)
    if (code === 115) throw invalidField(param, 'send the rate of the PPM as ppm_rate.')
    if (isComputed(entry)) throw invalidField(param, `code ${code} follows from others: ${entry.formula}.`)
    if (overrides.findIndex((one) => one.code === code) !== i) throw invalidField(param, `code ${code} is there twice.`)
  }
  mapOrRefuse(overrides, judge, before)
}

/** Entries change after the declaration too, by rectification. One that is on its way to the SII is waited for. */
async function openForRectification({ sql, empresa }: EmpresaContext, period: string): Promise<void> {
  const filing = await findCurrentFiling(sql, empresa, period)
  if (filing?.status === 'accepted') await unlockPeriod(sql, empresa, period)
}

/** Computes the proposal of a period now, with the inputs of the caller. */
export async function recomputeProposal(ctx: EmpresaContext, input: PeriodPath & Recompute): Promise<F29Proposal> {
  const { period, overrides, rectify = false, ...inputs } = input
  refuseInputs(input, ctx.now())
  await lockEmisor(ctx.sql, ctx.empresa)
  if (rectify) await openForRectification(ctx, period)
  await refuseLocked(ctx.sql, ctx.empresa, period)
  const row = await propose(ctx, ctx.empresa, period, { inputs, ...(overrides && { overrides }) })
  return showProposal(row, ctx.now())
}

/** The SII's own proposal. When it does not answer, its last one stays. */
async function fetchSiiProposal(ctx: JobContext, scope: EmpresaScope, period: string): Promise<Changes['sii']> {
  try {
    const at = ctx.now()
    const codes = await ctx.ports.sii[scope.mode].proposedF29({ empresa: scope, period, at })
    return codes === F29_NOT_SHOWN ? F29_NOT_SHOWN : { codes, at }
  } catch (error) {
    if (error instanceof SiiUnreachable) return undefined
    throw error
  }
}

/** Of a filed period too: its filing keeps the figures that were declared, and the proposal says what differs since. */
async function computePeriod(ctx: JobContext, scope: EmpresaScope, period: string): Promise<void> {
  const sii = await fetchSiiProposal(ctx, scope, period)
  await ctx.transact((tx) => propose(tx, scope, period, sii ? { sii } : {}))
}

/** Earlier months first: the remanente of a month goes into the next. A month that fails is retried alone. */
export async function computeQueued(
  ctx: JobContext,
  entries: readonly Entry<{ readonly period: string }>[],
): Promise<Outcomes> {
  const empresa = await jobEmpresa(ctx)
  const ended = new Map<string, JobOutcome | Error>()
  if (!empresa) return ended
  const periods = [...new Set(entries.map(({ payload }) => payload.period))].sort()
  for (const period of periods) {
    const error = await computePeriod(ctx, empresa.scope, period).then(
      () => null,
      (thrown: Error) => thrown,
    )
    if (!error) continue
    for (const { id, payload } of entries) if (payload.period === period) ended.set(id, error)
  }
  return ended
}
