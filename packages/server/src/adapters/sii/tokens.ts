import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Token, TokenKey, TokenStore } from '@timbre/sii'
import { systemNow } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import { sealedColumn } from '../../kernel/sealed.ts'
import type { Vault } from '../../kernel/vault.ts'

/**
 * Longer than a seed, its signature and a token take where the SII answers; a process that died meanwhile is waited for
 * no longer. Where the SII is so slow that this runs out, two processes ask, and either token will do.
 */
const RENEWAL_MS = 60_000
const LOOK_MS = 100

const ownerOf = (key: string) => `sii_token:${key}`
const hashOf = (token: string) => createHash('sha256').update(token).digest()

export const sealedSiiTokens = sealedColumn({
  what: 'tokens of the SII',
  table: 'sii_token',
  column: 'sealed',
  key: 'key',
  owner: ({ key }) => ownerOf(key),
})

export interface TokenParts {
  readonly sql: Sql
  readonly vault: Vault
  /** Whose tokens they are: `realmOf`. */
  readonly realm: string
}

/**
 * The tokens that the SII gave, shared by every process over one database. A process remembers those it used: a document
 * costs no statement for them.
 */
export function sharedTokens({ sql, vault, realm }: TokenParts): TokenStore {
  const nameOf = ({ fingerprint, channel, ambiente }: TokenKey) => `${realm}/${ambiente}/${channel}/${fingerprint}`
  const remembered = new Map<string, Token>()
  /** Renewals of this process that are under way. */
  const renewing = new Map<string, Promise<Token>>()

  async function find(key: string): Promise<Token | null> {
    const [row] = await sql<{ sealed: Buffer; expires_at: Date }>`
      select sealed, expires_at from sii_token where key = ${key} and sealed is not null
        and expires_at > ${new Date(systemNow())}`
    if (!row) return null
    const token = Buffer.from(vault.open(ownerOf(key), row.sealed)).toString()
    const found = { token, expires_at: row.expires_at }
    remembered.set(key, found)
    return found
  }

  /** Claims the right to ask for a new token; false while the one kept here will do or another process is asking. */
  async function claim(key: string, refused: string | null): Promise<boolean> {
    const now = new Date(systemNow())
    const until = new Date(systemNow() + RENEWAL_MS)
    const claimed = await sql`
      insert into sii_token as t (key, renewing_until) values (${key}, ${until})
      on conflict (key) do update set renewing_until = ${until}
      where (t.renewing_until is null or t.renewing_until <= ${now})
        and (t.hash is null or t.expires_at <= ${now} or t.hash = ${refused === null ? null : hashOf(refused)})
      returning key`
    return claimed.length > 0
  }

  async function keep(key: string, { token, expires_at }: Token): Promise<void> {
    const sealed = Buffer.from(vault.seal(ownerOf(key), Buffer.from(token)))
    await sql`
      update sii_token set sealed = ${sealed}, hash = ${hashOf(token)}, expires_at = ${expires_at},
        renewing_until = null
      where key = ${key}`
    remembered.set(key, { token, expires_at })
  }

  return {
    async get(asked) {
      const key = nameOf(asked)
      const known = remembered.get(key)
      if (known && known.expires_at.getTime() > systemNow()) return known
      return find(key)
    },
    async renew(asked, refused, make) {
      const key = nameOf(asked)
      // Whoever waits for a token here shares what becomes of it: one after another they would wait for a silent SII
      // as many times as there are of them.
      for (let under_way = renewing.get(key); under_way; under_way = renewing.get(key)) {
        const shared = await under_way
        if (shared.token !== refused) return shared
      }
      const renewal = renewOnce(key, refused, make).finally(() => {
        if (renewing.get(key) === renewal) renewing.delete(key)
      })
      renewing.set(key, renewal)
      return renewal
    },
  }

  async function renewOnce(key: string, refused: string | null, make: () => Promise<Token>): Promise<Token> {
    remembered.delete(key)
    while (!(await claim(key, refused))) {
      const kept = await find(key)
      if (kept && kept.token !== refused) return kept
      await wait(LOOK_MS)
    }
    try {
      const made = await make()
      await keep(key, made)
      return made
    } catch (error) {
      await sql`update sii_token set renewing_until = null where key = ${key}`
      throw error
    }
  }
}
