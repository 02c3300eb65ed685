import type { Mode } from '../../../catalog/modes.ts'
import type { HolderType } from '../../../ports/bank.ts'
import type { ConnectionStatus } from './machine.ts'
import type { ConnectedAccount, Connection, Failure } from './schema.ts'

export interface ConnectionRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly status: ConnectionStatus
  readonly provider: string
  readonly name: string | null
  readonly holder_type: HolderType
  readonly requested_institution: string | null
  readonly institution: { readonly id: string; readonly name: string } | null
  readonly holder_rut: string | null
  readonly accounts: ConnectedAccount[]
  readonly link_id: string | null
  readonly link_token: Buffer | null
  readonly widget: Buffer | null
  readonly linked_at: Date | null
  readonly refresh_asked_at: Date | null
  readonly next_refresh_allowed_at: Date | null
  readonly sync_job_id: string | null
  readonly last_synced_at: Date | null
  readonly failures: number
  readonly failure: Failure | null
  readonly created_at: Date
}

export function showConnection(row: ConnectionRow): Connection {
  return {
    object: 'connection',
    id: row.id,
    mode: row.mode,
    status: row.status,
    provider: row.provider,
    name: row.name,
    holder_type: row.holder_type,
    requested_institution: row.requested_institution,
    institution: row.institution,
    holder_rut: row.holder_rut,
    accounts: row.accounts,
    last_synced_at: row.last_synced_at?.toISOString() ?? null,
    next_refresh_allowed_at: row.next_refresh_allowed_at?.toISOString() ?? null,
    failures: row.failures,
    failure: row.failure,
    created_at: row.created_at.toISOString(),
  }
}
