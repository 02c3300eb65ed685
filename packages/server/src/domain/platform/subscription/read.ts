import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import { type CheckoutMaker, checkoutUrl } from './checkout.ts'
import type { Subscription } from './schema.ts'
import { isBlocked, isRequired, type Standing, statusAt } from './standing.ts'
import { readStanding } from './store.ts'

function showSubscription(ctx: CheckoutMaker, scope: EmpresaScope, standing: Standing, now: Date): Subscription {
  return {
    object: 'subscription',
    id: scope.empresa_id,
    mode: scope.mode,
    status: statusAt(standing, now),
    current_period_end: standing.current_period_end?.toISOString() ?? null,
    grace_until: standing.grace_until?.toISOString() ?? null,
    required: isRequired(scope.mode, standing),
    blocked: isBlocked(scope.mode, standing, now),
    checkout_url: checkoutUrl(ctx, scope.empresa_id),
    updated_at: standing.updated_at?.toISOString() ?? null,
  }
}

/** The subscription of an empresa, whether or not anything was ever recorded. */
export async function readSubscription(
  ctx: Pick<BaseContext, 'sql' | 'now'> & CheckoutMaker & { readonly empresa: EmpresaScope },
): Promise<Subscription> {
  const standing = await readStanding(ctx.sql, ctx.empresa)
  if (!standing) throw new Problem('empresa_not_found')
  return showSubscription(ctx, ctx.empresa, standing, ctx.now())
}
