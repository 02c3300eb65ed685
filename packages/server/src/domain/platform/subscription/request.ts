import { daysFrom } from '../../../kernel/clock.ts'
import type { BaseContext } from '../../context.ts'
import { findAccountEmail } from '../account/lookup.ts'
import { composeLetter } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import type { CheckoutPage } from './checkout.ts'
import { subscriptionWantedLetter } from './copy.ts'
import { isBlocked, isRequired } from './standing.ts'
import { saveRequest } from './store.ts'

/** Whether there is anything to ask the operator for. */
export function canRequest({ scope, ...standing }: CheckoutPage, now: Date): boolean {
  return isRequired(scope.mode, standing) && (standing.status !== 'active' || isBlocked(scope.mode, standing, now))
}

/** Whether they may be asked again. */
export function isRequestDue({ requested_at }: CheckoutPage, now: Date): boolean {
  return requested_at === null || daysFrom(requested_at, 1) <= now
}

/** Writes to the operator that an empresa wants its subscription; once a day at most, however often it is asked. */
export async function requestSubscription(
  ctx: Pick<BaseContext, 'sql' | 'now' | 'addresses' | 'ports' | 'enqueue'>,
  page: CheckoutPage,
): Promise<void> {
  const { scope, legal_name } = page
  const at = ctx.now()
  if (!canRequest(page, at) || !(await saveRequest(ctx.sql, scope, at))) return
  const account = await findAccountEmail(ctx.sql, scope.account_id)
  const letter = subscriptionWantedLetter(ctx.addresses.operator_email, {
    account_id: scope.account_id,
    account_email: account?.email ?? 'sin correo',
    empresa: { id: scope.empresa_id, rut: scope.rut, legal_name },
    at,
  })
  await enqueueLetter(ctx, { ...composeLetter(letter), ...(account && { reply_to: account.email }) })
}
