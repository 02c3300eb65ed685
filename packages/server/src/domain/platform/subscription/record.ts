import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext, OperatorContext } from '../../context.ts'
import { lockEmpresaStatus } from '../empresa/lookup.ts'
import { subscriptionMachine } from './machine.ts'
import { readSubscription } from './read.ts'
import type { RecordSubscription, Subscription } from './schema.ts'
import type { RecordedStatus, Term } from './standing.ts'
import { lockOrInsertSubscription, lockSubscription, saveTerm } from './store.ts'
import { termOf } from './term.ts'

const TRIGGERS = { active: 'activated', lapsed: 'lapsed', canceled: 'canceled' } as const satisfies Record<
  RecordedStatus,
  string
>

type RecordContext = Pick<BaseContext, 'sql' | 'now' | 'invalidate'>

async function write(ctx: RecordContext, scope: EmpresaScope, input: RecordSubscription, before: Term): Promise<void> {
  const now = ctx.now()
  await saveTerm(ctx.sql, scope, { ...termOf(input, before, now), updated_at: now })
  await advance(ctx.sql, subscriptionMachine, scope, scope.empresa_id, TRIGGERS[input.status])
  ctx.invalidate(scope.empresa_id)
}

/** Records a payment that the operator knows of. The empresa itself is unchanged, so no event is emitted. */
export async function recordSubscription(ctx: OperatorContext, input: RecordSubscription): Promise<Subscription> {
  const { sql, empresa } = ctx
  const status = await lockEmpresaStatus(sql, empresa)
  if (status === null) throw new Problem('empresa_not_found')
  // Nobody pays for what can never emit again.
  if (status === 'archived' && input.status === 'active') throw new Problem('empresa_inactive')
  await write(ctx, empresa, input, await lockOrInsertSubscription(sql, empresa, ctx.now()))
  return readSubscription(ctx)
}

/** Billing stops with the empresa. */
export async function endSubscription(ctx: RecordContext, scope: EmpresaScope): Promise<void> {
  const before = await lockSubscription(ctx.sql, scope)
  if (before && before.status !== 'canceled') await write(ctx, scope, { status: 'canceled' }, before)
}
