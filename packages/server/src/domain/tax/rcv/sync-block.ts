import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { Closed, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { Period } from './period.ts'

export const SYNC_STATUSES = ['never_read', 'syncing', 'synced', 'failed'] as const

export const PartialError = Closed({
  side: OneOf(['purchase', 'sale']),
  estado_contable: Nullable(OneOf(['REGISTRO', 'PENDIENTE', 'NO_INCLUIR', 'RECLAMADO'])),
  line: Nullable(Type.Integer({ description: 'The line of the export of the SII; its header is line 1.' })),
  column: Nullable(Type.String({ description: 'The column, as the export names it.' })),
  message: Type.String(),
})
export type PartialError = Static<typeof PartialError>

export const RcvSync = Named(
  'RcvSync',
  Closed({
    object: Type.Literal('rcv_sync'),
    mode: OneOf(MODE_NAMES),
    period: Period,
    status: OneOf(SYNC_STATUSES, {
      description:
        '`syncing`: a reading is queued or runs. `failed`: the last one was given up; what is shown is the last good one.',
    }),
    last_synced_at: Nullable(Timestamp, { description: 'Null: never read, which is not the same as empty.' }),
    purchases: Type.Integer({ description: 'Entries the last reading found.' }),
    sales: Type.Integer(),
    partial_errors: Type.Array(PartialError, {
      description: 'Lines of the export that could not be read, the first 100. What they stand for is left as it was.',
    }),
  }),
)
export type RcvSync = Static<typeof RcvSync>

export interface SyncRow {
  readonly requested_at: Date | null
  readonly last_synced_at: Date | null
  readonly failed_at: Date | null
  readonly purchases: number
  readonly sales: number
  readonly partial_errors: PartialError[]
}

function statusOf({ requested_at, failed_at, last_synced_at }: SyncRow): RcvSync['status'] {
  if (requested_at) return 'syncing'
  if (failed_at) return 'failed'
  return last_synced_at ? 'synced' : 'never_read'
}

/** The `sync` block of a period. */
export function showSync({ mode }: Pick<EmpresaScope, 'mode'>, period: string, row: SyncRow | null): RcvSync {
  return {
    object: 'rcv_sync',
    mode,
    period,
    status: row ? statusOf(row) : 'never_read',
    last_synced_at: row?.last_synced_at?.toISOString() ?? null,
    purchases: row?.purchases ?? 0,
    sales: row?.sales ?? 0,
    partial_errors: row?.partial_errors ?? [],
  }
}
