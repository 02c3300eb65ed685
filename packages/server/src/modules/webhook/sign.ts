import { createHmac } from 'node:crypto'
import { HEADERS, STANDARD_WEBHOOK_HEADERS } from '../../catalog/headers.ts'
import { SECRET_PREFIXES } from '../../catalog/ids.ts'

export interface Signing {
  readonly event_id: string
  readonly body: string
  /** The current secret, and while it is being replaced the one before. */
  readonly secrets: readonly string[]
  /** Unix time on the wall: receivers refuse what is old by their own clock, whatever a test clock says. */
  readonly seconds: number
}

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text, 'utf8').digest(encoding)
}

/**
 * Both signatures of a delivery. Ours is keyed with the secret as it is written, that of Standard Webhooks with the
 * bytes it stands for. During a rotation each is made with both secrets, the new one first.
 */
export function signatureHeaders({ event_id, body, secrets, seconds }: Signing): Record<string, string> {
  const ours = secrets.map((secret) => `v1=${hmac(secret, `${seconds}.${body}`, 'hex')}`)
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIXES.webhook.length), 'base64')
    return `v1,${hmac(key, `${event_id}.${seconds}.${body}`, 'base64')}`
  })
  return {
    [HEADERS.signature]: [`t=${seconds}`, ...ours].join(','),
    [STANDARD_WEBHOOK_HEADERS.id]: event_id,
    [STANDARD_WEBHOOK_HEADERS.timestamp]: String(seconds),
    [STANDARD_WEBHOOK_HEADERS.signature]: standard.join(' '),
  }
}
