import { addPeriods } from '@timbre/dte/values'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { RcvExports } from '../../../ports/sii-rcv.ts'
import { nextDailyRun } from '../../daily-run.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { requestCompute } from '../f29/jobs.ts'
import { ingestExports, type ReadingResult } from './ingest-exports.ts'
import { SYNC_ATTEMPTS, syncRcvDaily } from './jobs.ts'
import { FIRST_PERIOD } from './period.ts'
import { requestPeriod } from './request-sync.ts'
import { applySuggestions } from './suggest.ts'
import { readSync } from './sync-status.ts'
import { linkDocuments, recordFailed, recordSynced, startMirror } from './sync-store.ts'

const MONTHS_BEFORE = 12

/** After the first reading that went well: requests the year before it, once, and schedules the daily reading. */
async function startMirroring(tx: JobTransaction, scope: EmpresaScope, period: string): Promise<void> {
  if (!(await startMirror(tx.sql, scope, tx.now()))) return
  for (let months = 1; months <= MONTHS_BEFORE; months++) {
    const earlier = addPeriods(period, -months)
    if (earlier >= FIRST_PERIOD) await requestPeriod(tx, scope, earlier, 'past')
  }
  await tx.enqueue(syncRcvDaily, {
    payload: {},
    key: scope.empresa_id,
    empresa_id: scope.empresa_id,
    lane: scope.empresa_id,
    due_at: nextDailyRun(scope.empresa_id, tx.now()),
  })
}

async function finishReading(
  ctx: JobContext,
  scope: EmpresaScope,
  period: string,
  result: ReadingResult,
): Promise<void> {
  await ctx.transact((tx) => linkDocuments(tx.sql, scope, period))
  await applySuggestions(ctx, scope, period, result.created)
  await ctx.transact(async (tx) => {
    await recordSynced(tx.sql, scope, period, { ...result, job_id: ctx.job_id }, tx.now())
    await startMirroring(tx, scope, period)
    await requestCompute(tx, scope, period)
    await tx.reactions.registerRead(tx, scope, result.created.length > 0 ? { period } : {})
    const object = await readSync(tx.sql, scope, period)
    const { created, updated, withdrawn_at_sii } = result
    const detail = { job_id: ctx.job_id, created: created.length, updated, withdrawn_at_sii }
    tx.emit({ type: 'tax.rcv.synced', object, empresa: { id: scope.empresa_id, rut: scope.rut }, detail })
  })
}

/** No file was the register: the last good reading stays. */
function refuseUnreadable({ files }: RcvExports, result: ReadingResult): void {
  const refused = result.partial_errors.filter(({ line }) => line === null).length
  const empty = result.purchases + result.sales === 0
  if (empty && files.length > 0 && refused >= files.length) {
    throw new GiveUp('rcv_unreadable', 'The SII answered with something else than its register.')
  }
}

async function readOnce(ctx: JobContext, scope: EmpresaScope, period: string): Promise<JobOutcome> {
  const exports = await ctx.ports.sii[scope.mode].readRcv({ empresa: scope, period, at: ctx.now() })
  const result = await ingestExports(ctx, scope, period, exports)
  refuseUnreadable(exports, result)
  await finishReading(ctx, scope, period, result)
  return { done: { period, ...result, created: result.created.length } }
}

/** Reads a period from the SII with no transaction open, then writes what changed. When it fails the last good reading stays. */
export async function syncRegister(ctx: JobContext, { period }: { readonly period: string }): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  try {
    return await readOnce(ctx, scope, period)
  } catch (error) {
    const last = error instanceof GiveUp || ctx.attempt >= SYNC_ATTEMPTS
    if (!last) throw error
    await ctx.transact((tx) => recordFailed(tx.sql, scope, period, { job_id: ctx.job_id, at: tx.now() }))
    if (error instanceof SiiUnreachable) throw new GiveUp('sii_unreachable', error.told)
    throw error
  }
}
