import { createHmac } from 'node:crypto'

/** What a delivery is signed over. */
export interface Signed {
  readonly secret: string
  readonly event_id: string
  readonly body: string
  readonly seconds: number
}

/**
 * Both signatures of a delivery, as the server makes them: `Svc-Signature` is keyed with the secret as it is written, that of
 * Standard Webhooks with the bytes it stands for.
 */
export function signatureHeaders({ secret, event_id, body, seconds }: Signed): Record<string, string> {
  const ours = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const standard = createHmac('sha256', bytes).update(`${event_id}.${seconds}.${body}`).digest('base64')
  return {
    'Svc-Signature': `t=${seconds},v1=${ours}`,
    'webhook-id': event_id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${standard}`,
  }
}
