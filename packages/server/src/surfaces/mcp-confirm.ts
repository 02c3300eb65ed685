import { createHash, randomBytes } from 'node:crypto'
import { AGENTS } from '../catalog/limits.ts'
import { Problem } from '../kernel/problem.ts'
import type { Vault } from '../ports/vault.ts'

/** What a confirmation binds: who was shown what, about which act, and until when. */
export interface Consent {
  /** The credential that was shown it: another one was shown nothing. */
  readonly credential: string
  readonly operation: string
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

const OWNER = 'agent confirmation'
const PREFIX = 'cnf_'

/** The same value always as the same text, whatever order its fields were sent in. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url')
}

/** What the person was shown, under one figure: same act, same arguments, same outcome. */
const hashOf = ({ operation, args, facts }: Pick<Consent, 'operation' | 'args' | 'facts'>) =>
  createHash('sha256').update(`${operation}\n${args}\n${facts}`).digest('hex')

/**
 * The confirmation itself, sealed: it needs no row, and nobody else can make one. That it works once is the doing of
 * the idempotency key it becomes.
 */
export function giveConfirmation(vault: Vault, consent: Omit<Consent, 'expires' | 'nonce'>, now: Date): Confirmation {
  const expires = now.getTime() + AGENTS.confirmation_seconds * 1000
  const whole: Consent = { ...consent, expires, nonce: randomBytes(9).toString('base64url') }
  const sealed = vault.seal(OWNER, Buffer.from(JSON.stringify(whole)))
  return {
    token: PREFIX + Buffer.from(sealed).toString('base64url'),
    hash: hashOf(consent),
    expires_at: new Date(expires).toISOString(),
  }
}

function openToken(vault: Vault, token: string): Consent | null {
  if (!token.startsWith(PREFIX)) return null
  try {
    const sealed = Buffer.from(token.slice(PREFIX.length), 'base64url')
    // Decoding passes over what it does not know: only the very text that was given is taken.
    if (sealed.toString('base64url') !== token.slice(PREFIX.length)) return null
    return JSON.parse(Buffer.from(vault.open(OWNER, sealed)).toString()) as Consent
  } catch {
    return null
  }
}

/** The consent behind a token, or a refusal: it is another's, another tool's, or about other arguments. */
export function readConsent(
  vault: Vault,
  token: string,
  mine: Pick<Consent, 'credential' | 'operation' | 'args'>,
): Consent {
  const found = openToken(vault, token)
  if (found?.credential !== mine.credential || found.operation !== mine.operation) {
    throw new Problem('confirmation_invalid', { param: 'confirmation' })
  }
  if (found.args !== mine.args) throw new Problem('confirmation_mismatch', { param: 'confirmation' })
  return found
}

/** Whether it still holds: in time, and about what would happen now. */
export function judgeConsent({ expires, facts }: Consent, now: Date, found: string): void {
  if (expires <= now.getTime()) throw new Problem('confirmation_expired', { param: 'confirmation' })
  if (facts !== found) throw new Problem('confirmation_outdated', { param: 'confirmation' })
}
