import { santiagoDate, type TipoDte } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { drawFolios } from '../folio/draw.ts'
import { ensureFolios } from '../folio/on-demand.ts'
import { isRangeRequested } from '../folio/request.ts'
import { type AssignedFolio, lockWithoutFolio, type QueuedRow, saveFolios } from './emission-store.ts'
import { failDocuments, failureOf } from './fail.ts'

interface Unnumbered {
  readonly scope: EmpresaScope
  readonly tipo_dte: TipoDte
  readonly ids: readonly string[]
}

interface Assignment {
  readonly assigned: readonly AssignedFolio[]
  /** Documents without a folio that may get one on the next try. */
  readonly left: readonly string[]
  /** Those for which the SII is being asked for folios. */
  readonly waiting: readonly string[]
}

/** Assigns folios in the order of creation as far as they reach. */
async function assign(tx: JobTransaction, { scope, tipo_dte, ids }: Unnumbered): Promise<Assignment> {
  const wanting = await lockWithoutFolio(tx.sql, scope, ids)
  if (wanting.length === 0) return { assigned: [], left: [], waiting: [] }
  const at = tx.now()
  const drawn = await drawFolios(tx, scope, tipo_dte, wanting.length, santiagoDate(at))
  const assigned = drawn.map((folio, i) => ({ id: wanting[i] as string, ...folio }))
  if (assigned.length > 0) await saveFolios(tx.sql, scope, assigned, at)
  const left = wanting.slice(drawn.length)
  if (MODES[scope.mode].folios_on_demand) return { assigned, left, waiting: [] }
  if (left.length > 0 && (await isRangeRequested(tx.sql, scope, tipo_dte))) return { assigned, left: [], waiting: left }
  const exhausted = left.map((id) => ({ id, ...failureOf('folios_exhausted') }))
  await failDocuments(tx, scope, exhausted)
  return { assigned, left: [], waiting: [] }
}

/** The documents of a batch that have a folio now, and those that wait for the SII to give some. */
interface Numbered {
  readonly numbered: readonly QueuedRow[]
  readonly waiting: readonly string[]
}

/**
 * Assigns a folio to the documents of a batch that have none. Drawing, writing and the journal share a transaction, so a
 * crash gives every folio back. Where folios come on demand another worker may draw them first: then it tries again. Where
 * none are left, documents fail, unless the SII is being asked for more.
 */
export async function assignFolios(
  ctx: JobContext,
  scope: EmpresaScope,
  batch: readonly QueuedRow[],
): Promise<Numbered> {
  const [first] = batch
  const folios = new Map<string, AssignedFolio>()
  const waiting: string[] = []
  let ids = batch.filter(({ folio }) => folio === null).map(({ id }) => id)
  while (first && ids.length > 0) {
    const { tipo_dte } = first
    await ensureFolios(ctx, scope, tipo_dte, ids.length)
    const unnumbered = { scope, tipo_dte, ids }
    const found = await ctx.transact((tx) => assign(tx, unnumbered))
    for (const one of found.assigned) folios.set(one.id, one)
    waiting.push(...found.waiting)
    ids = [...found.left]
  }
  const numbered = batch.map((row) => ({ ...row, ...folios.get(row.id) })).filter(({ folio }) => folio !== null)
  return { numbered, waiting }
}
