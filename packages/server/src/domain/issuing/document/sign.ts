import { santiagoTimestamp } from '@timbre/dte/values'
import { type AnswerMany, inStep, sideBySide } from '../../../kernel/in-step.ts'
import { scrub } from '../../../kernel/log.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Signing, SigningOrder, SigningResult } from '../../../ports/signing.ts'
import type { JobContext } from '../../job.ts'
import { readStampingCaf } from '../folio/stamping-caf.ts'
import type { QueuedRow, SignedXml } from './emission-store.ts'
import type { Failed } from './fail.ts'

type Unsigned = SigningOrder['documents'][number]

/** Groups documents by the CAF that stamps them. */
function byCaf(rows: readonly QueuedRow[]): Map<string, Unsigned[]> {
  const groups = new Map<string, Unsigned[]>()
  for (const { id, draft, folio, caf_id } of rows) {
    if (folio === null || caf_id === null) throw new Error(`the document ${id} has no folio to be signed with`)
    const group = groups.get(caf_id) ?? []
    group.push({ id, draft, folio })
    groups.set(caf_id, group)
  }
  return groups
}

interface Signature {
  readonly signing: Signing
  readonly order: SigningOrder
  readonly scope: EmpresaScope
}

/** Lanes that run in step sign side by side, and go on together. */
const signAll: AnswerMany<Signature, readonly SigningResult[]> = (_, orders) =>
  sideBySide(orders.map(({ signing, order, scope }) => signing.sign(order, scope.account_id)))

/** Builds, stamps and signs documents in parallel. One that cannot be built fails alone. */
export async function signDocuments(
  ctx: JobContext,
  scope: EmpresaScope,
  rows: readonly QueuedRow[],
): Promise<{ readonly signed: SignedXml[]; readonly failed: Failed[] }> {
  if (rows.length === 0) return { signed: [], failed: [] }
  const signer = await ctx.ports.sii[scope.mode].signerFor(scope)
  const at = santiagoTimestamp(ctx.now())
  const sign = async ([caf_id, documents]: [string, Unsigned[]]): Promise<readonly SigningResult[]> => {
    const caf = await readStampingCaf(ctx, scope, caf_id)
    return inStep(ctx.sql, signAll, { signing: ctx.ports.signing, order: { caf, signer, at, documents }, scope })
  }
  const results = (await Promise.all([...byCaf(rows)].map(sign))).flat()
  return {
    signed: results.filter((one) => 'xml' in one),
    failed: results
      .filter((one) => 'refusal' in one)
      .map(({ id, refusal }) => ({ id, code: 'build_refused', message: `It cannot be built: ${scrub(refusal)}` })),
  }
}
