import type { Mode } from '../../../catalog/modes.ts'
import type { Scope } from '../../../catalog/scopes.ts'
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
