import { availableParallelism } from 'node:os'
import type { Signer } from '@timbre/dte/emission'
import { santiagoTimestamp } from '@timbre/dte/values'
import type { EmpresaScope } from '../../kernel/context.ts'
import type { JobContext } from '../../kernel/job.ts'
import { scrub } from '../../kernel/log.ts'
import { readStampingCaf } from '../folio/stamping-caf.ts'
import type { QueuedRow, SignedXml } from './emission-store.ts'
import type { Failed } from './fail.ts'

/** RSA runs on the thread pool. More than this in flight gains nothing, and would keep out what else waits for it. */
const IN_FLIGHT = 2 * availableParallelism()

let free = IN_FLIGHT
const waiting: (() => void)[] = []

/** Runs when one of the process's places is free, whichever batch it belongs to. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free--
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}

interface Signing {
  readonly engine: typeof import('@timbre/dte/emission')
  readonly scope: EmpresaScope
  readonly signer: Signer
  readonly at: string
}

async function signOne(ctx: JobContext, signing: Signing, row: QueuedRow): Promise<SignedXml | Failed> {
  const { completeDraft, emitDte, latin1Bytes, XML_DECLARATION } = signing.engine
  const { id, draft, folio, caf_id } = row
  if (folio === null || caf_id === null) throw new Error(`the document ${id} has no folio to be signed with`)
  const caf = await readStampingCaf(ctx, signing.scope, caf_id)
  const refused = (message: string): Failed => ({
    id,
    code: 'build_refused',
    message: `It cannot be built: ${message}`,
  })
  try {
    const { signer, at } = signing
    const dte = completeDraft(draft, folio)
    const emitted = await emitDte({ dte, caf, signer, tmst_ted: at, tmst_firma: at })
    return emitted.ok ? { id, xml: latin1Bytes(XML_DECLARATION + emitted.value.xml) } : refused(emitted.refusal.message)
  } catch (error) {
    // The engine is pure: what it throws on, it throws on every time. It must not hold up the rest of the batch.
    return refused(error instanceof Error ? scrub(error.message) : 'the engine gave up.')
  }
}

/** Builds, stamps and signs documents side by side. One that cannot be built fails alone. */
export async function signDocuments(
  ctx: JobContext,
  scope: EmpresaScope,
  rows: readonly QueuedRow[],
): Promise<{ readonly signed: SignedXml[]; readonly failed: Failed[] }> {
  if (rows.length === 0) return { signed: [], failed: [] }
  const signer = await ctx.ports.sii[scope.mode].signerFor(scope)
  // Loaded on the first emission and not before: a process that only answers never needs it.
  const signing = { engine: await import('@timbre/dte/emission'), scope, signer, at: santiagoTimestamp(ctx.now()) }
  const ended = await Promise.all(rows.map((row) => inTurn(() => signOne(ctx, signing, row))))
  return {
    signed: ended.filter((one) => 'xml' in one),
    failed: ended.filter((one) => 'code' in one),
  }
}
