import type { Entry, JobOutcome, Outcomes } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { isLocked } from '../rcv/period-lock.ts'
import { type Changes, propose } from './propose.ts'
import { holdEmpresa, noteSiiCodes } from './store.ts'

/** What the SII proposes itself. One that does not answer leaves what it last said. */
async function askSii(ctx: JobContext, scope: EmpresaScope, period: string): Promise<Changes['sii']> {
  try {
    const at = ctx.now()
    return { codes: await ctx.ports.sii[scope.mode].proposedF29({ empresa: scope, period, at }), at }
  } catch (error) {
    if (error instanceof SiiUnreachable) return undefined
    throw error
  }
}

/** A period that was filed keeps the figures it was filed with, whatever the registers show later. */
async function runCompute(ctx: JobContext, scope: EmpresaScope, period: string): Promise<void> {
  const sii = await askSii(ctx, scope, period)
  await ctx.transact(async (tx) => {
    await holdEmpresa(tx.sql, scope)
    if (!(await isLocked(tx.sql, scope, period))) return void (await propose(tx, scope, period, sii ? { sii } : {}))
    if (sii) await noteSiiCodes(tx.sql, scope, period, sii.codes, sii.at)
  })
}

/** Earlier months first: what a month leaves over goes on to the next. One that fails is tried again without the rest. */
export async function runComputes(
  ctx: JobContext,
  entries: readonly Entry<{ readonly period: string }>[],
): Promise<Outcomes> {
  const empresa = await empresaOfJob(ctx)
  const ended = new Map<string, JobOutcome | Error>()
  if (!empresa) return ended
  const periods = [...new Set(entries.map(({ payload }) => payload.period))].sort()
  for (const period of periods) {
    const error = await runCompute(ctx, empresa.scope, period).then(
      () => null,
      (thrown: Error) => thrown,
    )
    if (!error) continue
    for (const { id, payload } of entries) if (payload.period === period) ended.set(id, error)
  }
  return ended
}
