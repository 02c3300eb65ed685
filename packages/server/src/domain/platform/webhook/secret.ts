import { randomBytes } from 'node:crypto'
import { SECRET_PREFIXES } from '../../../catalog/ids.ts'
import type { Vault } from '../../../kernel/vault.ts'

/** `whsec_` and 32 random bytes in base64: the form that the libraries of Standard Webhooks take as it is. */
export function newSigningSecret(): string {
  return SECRET_PREFIXES.webhook + randomBytes(32).toString('base64')
}

export function sealSecret(vault: Vault, endpoint_id: string, secret: string): Buffer {
  return Buffer.from(vault.seal(endpoint_id, Buffer.from(secret, 'utf8')))
}

export function openSecret(vault: Vault, endpoint_id: string, sealed: Uint8Array): string {
  return Buffer.from(vault.open(endpoint_id, sealed)).toString('utf8')
}
