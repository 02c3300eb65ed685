import type { Mode } from '../../../catalog/modes.ts'
import type { Scope } from '../../../catalog/scopes.ts'
import type { Cache } from '../../../kernel/cache.ts'
import { type ClockSetting, systemNow } from '../../../kernel/clock.ts'
import { listed, type Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Caller } from '../../../kernel/scope.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import { joinOpenAccount } from '../account/lookup.ts'
import { accountClock, clockOf, type JoinedClock, joinAccountClock } from '../test-clock/sql.ts'
import { type GrantRow, limitsOf } from './show.ts'

export type AgentCaller = Extract<Caller, { kind: 'agent' }>

export interface AgentIdentity {
  readonly account_id: string
  readonly mode: Mode
  readonly clock: ClockSetting
  readonly caller: AgentCaller
}

export interface AgentAuthenticator {
  /** Whom an access token speaks for, or a Problem (401). */
  authenticate(token: string): Promise<AgentIdentity>
  /** Last uses since the previous call, for the worker that saves them. */
  drainUses(): Map<string, number>
}

export interface AgentAuthenticatorParts {
  readonly sql: Sql
  readonly cache: Cache
  /** The only server its tokens are meant for: the address of /mcp. */
  readonly audience: string
}

interface CachedIdentity extends AgentIdentity {
  readonly ends_at: number
}

interface Row extends GrantRow, JoinedClock {
  readonly token_scope: string | null
  readonly audience: string | null
  readonly token_expires_at: Date
}

const SHAPE = /^[\w-]{43}$/

async function readToken(sql: Sql, hash: Buffer): Promise<Row | null> {
  const [row] = await sql<Row>`
    select g.*, t.payload->>'scope' as token_scope, t.payload->>'aud' as audience, t.expires_at as token_expires_at,
      ${accountClock}
    from oauth_item t
    join agent_grant g on g.id = t.grant_id
    ${joinOpenAccount('g')}
    ${joinAccountClock('g')}
    where t.model = 'AccessToken' and t.hash = ${hash} and g.revoked_at is null`
  return row ?? null
}

/** The scopes that the token carries of those granted: a refresh may narrow them, and nothing widens them. */
function callerOf(row: Row): AgentCaller {
  const carried = (row.token_scope ?? '').split(' ')
  return {
    kind: 'agent',
    credential_id: row.id,
    client_name: row.client_name,
    scopes: row.scopes.filter((scope: Scope) => carried.includes(scope)),
    empresas: row.empresas,
    two_steps: row.two_steps,
    limits: limitsOf(row),
  }
}

function identityOf(row: Row, audience: string): CachedIdentity | null {
  if (row.audience !== audience) return null
  return {
    account_id: row.account_id,
    mode: row.mode,
    clock: clockOf(row),
    caller: callerOf(row),
    ends_at: Math.min(row.token_expires_at.getTime(), row.expires_at.getTime()),
  }
}

/** One indexed read, or its cached row: revoking a grant drops it from every process's cache in the same commit. */
export function openAgentAuthenticator({ sql, cache, audience }: AgentAuthenticatorParts): AgentAuthenticator {
  const uses = new Map<string, number>()
  const load = async (token: string) => {
    const row = await readToken(sql, hashSecret(token))
    return row && identityOf(row, audience)
  }
  return {
    async authenticate(token) {
      const idsOf = ({ caller, account_id }: CachedIdentity) => [caller.credential_id, account_id]
      const found = SHAPE.test(token) ? await cache.get(`agent ${token}`, () => load(token), idsOf) : null
      const now = systemNow()
      if (!found || found.ends_at <= now) throw new Problem('invalid_access_token')
      uses.set(found.caller.credential_id, now)
      const { ends_at: _, ...identity } = found
      return identity
    },
    drainUses() {
      const taken = new Map(uses)
      uses.clear()
      return taken
    },
  }
}

/** Saves when grants were last used, many at once: a write for every call would cost more than the call. */
export async function recordGrantUses(sql: Sql, uses: ReadonlyMap<string, number>): Promise<void> {
  const ids = [...uses.keys()]
  const times = ids.map((id) => new Date(uses.get(id) ?? 0))
  await sql`
    update agent_grant g set last_used_at = u.at from (select ${listed.text(ids)} as id,
      ${listed.timestamptz(times)} as at) u
    where g.id = u.id and (g.last_used_at is null or g.last_used_at < u.at)`
}

/**
 * Locks the grant while its agent changes something: revoking it waits for what is under way, and a call admitted just
 * before finds it revoked. Once a person reads that it ended, nothing more of it lands.
 */
export async function lockGrant(sql: Sql, caller: Caller | undefined): Promise<void> {
  if (caller?.kind !== 'agent') return
  const rows = await sql`
    select 1 from agent_grant
    where id = ${caller.credential_id} and revoked_at is null and expires_at > ${new Date(systemNow())} for share`
  if (rows.length === 0) throw new Problem('invalid_access_token')
}
