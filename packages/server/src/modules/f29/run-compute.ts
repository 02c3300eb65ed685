import type { EmpresaScope } from '../../kernel/context.ts'
import type { JobContext, JobOutcome } from '../../kernel/job.ts'
import { SiiUnreachable } from '../../ports/sii.ts'
import { empresaOfJob } from '../empresa/of-job.ts'
import { isLocked } from '../rcv/lock.ts'
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
export async function runCompute(ctx: JobContext, period: string): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const sii = await askSii(ctx, scope, period)
  await ctx.transact(async (tx) => {
    await holdEmpresa(tx.sql, scope)
    if (!(await isLocked(tx.sql, scope, period))) return void (await propose(tx, scope, period, sii ? { sii } : {}))
    if (sii) await noteSiiCodes(tx.sql, scope, period, sii.codes, sii.at)
  })
  return 'done'
}
