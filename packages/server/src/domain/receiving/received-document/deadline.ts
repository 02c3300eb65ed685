import { ANSWER_DAYS, ANSWERABLE_TIPOS, DAY_MS, santiagoTimestamp } from '@timbre/dte/values'
import { DEADLINE_WARNING_DAYS } from '../../../catalog/reception.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { advanceReceipt, advanceStatus, emitChange } from './advance.ts'
import { type ReceivedRow, showReceived } from './show.ts'
import { findReceived, lockReceived, recordWarning } from './store.ts'

/** Eight calendar days from the SII's reception (Ley 19.983, art. 3); null where the tipo takes no answer. */
export function deadlineOf(tipo_dte: number, sii_received_at: Date): Date | null {
  if (!ANSWERABLE_TIPOS.includes(tipo_dte)) return null
  return daysFrom(sii_received_at, ANSWER_DAYS)
}

/** When a document without an answer is checked next: 3 days and 1 day before the end, and at the end. */
export function nextCheck(deadline_at: Date, now: Date): Date | null {
  const checks = [...DEADLINE_WARNING_DAYS, 0].map((days) => daysFrom(deadline_at, -days))
  return checks.find((check) => check > now) ?? null
}

/** The warning that is due: the smallest number of days that the rest still fits in. Null while there is more time. */
export function warningDue(deadline_at: Date, now: Date): number | null {
  const left = (deadline_at.getTime() - now.getTime()) / DAY_MS
  return DEADLINE_WARNING_DAYS.findLast((days) => left <= days) ?? null
}

/** When a document that just came is checked first: at once where a warning is due already. */
export function firstCheck(deadline_at: Date, now: Date): Date {
  return warningDue(deadline_at, now) === null ? (nextCheck(deadline_at, now) ?? now) : now
}

/** The instant that a local time of Santiago names, as documents carry it; null for what is not one. */
export function instantOf(local: string): Date | null {
  const guess = new Date(`${local}Z`)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(local) || Number.isNaN(guess.getTime())) return null
  const shown = new Date(`${santiagoTimestamp(guess)}Z`)
  return new Date(2 * guess.getTime() - shown.getTime())
}

const LEAST_DAYS_LEFT = 1

/**
 * When the SII received a document, as far as the document itself shows: not before it was signed. The clock then
 * starts early rather than late, for a warning too soon costs nothing and one too late costs the claim. But the signer
 * writes the date, so a day is always left: nothing is taken for accepted before it was warned about.
 */
export function siiReceivedAt(signed_at: string | null, received_at: Date): Date {
  const signed = signed_at === null ? null : instantOf(signed_at)
  if (!signed || signed > received_at) return received_at
  const days = ANSWER_DAYS - LEAST_DAYS_LEFT
  return new Date(Math.max(signed.getTime(), received_at.getTime() - days * DAY_MS))
}

async function warn(tx: JobTransaction, scope: EmpresaScope, row: ReceivedRow, days_left: number): Promise<void> {
  if (row.status !== 'pending' || !(await recordWarning(tx.sql, scope, row.id, days_left))) return
  tx.emit({
    type: 'received_document.deadline_approaching',
    object: showReceived(row, tx.addresses),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    detail: { days_left },
  })
}

/** Silence accepts, and takes the goods for received (Ley 19.983, art. 3 and 4). */
async function lapse(tx: JobTransaction, scope: EmpresaScope, before: ReceivedRow): Promise<void> {
  const accepted = await advanceStatus(tx, scope, before.id, 'lapsed', { answered_at: before.deadline_at })
  const presumed = before.status === 'rejected' ? null : await advanceReceipt(tx, scope, before.id, 'lapsed', {})
  const after = presumed ?? accepted
  if (!after) return
  const type = accepted ? 'received_document.accepted' : 'received_document.receipt_acknowledged'
  emitChange(tx, scope, type, { before, after }, { tacit: true })
}

/** Checks a document on the days that matter, for as long as the register would still take an answer. */
export async function checkDeadline(
  ctx: JobContext,
  { received_document_id: id }: { received_document_id: string },
): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  const row = empresa && (await findReceived(ctx.sql, empresa.scope, id))
  if (!empresa || !row?.deadline_at || row.status === 'rejected') return 'done'
  const { scope } = empresa
  const { deadline_at } = row
  const now = ctx.now()
  const days = warningDue(deadline_at, now)
  await ctx.transact(async (tx) => {
    const locked = await lockReceived(tx.sql, scope, id)
    if (!locked) return
    if (now >= deadline_at) await lapse(tx, scope, locked)
    else if (days !== null) await warn(tx, scope, locked, days)
  })
  const again_at = nextCheck(deadline_at, now)
  return again_at ? { again_at } : 'done'
}
