import type { Mode } from '../../../catalog/modes.ts'
import type { Scope } from '../../../catalog/scopes.ts'
import { type ClockSetting, systemNow } from '../../../kernel/clock.ts'
import type { GrantLimits } from '../../../kernel/scope.ts'
import type { AgentGrant } from './schema.ts'

export interface GrantRow {
  readonly id: string
  readonly account_id: string
  readonly mode: Mode
  readonly client_id: string
  readonly client_name: string
  readonly client_host: string
  readonly scopes: Scope[]
  readonly empresas: string[]
  readonly two_steps: boolean
  readonly max_clp_per_document: number | null
  readonly max_clp_per_day: number | null
  readonly tipos: number[] | null
  readonly receptores: string[] | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

export function limitsOf(row: GrantRow): GrantLimits {
  const { max_clp_per_document, max_clp_per_day, tipos, receptores } = row
  return { max_clp_per_document, max_clp_per_day, tipos, receptores }
}

function statusOf({ revoked_at, expires_at }: GrantRow, now: number): AgentGrant['status'] {
  if (revoked_at) return 'revoked'
  return expires_at.getTime() <= now ? 'expired' : 'active'
}

/** `now` is real time: a credential is not part of the simulated world. */
export function showGrant(row: GrantRow, spent_today: number, made: AgentGrant['made'], now: number): AgentGrant {
  const { tipos, receptores, max_clp_per_document, max_clp_per_day } = row
  return {
    object: 'agent_grant',
    id: row.id,
    status: statusOf(row, now),
    mode: row.mode,
    client: { id: row.client_id, name: row.client_name, host: row.client_host },
    scopes: row.scopes,
    empresas: row.empresas,
    two_steps: row.two_steps,
    limits: { max_clp_per_document, max_clp_per_day, tipos, receptores },
    spent_today,
    made,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}

/**
 * The same with its times as the clock of the account tells them now: a caller of test mode lives by that clock. The
 * grant itself lives in real time, so that moving a clock neither ends nor revives a credential.
 */
export function onClock(grant: AgentGrant, clock_now: Date): AgentGrant {
  const apart = clock_now.getTime() - systemNow()
  // Two readings of one clock are a moment apart.
  return shifted(grant, Math.abs(apart) < SAME_CLOCK_MS ? 0 : apart)
}

const SAME_CLOCK_MS = 1_000

/** The same where the setting of the clock is at hand: what is read twice is the same twice. */
export function onClockSetting(grant: AgentGrant, { offset_ms, frozen_at }: ClockSetting): AgentGrant {
  return shifted(grant, frozen_at === null ? offset_ms : frozen_at.getTime() - systemNow())
}

function shifted(grant: AgentGrant, ahead: number): AgentGrant {
  if (ahead === 0) return grant
  const told = (at: string) => new Date(Date.parse(at) + ahead).toISOString()
  const { last_used_at, revoked_at, made } = grant
  return {
    ...grant,
    made: { ...made, newest: made.newest.map((one) => ({ ...one, created_at: told(one.created_at) })) },
    created_at: told(grant.created_at),
    expires_at: told(grant.expires_at),
    last_used_at: last_used_at && told(last_used_at),
    revoked_at: revoked_at && told(revoked_at),
  }
}
