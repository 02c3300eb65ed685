import { DAY_MS, santiagoDate } from '@timbre/dte/values'
import { FOLIOS } from '../../../catalog/limits.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { readAvailability } from './availability.ts'
import { type CafRow, isExpired, remainingOf } from './show.ts'
import { alertOfFall, stockOf } from './stock-alerts.ts'
import { findCaf, lockChain, recordExpiryAlert } from './store.ts'
import { linesOfFall } from './use-store.ts'

/** By this hour the day has begun in Santiago, in summer and in winter. */
const DAY_HAS_BEGUN = 'T04:00:00Z'

const startOf = (civil_date: string) => new Date(`${civil_date}${DAY_HAS_BEGUN}`)

/** Whole days from one civil date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((startOf(to).getTime() - startOf(from).getTime()) / DAY_MS)
}

type Expiring = Pick<CafRow, 'expires_on'>

/** A range is checked 30, 7 and 1 days before its last day, and once that is past. */
function checksOf({ expires_on }: Expiring): Date[] {
  if (expires_on === null) return []
  const last_day = startOf(expires_on).getTime()
  return [...FOLIOS.expiring_days, -1].map((days) => new Date(last_day - days * DAY_MS))
}

/** When the end of a range is checked next; null when there is nothing left to check. */
export function nextCheck(row: Expiring, now: Date): Date | null {
  return checksOf(row).find((check) => check > now) ?? null
}

/** A test clock that went back brings the worker here before the first check. */
function isCheckDue(row: Expiring, now: Date): boolean {
  return checksOf(row).some((check) => check <= now)
}

/** Warns of folios that will be lost. */
async function warn(tx: JobTransaction, scope: EmpresaScope, row: CafRow, on: string): Promise<void> {
  const { id, from_folio, to_folio, expires_on } = row
  if (!(await recordExpiryAlert(tx.sql, scope, id, on))) return
  tx.emit({
    type: 'folios.expiring',
    object: await readAvailability(tx.sql, scope, row.tipo_dte, on),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    detail: {
      caf_id: id,
      from: from_folio,
      to: to_folio,
      remaining: remainingOf(row),
      expires_on,
      days_left: daysBetween(on, expires_on ?? on),
    },
  })
}

/** The stock falls by what has just expired. Of several ranges that end on one day the last one alerts, for all. */
async function lapse(tx: JobTransaction, scope: EmpresaScope, row: CafRow, on: string): Promise<void> {
  const { tipo_dte, expires_on } = row
  const chain = await lockChain(tx.sql, scope, tipo_dte, expires_on ?? on)
  if (chain.findLast((range) => range.expires_on === expires_on)?.id !== row.id) return
  if (!(await recordExpiryAlert(tx.sql, scope, row.id, on))) return
  const left = stockOf(chain.filter((range) => !isExpired(range, on)))
  await alertOfFall(tx, scope, on, { chain, left, lines: await linesOfFall(tx.sql, scope, tipo_dte, on) })
}

/** Checks one range on the days that matter, for as long as it has folios to lose. */
export async function checkExpiry(ctx: JobContext, { caf_id }: { caf_id: string }): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const on = santiagoDate(ctx.now())
  const row = await findCaf(ctx.sql, scope, caf_id)
  if (!row || row.spent || row.status !== 'active') return 'done'
  const alert = isExpired(row, on) ? lapse : warn
  if (isCheckDue(row, ctx.now())) await ctx.transact((tx) => alert(tx, scope, row, on))
  const again_at = nextCheck(row, ctx.now())
  return again_at ? { again_at } : 'done'
}
