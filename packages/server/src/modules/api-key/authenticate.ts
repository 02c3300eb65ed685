import type { Mode } from '../../catalog/modes.ts'
import type { Scope } from '../../catalog/scopes.ts'
import { type ClockSetting, systemNow } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import type { Listener } from '../../kernel/listen.ts'
import { Problem } from '../../kernel/problem.ts'
import { hashSecret } from '../../kernel/secret.ts'
import { INVALIDATED } from '../../kernel/unit.ts'

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
  /** Drops a key or an account here at once; other processes hear of it by NOTIFY in the same commit. */
  forget(id: string): void
  /** Last uses since the previous call, for the sweep that writes them down. */
  takeUses(): Map<string, number>
}

const SHAPE = /^sk_(test|live)_(root_)?[0-9A-Za-z]{43}$/
const MOST = 20_000

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

/**
 * Key lookup with a cache that is never older than the last commit that touched it: entries are used only
 * while the line between processes is up, and a read that was overtaken by an invalidation is not kept.
 */
export function openAuthenticator(sql: Sql, listener: Listener): Authenticator {
  const cache = new Map<string, KeyIdentity>()
  const uses = new Map<string, number>()
  let generation = 0

  const forget = (id: string) => {
    generation++
    for (const [hash, known] of cache) if (known.key_id === id || known.account_id === id) cache.delete(hash)
  }
  listener.on(INVALIDATED, forget)
  listener.onLost(() => {
    generation++
    cache.clear()
  })

  async function lookUp(hash: Buffer): Promise<KeyIdentity | null> {
    const id = hash.toString('base64')
    const cached = listener.connected ? cache.get(id) : undefined
    if (cached) return cached
    const before = generation
    const found = await readKey(sql, hash)
    if (found && listener.connected && generation === before) {
      if (cache.size >= MOST) cache.clear()
      cache.set(id, found)
    }
    return found
  }

  return {
    async authenticate(secret) {
      const found = SHAPE.test(secret) ? await lookUp(hashSecret(secret)) : null
      const now = systemNow()
      if (!found || (found.expires_at && found.expires_at.getTime() <= now)) throw new Problem('invalid_api_key')
      uses.set(found.key_id, now)
      return found
    },
    forget,
    takeUses() {
      const taken = new Map(uses)
      uses.clear()
      return taken
    },
  }
}
