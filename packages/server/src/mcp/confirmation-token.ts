import { createHash, randomBytes } from 'node:crypto'
import { AGENTS } from '../catalog/limits.ts'
import { Problem } from '../kernel/problem.ts'
import type { Vault } from '../kernel/vault.ts'

/** The credential and tool that a preview was made for: the token is worth nothing to any other. */
export interface ConfirmationOwner {
  readonly credential: string
  readonly operation: string
}

/** The contents of a token: digests of the arguments and of the outcome shown, its expiry, and a nonce. */
export interface Consent {
  readonly args: string
  readonly facts: string
  readonly expires: number
  readonly nonce: string
}

export interface Confirmation {
  readonly token: string
  readonly hash: string
  readonly expires_at: string
}

const vaultOwner = ({ credential, operation }: ConfirmationOwner) =>
  JSON.stringify(['agent confirmation', credential, operation])
const PREFIX = 'cnf_'

/** The same value always as the same text, whatever order its fields were sent in. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

// Half a SHA-256: a model copies the token character by character, and nobody finds a second value for it.
const DIGEST_BYTES = 16
const TIME_BYTES = 6
const NONCE_BYTES = 9

export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest().subarray(0, DIGEST_BYTES).toString('base64url')
}

function pack({ args, facts, expires, nonce }: Consent): Buffer {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUIntBE(expires, 0, TIME_BYTES)
  const [first, second, last] = [args, facts, nonce].map((text) => Buffer.from(text, 'base64url')) as Buffer[]
  return Buffer.concat([first as Buffer, second as Buffer, time, last as Buffer])
}

function unpack(clear: Buffer): Consent {
  const at = 2 * DIGEST_BYTES
  return {
    args: clear.toString('base64url', 0, DIGEST_BYTES),
    facts: clear.toString('base64url', DIGEST_BYTES, at),
    expires: clear.readUIntBE(at, TIME_BYTES),
    nonce: clear.toString('base64url', at + TIME_BYTES),
  }
}

/** One figure for what the person was shown: same act, same arguments, same outcome. */
const hashOf = ({ operation }: ConfirmationOwner, args: string, facts: string) =>
  createHash('sha256').update(`${operation}\n${args}\n${facts}`).digest('hex')

/**
 * A sealed token, which needs no row and which nobody else can make. It works once because its nonce becomes the
 * key that its answer is kept under.
 */
export function issueConfirmation(
  vault: Vault,
  owner: ConfirmationOwner,
  { args, facts }: Pick<Consent, 'args' | 'facts'>,
  now: Date,
): Confirmation {
  const expires = now.getTime() + AGENTS.confirmation_seconds * 1000
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const sealed = vault.seal(vaultOwner(owner), pack({ args, facts, expires, nonce }))
  return {
    token: PREFIX + Buffer.from(sealed).toString('base64url'),
    hash: hashOf(owner, args, facts),
    expires_at: new Date(expires).toISOString(),
  }
}

function openToken(vault: Vault, owner: ConfirmationOwner, token: string): Consent | null {
  if (!token.startsWith(PREFIX)) return null
  try {
    const sealed = Buffer.from(token.slice(PREFIX.length), 'base64url')
    // Decoding skips characters it does not know: only the very text that was issued is accepted.
    if (sealed.toString('base64url') !== token.slice(PREFIX.length)) return null
    return unpack(Buffer.from(vault.open(vaultOwner(owner), sealed)))
  } catch {
    return null
  }
}

/** The consent behind a token, or a refusal: it is another's, another tool's, or about other arguments. */
export function readConsent(vault: Vault, owner: ConfirmationOwner, token: string, args: string): Consent {
  const found = openToken(vault, owner, token)
  if (!found) throw new Problem('confirmation_invalid', { param: 'confirmation' })
  if (found.args !== args) throw new Problem('confirmation_mismatch', { param: 'confirmation' })
  return found
}

/** Refuses a consent that expired, or that is about another outcome than the one there would be now. */
export function checkConsent({ expires, facts }: Consent, now: Date, current: string): void {
  if (expires <= now.getTime()) throw new Problem('confirmation_expired', { param: 'confirmation' })
  if (facts !== current) throw new Problem('confirmation_outdated', { param: 'confirmation' })
}
