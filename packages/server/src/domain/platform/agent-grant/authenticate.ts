import type { Mode } from '../../../catalog/modes.ts'
import type { Scope } from '../../../catalog/scopes.ts'
import type { Cache } from '../../../kernel/cache.ts'
import { type ClockSetting, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Caller } from '../../../kernel/scope.ts'
import { hashSecret } from '../../../kernel/secret.ts'
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
  /** Last uses since the previous call, for the sweep that writes them down. */
  takeUses(): Map<string, number>
}

export interface AgentAuthenticatorParts {
  readonly sql: Sql
  readonly cache: Cache
  /** The only server its tokens are meant for: the address of /mcp. */
  readonly audience: string
}

interface Known extends AgentIdentity {
  readonly ends_at: number
}

interface Row extends GrantRow {
  readonly token_scope: string | null
  readonly audience: string | null
  readonly token_expires_at: Date
  readonly offset_ms: number | null
  readonly frozen_at: Date | null
}

const SHAPE = /^[\w-]{43}$/

async function readToken(sql: Sql, hash: Buffer): Promise<Row | null> {
  const [row] = await sql<Row>`
    select g.*, t.payload->>'scope' as token_scope, t.payload->>'aud' as audience, t.expires_at as token_expires_at,
      c.offset_ms, c.frozen_at
    from oauth_item t
    join agent_grant g on g.id = t.grant_id
    join account a on a.id = g.account_id
    left join test_clock c on g.mode = 'test' and c.account_id = g.account_id and c.empresa_id = ''
    where t.model = 'AccessToken' and t.hash = ${hash} and g.revoked_at is null and a.closed_at is null`
  return row ?? null
}

/** What the token carries of what was granted: refreshing may have narrowed it, and nothing widens it. */
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

function knownOf(row: Row, audience: string): Known | null {
  if (row.audience !== audience) return null
  return {
    account_id: row.account_id,
    mode: row.mode,
    clock: { offset_ms: row.offset_ms ?? 0, frozen_at: row.frozen_at },
    caller: callerOf(row),
    ends_at: Math.min(row.token_expires_at.getTime(), row.expires_at.getTime()),
  }
}

/** One indexed read, or what is remembered of it: revoking a grant makes every process forget it in the same commit. */
export function openAgentAuthenticator({ sql, cache, audience }: AgentAuthenticatorParts): AgentAuthenticator {
  const uses = new Map<string, number>()
  const load = async (token: string) => {
    const row = await readToken(sql, hashSecret(token))
    return row && knownOf(row, audience)
  }
  return {
    async authenticate(token) {
      const idsOf = ({ caller, account_id }: Known) => [caller.credential_id, account_id]
      const found = SHAPE.test(token) ? await cache.get(`agent ${token}`, () => load(token), idsOf) : null
      const now = systemNow()
      if (!found || found.ends_at <= now) throw new Problem('invalid_access_token')
      uses.set(found.caller.credential_id, now)
      const { ends_at: _, ...identity } = found
      return identity
    },
    takeUses() {
      const taken = new Map(uses)
      uses.clear()
      return taken
    },
  }
}
