import { ANSWER_DAYS } from '@timbre/dte/values'
import { DEL_GIRO, NOT_INCLUDED } from '../../../catalog/rcv.ts'
import { DAY_SECONDS } from '../../../catalog/time.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { isAnswered } from '../../receiving/received-document/lookup.ts'
import { decideOne } from './characterize.ts'
import { beforeOf, decidedRow, lockOpenPurchase, revertedRow } from './decide.ts'
import { snapshotOf } from './merge-reading.ts'
import { showWithSuggestion } from './read.ts'
import type { RcvRow } from './row.ts'
import type { EntryPath, MoveEstado, RcvEntry } from './schema.ts'
import type { Decided } from './store.ts'

type Movable = MoveEstado['estado_contable']

/**
 * Acknowledged, accepted, or eight days old: from then on a purchase on credit counts (Ley 19.983, art. 3). One that
 * counted before it was put off counts again.
 */
async function mayCount(ctx: EmpresaContext, row: RcvRow): Promise<boolean> {
  if (row.acknowledged_at !== null) return true
  if (row.before !== null && row.before.estado_contable !== 'PENDIENTE') return true
  const lapse = ANSWER_DAYS * DAY_SECONDS
  if (row.received_at !== null && secondsFrom(row.received_at, lapse) <= ctx.now()) return true
  return row.received_document_id !== null && isAnswered(ctx.sql, ctx.empresa, row.received_document_id)
}

async function refuseWaiting(ctx: EmpresaContext, row: RcvRow, to: Movable): Promise<void> {
  if (to !== 'REGISTRO' || (await mayCount(ctx, row))) return
  const details = { from: row.estado_contable, to, reason: 'not_acknowledged' }
  throw new Problem('estado_contable_not_allowed', { details })
}

/** Brings an entry back from NO_INCLUIR: any other tipo than 7 does, the one it had or del giro. */
async function broughtBack(ctx: EmpresaContext, row: RcvRow, to: Movable): Promise<Decided> {
  const before = row.before ?? row.sii
  if (before.estado_contable === 'PENDIENTE') await refuseWaiting(ctx, row, to)
  const had = before.tipo_compra !== NOT_INCLUDED && row.before !== null
  const back = had ? revertedRow(row, before) : decidedRow(row, { tipo_compra: DEL_GIRO }, 'caller')
  const put_off = to === 'PENDIENTE' && before.estado_contable !== 'PENDIENTE'
  return { ...back, estado_contable: to, before: put_off ? before : back.before }
}

/** A purchase that counts may be put off: its credit is used in this period or in one of the two after it (D.L. 825, art. 24). */
async function moved(ctx: EmpresaContext, row: RcvRow, to: Movable): Promise<Decided> {
  if (to === 'NO_INCLUIR') return decidedRow(row, { tipo_compra: NOT_INCLUDED }, 'caller')
  if (row.estado_contable === 'NO_INCLUIR') return broughtBack(ctx, row, to)
  await refuseWaiting(ctx, row, to)
  const { id, characterized_by } = row
  const undecided = characterized_by === 'sii' && to === 'REGISTRO'
  return { ...snapshotOf(row), id, characterized_by, before: undecided ? null : beforeOf(row), estado_contable: to }
}

/** Moves a purchase within the register, as far as the SII allows. */
export async function advanceEstadoContable(ctx: EmpresaContext, input: EntryPath & MoveEstado): Promise<RcvEntry> {
  const row = await lockOpenPurchase(ctx, input)
  const to = input.estado_contable
  if (to === row.estado_contable) return showWithSuggestion(ctx, row)
  return decideOne(ctx, row, await moved(ctx, row, to))
}
