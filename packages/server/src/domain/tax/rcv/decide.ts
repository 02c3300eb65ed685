import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { type Decided, saveDecisions } from './decide-store.ts'
import { tellRcv } from './jobs.ts'
import type { CharacterizedBy, RcvRow, Snapshot } from './row.ts'
import type { Characterize } from './schema.ts'
import { snapshotOf, underDecision } from './settle-reading.ts'
import { type EstadoContable, NOT_INCLUDED, NOT_RECOVERABLE, OTHER_REASON } from './tipos.ts'
import { moveTogether } from './write-batch.ts'

/** What deciding takes: a request and a job both have it. */
export type Deciding = Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>

/** A code says why IVA gives no credit, so it goes with tipo 6 alone. `at` is where the caller wrote it. */
export function checkDecision({ tipo_compra, iva_not_recoverable_code }: Characterize, at = ''): void {
  if (iva_not_recoverable_code !== undefined && tipo_compra !== NOT_RECOVERABLE) {
    throw invalidField(`${at}iva_not_recoverable_code`, `it goes with tipo_compra ${NOT_RECOVERABLE} alone.`)
  }
}

const CLOSED = {
  withdrawn: 'The SII no longer shows this entry.',
  summary: 'A monthly summary stands for many documents and is not decided about.',
  claimed: 'The document was claimed, and stays claimed.',
} as const

/** Why nobody decides about an entry any more, or null. */
function closedReason({ estado_contable, withdrawn_at_sii, folio }: RcvRow): keyof typeof CLOSED | null {
  if (withdrawn_at_sii !== null) return 'withdrawn'
  if (folio === null) return 'summary'
  return estado_contable === 'RECLAMADO' ? 'claimed' : null
}

/** `param` is where the caller named the entry, where it was not in the path. */
export function refuseClosed(row: RcvRow, param?: string): void {
  const reason = closedReason(row)
  if (!reason) return
  throw new Problem('rcv_entry_closed', { message: CLOSED[reason], details: { reason }, ...(param && { param }) })
}

function estadoAfter(row: RcvRow, tipo_compra: number): EstadoContable | null {
  if (tipo_compra === NOT_INCLUDED) return 'NO_INCLUIR'
  if (row.estado_contable !== 'NO_INCLUIR') return row.estado_contable
  const before = (row.before ?? row.sii).estado_contable
  return before === 'PENDIENTE' ? 'PENDIENTE' : 'REGISTRO'
}

/**
 * What a revert returns to: what the SII showed before the first decision. While there is none that is what counts now,
 * for the SII may not have been told of the last revert yet. Where an entry was put off, where it stood stays known.
 */
export function beforeOf(row: RcvRow): Snapshot {
  if (row.before && row.characterized_by !== 'sii') return row.before
  return { ...snapshotOf(row), estado_contable: (row.before ?? row).estado_contable }
}

/** An entry as a decision leaves it. */
export function decidedRow(row: RcvRow, decision: Characterize, by: CharacterizedBy): Decided {
  const { tipo_compra } = decision
  const code = tipo_compra === NOT_RECOVERABLE ? (decision.iva_not_recoverable_code ?? OTHER_REASON) : null
  return {
    id: row.id,
    ...underDecision(row.sii, row.net, tipo_compra, code),
    estado_contable: estadoAfter(row, tipo_compra),
    characterized_by: by,
    before: beforeOf(row),
  }
}

/** Writes decisions about entries that are held, moves what they move, and has the SII told. */
export async function decide(
  tx: Deciding,
  scope: EmpresaScope,
  rows: readonly RcvRow[],
  decided: readonly Decided[],
): Promise<RcvRow[]> {
  if (decided.length === 0) return []
  const present = new Map(rows.map((row) => [row.id, row.estado_contable]))
  const moves = decided.flatMap(({ id, estado_contable: to }) =>
    to === null || to === present.get(id) ? [] : [{ id, to }],
  )
  await moveTogether(tx.sql, scope, moves)
  const saved = await saveDecisions(tx.sql, scope, decided, tx.now())
  const entry_ids = saved.map(({ id }) => id)
  await tx.enqueue(tellRcv, { payload: { entry_ids }, empresa_id: scope.empresa_id, lane: scope.empresa_id })
  return saved
}
