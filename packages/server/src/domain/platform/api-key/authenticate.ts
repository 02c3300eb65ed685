import type { Mode } from '../../../catalog/modes.ts'
import type { Scope } from '../../../catalog/scopes.ts'
import type { Cache } from '../../../kernel/cache.ts'
import { type ClockSetting, systemNow } from '../../../kernel/clock.ts'
import { listed, type Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import { joinOpenAccount } from '../account/lookup.ts'
import { accountClock, clockOf, type JoinedClock, joinAccountClock } from '../test-clock/sql.ts'

export interface KeyIdentity {
  readonly key_id: string
  readonly account_id: string
  readonly mode: Mode
  readonly root: boolean
  readonly scopes: readonly Scope[]
  readonly empresas: readonly string[]
  readonly clock: ClockSetting
  readonly secret_hash: Buffer
  /** When the secret that was sent stops working: set for the older one of a rolled key. */
  readonly expires_at: Date | null
}

type Row = Omit<KeyIdentity, 'clock'> & JoinedClock & { readonly unused: boolean }

export interface Authenticator {
  authenticate(secret: string): Promise<KeyIdentity>
  /** Last uses since the previous call, for the worker that saves them. */
  drainUses(): Map<string, number>
}

const SHAPE = /^sk_(test|live)_(root_)?[0-9A-Za-z]{43}$/

/** Notes, once in the life of a secret, that somebody holds it: a repeated roll tells it to nobody any more. */
async function recordFirstUse(sql: Sql, hash: Buffer): Promise<void> {
  await sql`
    update api_key_secret set first_used_at = ${new Date(systemNow())} where hash = ${hash} and first_used_at is null`
}

async function readKey(sql: Sql, hash: Buffer): Promise<KeyIdentity | null> {
  const [row] = await sql<Row>`
    select k.id as key_id, k.account_id, k.mode, k.root, k.scopes, k.empresas, s.hash as secret_hash, s.expires_at,
      s.first_used_at is null as unused, ${accountClock}
    from api_key_secret s
    join api_key k on k.id = s.key_id
    ${joinOpenAccount('k')}
    ${joinAccountClock('k')}
    where s.hash = ${hash} and k.revoked_at is null`
  if (!row) return null
  const { offset_ms, frozen_at, unused, ...identity } = row
  if (unused) await recordFirstUse(sql, hash)
  return { ...identity, clock: clockOf({ offset_ms, frozen_at }) }
}

/** One indexed read, or its cached row: revoking a key drops it from every process's cache in the same commit. */
export function openAuthenticator(sql: Sql, cache: Cache): Authenticator {
  const uses = new Map<string, number>()

  // Cached under the secret itself, for seconds: hashing it again would cost more than all the rest of a look-up.
  const lookUp = (secret: string) =>
    cache.get(
      `key ${secret}`,
      () => readKey(sql, hashSecret(secret)),
      ({ key_id, account_id }) => [key_id, account_id],
    )

  return {
    async authenticate(secret) {
      const found = SHAPE.test(secret) ? await lookUp(secret) : null
      const now = systemNow()
      if (!found || (found.expires_at && found.expires_at.getTime() <= now)) throw new Problem('invalid_api_key')
      uses.set(found.key_id, now)
      return found
    },
    drainUses() {
      const taken = new Map(uses)
      uses.clear()
      return taken
    },
  }
}

/** Saves when keys were last used, many at once: a write for every call would cost more than the call. */
export async function recordKeyUses(sql: Sql, uses: ReadonlyMap<string, number>): Promise<void> {
  const ids = [...uses.keys()]
  const times = ids.map((id) => new Date(uses.get(id) ?? 0))
  await sql`
    update api_key k set last_used_at = u.at from (select ${listed.text(ids)} as id,
      ${listed.timestamptz(times)} as at) u
    where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`
}
