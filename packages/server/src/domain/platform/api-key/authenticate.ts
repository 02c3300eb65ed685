import type { Mode } from '../../../catalog/modes.ts'
import type { Scope } from '../../../catalog/scopes.ts'
import type { Cache } from '../../../kernel/cache.ts'
import { type ClockSetting, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import { hashSecret } from '../../../kernel/secret.ts'

export interface KeyIdentity {
  readonly key_id: string
  readonly account_id: string
  readonly mode: Mode
  readonly root: boolean
  readonly scopes: readonly Scope[]
  readonly empresas: readonly string[]
  readonly clock: ClockSetting
  /** When the secret that was sent stops working: set for the older one of a rolled key. */
  readonly expires_at: Date | null
}

interface Row extends Omit<KeyIdentity, 'clock'> {
  readonly offset_ms: number | null
  readonly frozen_at: Date | null
}

export interface Authenticator {
  authenticate(secret: string): Promise<KeyIdentity>
  /** Last uses since the previous call, for the sweep that writes them down. */
  takeUses(): Map<string, number>
}

const SHAPE = /^sk_(test|live)_(root_)?[0-9A-Za-z]{43}$/

async function readKey(sql: Sql, hash: Buffer): Promise<KeyIdentity | null> {
  const [row] = await sql<Row>`
    select k.id as key_id, k.account_id, k.mode, k.root, k.scopes, k.empresas, s.expires_at, c.offset_ms, c.frozen_at
    from api_key_secret s
    join api_key k on k.id = s.key_id
    join account a on a.id = k.account_id
    left join test_clock c on k.mode = 'test' and c.account_id = k.account_id and c.empresa_id = ''
    where s.hash = ${hash} and k.revoked_at is null and a.closed_at is null`
  if (!row) return null
  const { offset_ms, frozen_at, ...identity } = row
  return { ...identity, clock: { offset_ms: offset_ms ?? 0, frozen_at } }
}

/** One indexed read, or what is remembered of it: revoking a key makes every process forget it in the same commit. */
export function openAuthenticator(sql: Sql, cache: Cache): Authenticator {
  const uses = new Map<string, number>()

  // Remembered under the secret itself, for seconds: hashing it again would cost more than all the rest of a look-up.
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
    takeUses() {
      const taken = new Map(uses)
      uses.clear()
      return taken
    },
  }
}
