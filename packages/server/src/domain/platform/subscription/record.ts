import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext, OperatorContext } from '../../context.ts'
import { subscriptionMachine } from './machine.ts'
import { readSubscription } from './read.ts'
import type { RecordSubscription, Subscription } from './schema.ts'
import type { RecordedStatus, Term } from './standing.ts'
import { holdEmpresaStatus, holdSubscription, lockSubscription, writeTerm } from './store.ts'
import { termOf } from './term.ts'

const TRIGGERS = { active: 'activated', lapsed: 'lapsed', canceled: 'canceled' } as const satisfies Record<
  RecordedStatus,
  string
>

type Recording = Pick<BaseContext, 'sql' | 'now' | 'invalidate'>

async function write(ctx: Recording, scope: EmpresaScope, input: RecordSubscription, before: Term): Promise<void> {
  const now = ctx.now()
  await writeTerm(ctx.sql, scope, { ...termOf(input, before, now), updated_at: now })
  await advance(ctx.sql, subscriptionMachine, scope, scope.empresa_id, TRIGGERS[input.status])
  ctx.invalidate(scope.empresa_id)
}

/** What the operator knows of a payment. The empresa itself looks as before, so no event tells of it. */
export async function recordSubscription(ctx: OperatorContext, input: RecordSubscription): Promise<Subscription> {
  const { sql, empresa } = ctx
  const status = await holdEmpresaStatus(sql, empresa)
  if (status === null) throw new Problem('empresa_not_found')
  // Nobody pays for what can never emit again.
  if (status === 'archived' && input.status === 'active') throw new Problem('empresa_inactive')
  await write(ctx, empresa, input, await holdSubscription(sql, empresa, ctx.now()))
  return readSubscription(ctx)
}

/** Billing stops with the empresa: what it had ends now. */
export async function endSubscription(ctx: Recording, scope: EmpresaScope): Promise<void> {
  const before = await lockSubscription(ctx.sql, scope)
  if (before && before.status !== 'canceled') await write(ctx, scope, { status: 'canceled' }, before)
}
