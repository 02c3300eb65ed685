import { MODES } from '../../../catalog/modes.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import { type CheckoutMaker, checkoutUrl } from './checkout.ts'
import { isBlocked, type Standing, statusAt } from './standing.ts'
import { readStanding } from './store.ts'

/**
 * The 402 rung: refuses an empresa without a subscription, where its mode and its plan ask for one. The row is cached
 * until a commit touches the empresa or its account; only the time is read afresh.
 */
export async function requireSubscription(
  ctx: Pick<BaseContext, 'sql' | 'cache' | 'now'> & CheckoutMaker,
  scope: EmpresaScope,
): Promise<void> {
  const { account_id, empresa_id, mode } = scope
  if (!MODES[mode].paywalled) return
  const standing = await ctx.cache.get(
    `subscription ${empresa_id}`,
    () => readStanding(ctx.sql, scope),
    () => [empresa_id, account_id],
  )
  refuseUnpaid(ctx, scope, standing)
}

/** The same for a hosted page, which reads the row itself: nobody calls it often. */
export async function requireSubscriptionOnPage(
  ctx: Pick<BaseContext, 'sql' | 'now'> & CheckoutMaker,
  scope: EmpresaScope,
): Promise<void> {
  if (MODES[scope.mode].paywalled) refuseUnpaid(ctx, scope, await readStanding(ctx.sql, scope))
}

function refuseUnpaid(
  ctx: Pick<BaseContext, 'now'> & CheckoutMaker,
  { empresa_id, mode, rut }: EmpresaScope,
  standing: Standing | null,
): void {
  if (!standing) throw new Problem('empresa_not_found')
  if (!isBlocked(mode, standing, ctx.now())) return
  const details = {
    empresa: empresa_id,
    empresa_rut: rut,
    empresa_name: standing.legal_name,
    account_plan: standing.plan,
    subscription_status: statusAt(standing, ctx.now()),
    grace_until: standing.grace_until?.toISOString() ?? null,
    checkout_url: checkoutUrl(ctx, empresa_id),
  }
  throw new Problem('subscription_required', { details })
}
