import type { EmpresaScope } from '../../../kernel/scope.ts'
import { CHECKOUT_URL } from './gate.ts'
import type { Subscription } from './schema.ts'
import { isBlocked, isRequired, type Standing, statusAt } from './standing.ts'

export function showSubscription(scope: EmpresaScope, standing: Standing, now: Date): Subscription {
  return {
    object: 'subscription',
    id: scope.empresa_id,
    mode: scope.mode,
    status: statusAt(standing, now),
    current_period_end: standing.current_period_end?.toISOString() ?? null,
    grace_until: standing.grace_until?.toISOString() ?? null,
    required: isRequired(scope.mode, standing),
    blocked: isBlocked(scope.mode, standing, now),
    checkout_url: CHECKOUT_URL,
    updated_at: standing.updated_at?.toISOString() ?? null,
  }
}
