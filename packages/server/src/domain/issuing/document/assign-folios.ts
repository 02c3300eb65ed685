import { santiagoDate, type TipoDte } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { drawFolios } from '../folio/draw.ts'
import { ensureFolios } from '../folio/on-demand.ts'
import { type AssignedFolio, lockWithoutFolio, type QueuedRow, writeFolios } from './emission-store.ts'
import { failDocuments, failureOf } from './fail.ts'

interface Wanting {
  readonly scope: EmpresaScope
  readonly tipo_dte: TipoDte
  readonly ids: readonly string[]
}

interface Allotment {
  readonly allotted: readonly AssignedFolio[]
  /** Who is left without a folio and may get one when it is asked again. */
  readonly left: readonly string[]
}

/** Gives folios in the order of creation as far as they reach. */
async function allot(tx: JobTransaction, { scope, tipo_dte, ids }: Wanting): Promise<Allotment> {
  const wanting = await lockWithoutFolio(tx.sql, scope, ids)
  if (wanting.length === 0) return { allotted: [], left: [] }
  const at = tx.now()
  const drawn = await drawFolios(tx, scope, tipo_dte, wanting.length, santiagoDate(at))
  const allotted = drawn.map((folio, i) => ({ id: wanting[i] as string, ...folio }))
  if (allotted.length > 0) await writeFolios(tx.sql, scope, allotted, at)
  const left = wanting.slice(drawn.length)
  if (MODES[scope.mode].folios_on_demand) return { allotted, left }
  const exhausted = left.map((id) => ({ id, ...failureOf('folios_exhausted') }))
  await failDocuments(tx, scope, exhausted)
  return { allotted, left: [] }
}

/**
 * Numbers the documents of a batch that have no folio yet, and gives those that have one now. Drawing, writing and the
 * journal share a transaction, so a crash gives every folio back. Where folios come by themselves another worker may
 * draw first: then it asks again.
 */
export async function assignFolios(
  ctx: JobContext,
  scope: EmpresaScope,
  batch: readonly QueuedRow[],
): Promise<QueuedRow[]> {
  const [first] = batch
  const given = new Map<string, AssignedFolio>()
  let ids = batch.filter(({ folio }) => folio === null).map(({ id }) => id)
  while (first && ids.length > 0) {
    const { tipo_dte } = first
    await ensureFolios(ctx, scope, tipo_dte, ids.length)
    const wanting = { scope, tipo_dte, ids }
    const { allotted, left } = await ctx.transact((tx) => allot(tx, wanting))
    for (const one of allotted) given.set(one.id, one)
    ids = [...left]
  }
  return batch.map((row) => ({ ...row, ...given.get(row.id) })).filter(({ folio }) => folio !== null)
}
