import { santiagoDate } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { nextDailyRun } from '../../daily-run.ts'
import { awaitsDueDate } from '../../issuing/document/owed.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { awaitsDueDate as receivedAwaitsDueDate } from '../../receiving/received-document/owed.ts'
import { tellOverdue } from './tell.ts'

const PAGE = 500

async function isAnyOpen(sql: Sql, scope: EmpresaScope): Promise<boolean> {
  const [row] = await sql<{ open: boolean }>`select ${awaitsDueDate(scope)} or ${receivedAwaitsDueDate(scope)} as open`
  return row?.open ?? false
}

/** Tells of what fell due until yesterday, in Santiago and by the clock of the empresa; ends when nothing is open. */
export async function checkDueDates(ctx: JobContext): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const today = santiagoDate(ctx.now())
  for (let more = true; more; ) more = await ctx.transact((tx) => tellOverdue(tx, scope, today, PAGE))
  return (await isAnyOpen(ctx.sql, scope)) ? { again_at: nextDailyRun(scope.empresa_id, ctx.now()) } : 'done'
}
