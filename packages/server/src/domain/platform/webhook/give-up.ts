import { WEBHOOKS } from '../../../catalog/limits.ts'
import { advance } from '../../../kernel/advance.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { idFloor } from '../../../kernel/id.ts'
import type { JobTransaction } from '../../job.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import { givenUpLetter } from './copy.ts'
import { webhookEndpointMachine } from './machine.ts'
import { type EndpointRow, showEndpoint } from './show.ts'
import { findEndpoint, lettersTo, noteReason } from './store.ts'

/** A letter to the account, unless it had its share today: whoever can make an endpoint fail must not make us a mail cannon. */
async function tell(tx: JobTransaction, endpoint: EndpointRow, reason: 'failing' | 'gone'): Promise<void> {
  const since = idFloor('event', secondsFrom(new Date(systemNow()), -86_400))
  const found = await lettersTo(tx.sql, endpoint, since)
  if (!found || found.given_up_today >= WEBHOOKS.letters_a_day) return
  const url = found.verified ? endpoint.url : null
  await postLetter(tx, composeLetter(givenUpLetter({ email: found.email, endpoint, url, reason })))
}

/** Stops sending to an endpoint by our own decision, and says so. Nothing happens when someone else stopped it first. */
export async function giveUpEndpoint(
  tx: JobTransaction,
  scope: Pick<EndpointRow, 'account_id' | 'mode'>,
  id: string,
  reason: 'failing' | 'gone',
): Promise<void> {
  const before = await findEndpoint(tx.sql, scope, null, id, { hold: true })
  if (before?.status !== 'enabled') return
  const { transition } = await advance(tx.sql, webhookEndpointMachine, scope, id, 'given_up')
  const after = await noteReason(tx.sql, before, reason)
  const { status, disabled_reason } = before
  if (transition.event) {
    const previous_attributes = { status, disabled_reason }
    tx.emit({ type: transition.event, object: showEndpoint(after), previous_attributes, empresa: null })
  }
  await tell(tx, after, reason)
}
