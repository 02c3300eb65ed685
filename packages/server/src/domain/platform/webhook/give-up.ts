import { WEBHOOKS } from '../../../catalog/limits.ts'
import { advance } from '../../../kernel/advance.ts'
import { daysFrom, systemNow } from '../../../kernel/clock.ts'
import type { JobTransaction } from '../../job.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { findAccountEmail } from '../account/lookup.ts'
import { countEventsSince } from '../event/lookup.ts'
import { composeLetter } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { givenUpLetter } from './copy.ts'
import { webhookEndpointMachine } from './machine.ts'
import { type EndpointRow, showEndpoint } from './show.ts'
import { findEndpoint, type Health, saveDisabledReason } from './store.ts'

/** Failures alone are not enough, nor time alone: one lost event, or a quiet endpoint, is no reason to give up. */
export function shouldGiveUp({ failing_since, failures, fails_several_events }: Health, now: Date): boolean {
  if (failing_since === null || !fails_several_events || failures < WEBHOOKS.give_up_after_failures) return false
  return failing_since <= daysFrom(now, -WEBHOOKS.give_up_after_days)
}

/** Writes to the account, a few times a day at most: whoever can make an endpoint fail must not make us a mail cannon. */
async function mailAccount(tx: JobTransaction, endpoint: EndpointRow, reason: 'failing' | 'gone'): Promise<void> {
  const account = await findAccountEmail(tx.sql, endpoint.account_id)
  if (!account) return
  const since = daysFrom(new Date(systemNow()), -1)
  const given_up = await countEventsSince(tx.sql, endpoint, 'webhook_endpoint.disabled', since)
  if (given_up >= WEBHOOKS.letters_a_day) return
  const url = account.verified ? endpoint.url : null
  await enqueueLetter(tx, composeLetter(givenUpLetter({ email: account.email, endpoint, url, reason })))
}

/** Disables an endpoint by our own decision, with an event. Nothing happens when somebody disabled it first. */
export async function giveUpEndpoint(
  tx: JobTransaction,
  scope: Pick<EndpointRow, 'account_id' | 'mode'>,
  id: string,
  reason: 'failing' | 'gone',
): Promise<void> {
  const before = await findEndpoint(tx.sql, scope, null, id, { lock: true })
  if (before?.status !== 'enabled') return
  const { transition } = await advance(tx.sql, webhookEndpointMachine, scope, id, 'given_up')
  const after = await saveDisabledReason(tx.sql, before, reason)
  if (transition.event) {
    const object = showEndpoint(after)
    const previous_attributes = previousAttributes(showEndpoint(before), object) ?? {}
    tx.emit({ type: transition.event, object, previous_attributes, empresa: null })
  }
  await mailAccount(tx, after, reason)
}
