import type { AfterCommit, EmpresaContext } from '../../domain/context.ts'
import { ingestFile } from '../../domain/receiving/received-document/ingest.ts'
import { readingFor } from '../../domain/receiving/received-document/inspection.ts'
import { hasReceived, lockNumbering } from '../../domain/receiving/received-document/numbering.ts'
import type { ReceivedDocument } from '../../domain/receiving/received-document/schema.ts'
import { showReceived } from '../../domain/receiving/received-document/show.ts'
import { invalidField, Problem } from '../../kernel/problem.ts'
import type { Fault, InspectedFile } from '../../ports/inspection.ts'
import { issueAsSupplier, type SupplierContext } from './issue-as-supplier.ts'
import type { PlayReceived, SupplierDocument } from './play-supplier-schema.ts'

interface Played {
  readonly file: Uint8Array
  readonly inspected: InspectedFile | Fault
  /** What the sandbox played, where it played. */
  readonly played?: Playing
}

type Playing = Pick<PlayReceived, 'certificate'> & { readonly document: SupplierDocument }

/** What a receptor answers to documents of the empresa comes by mail, and is no document of a supplier. */
const ANSWER: Fault = { reason: 'exchange_answer', message: 'It is an answer to documents of the empresa.' }

/** Before the transaction: the supplier's file, made or given, and what is to be thought of it. */
export async function playSupplier(ctx: SupplierContext, input: PlayReceived, skips = 0): Promise<Played> {
  const { xml, document, certificate } = input
  if (xml !== undefined && document !== undefined) throw invalidField('xml', 'send one of xml and document.')
  if (xml !== undefined && certificate !== undefined) throw invalidField('certificate', 'goes with document.')
  const file = xml === undefined ? await issueAsSupplier(ctx, input, skips) : Buffer.from(xml, 'base64')
  const found = await ctx.ports.inspection.inspect(file, await readingFor(ctx, ctx.empresa))
  const inspected = 'answer' in found || 'result' in found ? ANSWER : found
  return {
    file,
    inspected,
    ...(xml === undefined && { played: { document: document ?? {}, ...(certificate && { certificate }) } }),
  }
}

/** What the transaction leaves to be done after it: a refusal, or the same once more under another folio. */
type Refused = { readonly refused: Fault | null; readonly param: string }
type Again = { readonly again: Playing }
type Outcome = ReceivedDocument | Refused | Again

/** Whether somebody took the folio that was next a moment ago. Held until the transaction ends, so that it stays true. */
async function isTaken(ctx: EmpresaContext, { inspected, played }: Played): Promise<boolean> {
  const heading = 'reason' in inspected ? null : inspected.documents[0]?.heading
  if (!heading || played?.document.folio !== undefined) return false
  await lockNumbering(ctx.sql, ctx.empresa, heading)
  return hasReceived(ctx.sql, ctx.empresa, heading)
}

async function receive(ctx: EmpresaContext, arriving: Played): Promise<Outcome> {
  const { file, inspected, played } = arriving
  if (played && (await isTaken(ctx, arriving))) return { again: played }
  const received_at = ctx.now()
  const arrival = { source: 'test_helper', sender: null, file_name: 'envio.xml', bytes: file, received_at } as const
  const { documents, faults } = await ingestFile(ctx, ctx.empresa, arrival, inspected, () => received_at)
  const [first] = documents
  if (first) return showReceived(first, ctx.addresses)
  return { refused: faults[0] ?? null, param: played ? 'document' : 'xml' }
}

export async function receivePlayed(ctx: EmpresaContext, played: Played): Promise<ReceivedDocument> {
  return (await receive(ctx, played)) as ReceivedDocument
}

const TRIES = 20
const SKIPS = 10

/**
 * Many may be played at once: whoever finds its folio taken is numbered anew. The quarantine of a file is written down
 * and told before the caller is refused: a mail would leave the same behind.
 */
export async function settlePlayed(
  ctx: AfterCommit<EmpresaContext>,
  resource: ReceivedDocument,
): Promise<ReceivedDocument> {
  let outcome = resource as Outcome
  for (let tries = 1; 'again' in outcome && tries <= TRIES; tries++) {
    const played = await playSupplier(ctx, outcome.again, tries * SKIPS)
    outcome = await ctx.transact((tx) => receive(tx, played))
  }
  if ('again' in outcome) throw new Error('no folio was free for the supplier of the sandbox')
  if (!('refused' in outcome)) return outcome
  const { refused, param } = outcome
  const facts = refused && { message: refused.message, details: { reason: refused.reason } }
  throw new Problem('received_file_refused', { param, ...facts })
}
