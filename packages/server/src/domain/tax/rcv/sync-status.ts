import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { PartialError, RcvSync } from './schema.ts'

interface SyncRow {
  readonly requested_at: Date | null
  readonly last_synced_at: Date | null
  readonly failed_at: Date | null
  readonly purchases: number
  readonly sales: number
  readonly partial_errors: (Omit<PartialError, 'text' | 'blocks_filing'> & Partial<PartialError>)[]
}

function statusOf({ requested_at, failed_at, last_synced_at }: SyncRow): RcvSync['status'] {
  if (requested_at) return 'syncing'
  if (failed_at) return 'failed'
  return last_synced_at ? 'synced' : 'never_read'
}

function showSync({ mode }: Pick<EmpresaScope, 'mode'>, period: string, row: SyncRow | null): RcvSync {
  return {
    object: 'rcv_sync',
    mode,
    period,
    status: row ? statusOf(row) : 'never_read',
    last_synced_at: row?.last_synced_at?.toISOString() ?? null,
    purchases: row?.purchases ?? 0,
    sales: row?.sales ?? 0,
    // A reading of before these were told apart: what it could not read may belong in the declaration.
    partial_errors: (row?.partial_errors ?? []).map((error) => ({ text: null, blocks_filing: true, ...error })),
  }
}

/** How the mirror of a period stands: when it was last read, and what could not be read. */
export async function readSync(sql: Sql, scope: EmpresaScope, period: string): Promise<RcvSync> {
  const [row] = await sql<SyncRow>`select * from rcv_sync where ${ownedBy(scope)} and period = ${period}`
  return showSync(scope, period, row ?? null)
}
