import { type EstadoContable, NOT_INCLUDED, NOT_RECOVERABLE, OTHER_REASON } from '../../../catalog/rcv.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import type { JobTransaction } from '../../job.ts'
import { requestCompute } from '../f29/jobs.ts'
import { sendRcvDecisions } from './jobs.ts'
import { advanceEstados } from './machine.ts'
import { applyDecision, snapshotOf } from './merge-reading.ts'
import { refuseLocked } from './period-lock.ts'
import type { CharacterizedBy, RcvRow, Snapshot } from './row.ts'
import type { Characterize, EntryPath } from './schema.ts'
import { type Decided, lockPurchases, saveDecisions } from './store.ts'

/** A request or a job. */
export type DecideContext = Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>

/** A code says why IVA gives no credit, so it goes with tipo 6 alone. `at` is the prefix of the field in the input. */
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

/** `param` names the field that held the id of the entry, where it was not in the path. */
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
 * The snapshot that a revert returns to: what the SII showed before the first decision. Without a decision it is what
 * counts now, since the SII may not know of the last revert yet. Of an entry that was put off the former estado is kept.
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
    ...applyDecision(row.sii, row.net, tipo_compra, code),
    estado_contable: estadoAfter(row, tipo_compra),
    characterized_by: by,
    before: beforeOf(row),
  }
}

/** An entry as a revert leaves it. Its estado moves back only if the decision moved it: the SII may have moved it meanwhile. */
export function revertedRow(row: RcvRow, before: NonNullable<RcvRow['before']>): Decided {
  const moved = row.estado_contable === 'NO_INCLUIR' || before.estado_contable === 'NO_INCLUIR'
  const estado_contable = moved ? before.estado_contable : row.estado_contable
  const put_off = estado_contable === 'PENDIENTE' && before.estado_contable !== 'PENDIENTE'
  return { ...before, id: row.id, estado_contable, characterized_by: 'sii', before: put_off ? before : null }
}

/** Saves decisions about locked entries, moves their estados, and enqueues what the SII is to be told. */
export async function saveDecided(
  tx: DecideContext,
  scope: EmpresaScope,
  rows: readonly RcvRow[],
  decided: readonly Decided[],
): Promise<RcvRow[]> {
  if (decided.length === 0) return []
  const present = new Map(rows.map((row) => [row.id, row.estado_contable]))
  const moves = decided.flatMap(({ id, estado_contable: to }) =>
    to === null || to === present.get(id) ? [] : [{ id, to }],
  )
  await advanceEstados(tx.sql, scope, moves)
  const saved = await saveDecisions(tx.sql, scope, decided, tx.now())
  const entry_ids = saved.map(({ id }) => id)
  await tx.enqueue(sendRcvDecisions, { payload: { entry_ids }, empresa_id: scope.empresa_id, lane: scope.empresa_id })
  return saved
}

/** The same, and requests the F29 of their periods anew. */
export async function decide(
  tx: DecideContext,
  scope: EmpresaScope,
  rows: readonly RcvRow[],
  decided: readonly Decided[],
): Promise<RcvRow[]> {
  const saved = await saveDecided(tx, scope, rows, decided)
  for (const period of new Set(saved.map((row) => row.period))) await requestCompute(tx, scope, period)
  return saved
}

/** Locks a purchase that may still be decided about. */
export async function lockOpenPurchase(ctx: EmpresaContext, { entry_id }: EntryPath): Promise<RcvRow> {
  const [row] = await lockPurchases(ctx.sql, ctx.empresa, [entry_id])
  if (!row) throw new Problem('rcv_entry_not_found')
  await refuseLocked(ctx.sql, ctx.empresa, row.period)
  refuseClosed(row)
  return row
}
