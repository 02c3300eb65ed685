import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import { type QueuedRow, replaceXml } from './emission-store.ts'
import { failDocuments } from './fail.ts'
import { signDocuments } from './sign.ts'

/** A numbered document with its signed XML, as bytes of ISO-8859-1. */
export interface SignedDocument {
  readonly row: QueuedRow
  readonly xml: Uint8Array
  /** Whether the row is as this run wrote it last. */
  readonly is_current?: boolean
}

/**
 * Documents that were signed and never reached the SII, signed by whoever sends now: it looks at both, and the one who signed
 * may be the one whom it did not let send. The folio stays. What it may hold is never signed twice.
 */
export async function signAnew(
  ctx: JobContext,
  scope: EmpresaScope,
  unsent: readonly SignedDocument[],
): Promise<readonly SignedDocument[]> {
  const earlier = unsent.filter(({ row }) => row.xml !== null)
  if (earlier.length === 0) return unsent
  const { key_info } = await ctx.ports.sii[scope.mode].signerFor(scope)
  const stale = earlier.filter(({ xml }) => !Buffer.from(xml).includes(key_info, 0, 'latin1'))
  if (stale.length === 0) return unsent
  const { signed, failed } = await signDocuments(
    ctx,
    scope,
    stale.map(({ row }) => row),
  )
  const replaced = await ctx.transact(async (tx) => {
    await failDocuments(tx, scope, failed)
    return replaceXml(tx.sql, scope, signed, tx.now())
  })
  const fresh = new Map(signed.map(({ id, xml }) => [id, xml]))
  const lost = new Set(stale.map(({ row }) => row.id).filter((id) => !replaced.has(id)))
  return unsent.filter(({ row }) => !lost.has(row.id)).map(({ row, xml }) => ({ row, xml: fresh.get(row.id) ?? xml }))
}
