import { createHmac } from 'node:crypto'
import type { Received } from '../support/webhook-receiver.ts'
import { counts, type EventRow, type Evidence } from './audit.ts'

/** Whether a delivery carries the signature that its own time, body and the secret of the endpoint make. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const [, seconds = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['svc-signature'])) ?? []
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex') === signature
}

/** Every event was owed to the endpoint once, was delivered there, and arrived signed and as the ledger has it. */
export async function auditDeliveries(evidence: Evidence, events: readonly EventRow[]): Promise<string[]> {
  const { auditor, tenant, received, taken } = evidence
  const { id, secret } = tenant.endpoint
  const deliveries = await auditor.list(`/v1/webhook_endpoints/${id}/deliveries`)
  const owed = counts(deliveries.map(({ event_id }) => event_id))
  const arrived = new Set(taken.filter((one) => isSigned(one, secret)).map(({ event }) => event.id))
  const known = new Map(events.map((event) => [event.id, JSON.stringify(event)]))
  const ours = events.filter(({ type }) => type.startsWith('document.'))
  return [
    ...ours.filter((event) => owed.get(event.id) !== 1).map((e) => `${e.id} (${e.type}) is not owed once`),
    ...ours.filter((event) => !arrived.has(event.id)).map((e) => `${e.id} (${e.type}) never arrived`),
    ...deliveries.filter(({ status }) => status !== 'succeeded').map((d) => `delivery ${d.id} is ${d.status}`),
    ...received
      .filter((one) => !isSigned(one, secret))
      .map(({ headers }) => `${headers['svc-event-id']} is not signed`),
    ...received
      .filter(({ event, body }) => known.get(event.id) !== body)
      .map(({ event }) => `${event.id} arrived otherwise than the ledger has it`),
  ]
}
