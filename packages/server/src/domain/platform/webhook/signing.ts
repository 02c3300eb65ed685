import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { HEADERS, STANDARD_WEBHOOK_HEADERS } from '../../../catalog/headers.ts'
import { SECRET_PREFIXES } from '../../../catalog/ids.ts'
import type { Vault } from '../../../kernel/vault.ts'

/** `whsec_` and 32 random bytes in base64: the form that the libraries of Standard Webhooks take as it is. */
export function newSigningSecret(): string {
  return SECRET_PREFIXES.webhook + randomBytes(32).toString('base64')
}

export function sealSecret(vault: Vault, endpoint_id: string, secret: string): Buffer {
  return Buffer.from(vault.seal(endpoint_id, Buffer.from(secret, 'utf8')))
}

/** A secret ready to sign with: as it is written for our signature, and the bytes it stands for. */
export interface SigningKey {
  readonly ours: KeyObject
  readonly standard: KeyObject
}

export function signingKey(secret: string): SigningKey {
  return {
    ours: createSecretKey(secret, 'utf8'),
    standard: createSecretKey(secret.slice(SECRET_PREFIXES.webhook.length), 'base64'),
  }
}

/** Gives the key of a sealed secret, opening each secret once. */
export type KeyOpener = (sealed: Buffer) => SigningKey

export function keyOpener(vault: Vault, endpoint_id: string): KeyOpener {
  const keys = new Map<string, SigningKey>()
  return (sealed) => {
    const name = sealed.toString('latin1')
    const key = keys.get(name) ?? signingKey(Buffer.from(vault.open(endpoint_id, sealed)).toString('utf8'))
    keys.set(name, key)
    return key
  }
}

export interface Signing {
  readonly event_id: string
  readonly body: string | Uint8Array
  /** The current one and, while it is being replaced, the previous one. */
  readonly keys: readonly SigningKey[]
  /** Real Unix time: receivers refuse what is old by their own clock, whatever a test clock says. */
  readonly seconds: number
}

function hmac(key: KeyObject, head: string, body: string | Uint8Array, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(head).update(body).digest(encoding)
}

/**
 * Both signatures of a delivery. Ours is keyed with the secret as it is written, that of Standard Webhooks with the
 * bytes it stands for. During a rotation each is made with both secrets, the new one first.
 */
export function signatureHeaders({ event_id, body, keys, seconds }: Signing): Record<string, string> {
  const ours = keys.map((key) => `v1=${hmac(key.ours, `${seconds}.`, body, 'hex')}`)
  const standard = keys.map((key) => `v1,${hmac(key.standard, `${event_id}.${seconds}.`, body, 'base64')}`)
  return {
    [HEADERS.signature]: [`t=${seconds}`, ...ours].join(','),
    [STANDARD_WEBHOOK_HEADERS.id]: event_id,
    [STANDARD_WEBHOOK_HEADERS.timestamp]: String(seconds),
    [STANDARD_WEBHOOK_HEADERS.signature]: standard.join(' '),
  }
}
