import { santiagoDate } from '@timbre/dte/values'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { readAvailability } from './availability.ts'
import { daysBetween, isLookDue, nextLook } from './expiry-looks.ts'
import { type CafRow, isExpired, remainingOf } from './show.ts'
import { stockOf, tellOfFall } from './stock-alerts.ts'
import { lockChain } from './stock-store.ts'
import { findCaf, noteExpiryTold } from './store.ts'

/** Warns of folios that will be lost. */
async function warn(tx: JobTransaction, scope: EmpresaScope, row: CafRow, on: string): Promise<void> {
  const { id, from_folio, to_folio, expires_on } = row
  if (!(await noteExpiryTold(tx.sql, scope, id, on))) return
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

/** The stock falls by what has just expired. Of several ranges that end on one day the last one tells, for all. */
async function lapse(tx: JobTransaction, scope: EmpresaScope, row: CafRow, on: string): Promise<void> {
  const { tipo_dte, expires_on } = row
  const chain = await lockChain(tx.sql, scope, tipo_dte, expires_on ?? on)
  if (chain.findLast((range) => range.expires_on === expires_on)?.id !== row.id) return
  if (!(await noteExpiryTold(tx.sql, scope, row.id, on))) return
  await tellOfFall(tx, scope, on, chain, stockOf(chain.filter((range) => !isExpired(range, on))))
}

/** Looks at one range on the days that matter, for as long as it has folios to lose. */
export async function lookAtExpiry(ctx: JobContext, { caf_id }: { caf_id: string }): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const on = santiagoDate(ctx.now())
  const row = await findCaf(ctx.sql, scope, caf_id)
  if (!row || row.spent || row.status !== 'active') return 'done'
  const tell = isExpired(row, on) ? lapse : warn
  if (isLookDue(row, ctx.now())) await ctx.transact((tx) => tell(tx, scope, row, on))
  const again_at = nextLook(row, ctx.now())
  return again_at ? { again_at } : 'done'
}
