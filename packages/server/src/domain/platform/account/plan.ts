import type { OperatorAccountContext } from '../../context.ts'
import type { AccountPlan, RecordPlan } from './schema.ts'
import { savePlan } from './store.ts'

/** Puts an account on a plan. The paywall of each of its empresas reads it afresh, in every process. */
export async function recordPlan(ctx: OperatorAccountContext, { plan }: RecordPlan): Promise<AccountPlan> {
  await savePlan(ctx.sql, ctx.account_id, plan)
  ctx.invalidate(ctx.account_id)
  return { object: 'account_plan', id: ctx.account_id, plan }
}
