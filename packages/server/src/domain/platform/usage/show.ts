import type { Mode } from '../../../catalog/modes.ts'
import { USAGE_KIND_NAMES, type UsageKind } from '../../../catalog/usage.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { Counts, UsageRecord, UsageSummary } from './schema.ts'

export interface UsageRow {
  readonly id: string
  readonly mode: Mode
  readonly empresa_id: string
  readonly empresa_rut: string
  readonly kind: UsageKind
  readonly tipo_dte: number | null
  readonly quantity: number
  readonly subject_id: string
  readonly period: string
  readonly created_at: Date
}

export function showUsageRecord(row: UsageRow): UsageRecord {
  return {
    object: 'usage_record',
    id: row.id,
    mode: row.mode,
    empresa: { id: row.empresa_id, rut: row.empresa_rut },
    kind: row.kind,
    tipo_dte: row.tipo_dte,
    quantity: row.quantity,
    subject_id: row.subject_id,
    period: row.period,
    created_at: row.created_at.toISOString(),
  }
}

/** A month as it was counted: by kind and tipo (0 for none), and by empresa and kind. */
export interface CountedMonth {
  readonly tipos: readonly { readonly tipo_dte: number; readonly kind: UsageKind; readonly quantity: number }[]
  readonly empresas: readonly { readonly id: string; readonly rut: string; readonly counts: Partial<Counts> }[]
  readonly empresas_total: number
}

/** Every kind, with zero for those nobody used: a missing one could mean none or unknown. */
function whole(counts: Partial<Counts>): Counts {
  return Object.fromEntries(USAGE_KIND_NAMES.map((kind) => [kind, counts[kind] ?? 0])) as Counts
}

function added(rows: CountedMonth['tipos']): Counts {
  const sum: Partial<Counts> = {}
  for (const { kind, quantity } of rows) sum[kind] = (sum[kind] ?? 0) + quantity
  return whole(sum)
}

export function showUsageSummary({ mode }: AccountScope, period: string, month: CountedMonth): UsageSummary {
  const tipos = [...new Set(month.tipos.map(({ tipo_dte }) => tipo_dte))].filter((tipo) => tipo !== 0)
  return {
    object: 'usage_summary',
    mode,
    period,
    totals: added(month.tipos),
    by_tipo: tipos
      .sort((a, b) => a - b)
      .map((tipo_dte) => ({ tipo_dte, ...added(month.tipos.filter((row) => row.tipo_dte === tipo_dte)) })),
    by_empresa: month.empresas.map(({ id, rut, counts }) => ({ empresa: { id, rut }, ...whole(counts) })),
    empresas_total: month.empresas_total,
  }
}
