import { RETENTION } from '../../../catalog/retention.ts'
import { advanceMany } from '../../../kernel/advance.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import { type Fragment, part } from '../../../kernel/db.ts'
import type { TriggerOf } from '../../../kernel/machine.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Artifact } from '../../../kernel/schema.ts'
import type { Inspected } from '../../../ports/inspection.ts'
import type { EmpresaContext } from '../../context.ts'
import { judgeReleased } from './authenticity.ts'
import { siiReceivedAt } from './deadline.ts'
import { readingFor } from './inspection.ts'
import { quarantineMachine } from './machine.ts'
import type { QuarantinedFile, QuarantinedFilePath, QuarantineQuery } from './quarantine-schema.ts'
import { findQuarantined, findQuarantinedBytes, listQuarantine, type QuarantineRow } from './quarantine-store.ts'
import { standingOf, takeDocuments } from './take-documents.ts'

function showQuarantined(row: QuarantineRow): QuarantinedFile {
  const kept = row.bytes !== null && row.reason !== 'exchange_answer'
  return {
    object: 'quarantined_file',
    id: row.id,
    mode: row.mode,
    status: row.status,
    source: row.source,
    sender: row.sender,
    file_name: row.file_name,
    emisor_rut: row.emisor_rut,
    reason: row.reason,
    message: row.message,
    received_at: row.received_at.toISOString(),
    bytes: row.bytes,
    bytes_kept_until: kept ? daysFrom(row.received_at, RETENTION.quarantined_bytes_days).toISOString() : null,
    settled_at: row.settled_at?.toISOString() ?? null,
    documents: [...row.document_ids],
  }
}

async function requireQuarantined(
  ctx: Pick<EmpresaContext, 'sql' | 'empresa'>,
  { quarantined_file_id }: QuarantinedFilePath,
): Promise<QuarantineRow> {
  const row = await findQuarantined(ctx.sql, ctx.empresa, quarantined_file_id)
  if (!row) throw new Problem('quarantined_file_not_found')
  return row
}

async function requireBytes(ctx: Pick<EmpresaContext, 'sql' | 'empresa'>, { id }: QuarantineRow): Promise<Buffer> {
  const found = await findQuarantinedBytes(ctx.sql, ctx.empresa, id)
  // Its empresa may have been deleted since the row was read.
  if (!found) throw new Problem('quarantined_file_not_found')
  if (!found.raw) throw new Problem('quarantined_bytes_gone')
  return found.raw
}

export function listQuarantined(ctx: EmpresaContext, input: QuarantineQuery): Promise<ListPage<QuarantinedFile>> {
  const { limit, cursor, ...filter } = input
  const filters = { empresa_id: ctx.empresa.empresa_id, ...filter }
  const fetch = (page: { before: string | null; take: number }) => listQuarantine(ctx.sql, ctx.empresa, filter, page)
  return pageById(ctx, 'received_documents.quarantine', filters, { limit, cursor }, fetch, showQuarantined)
}

export async function readQuarantined(ctx: EmpresaContext, path: QuarantinedFilePath): Promise<QuarantinedFile> {
  return showQuarantined(await requireQuarantined(ctx, path))
}

/** The file as it came. Strangers wrote it, so it is never named as anything that a browser would open. */
export async function readQuarantinedBytes(ctx: EmpresaContext, path: QuarantinedFilePath): Promise<Artifact> {
  const row = await requireQuarantined(ctx, path)
  const bytes = await requireBytes(ctx, row)
  return { media_type: 'application/octet-stream', bytes, filename: `${row.id}.bin` }
}

/** Before the transaction: the file is read again, by what is known today. */
export async function inspectAgain(
  ctx: EmpresaContext,
  path: QuarantinedFilePath,
): Promise<{ readonly inspected: Inspected | null }> {
  const row = await requireQuarantined(ctx, path)
  if (row.status !== 'quarantined') return { inspected: null }
  const bytes = await requireBytes(ctx, row)
  return { inspected: await ctx.ports.inspection.inspect(bytes, await readingFor(ctx, ctx.empresa)) }
}

function refuseSettled({ status }: Pick<QuarantineRow, 'status'>): Problem {
  return new Problem('quarantined_file_settled', { details: { status } })
}

async function settleFile(
  ctx: EmpresaContext,
  row: QuarantineRow,
  trigger: TriggerOf<typeof quarantineMachine>,
  set: Fragment,
): Promise<QuarantinedFile> {
  const [moved] = await advanceMany<QuarantineRow, typeof quarantineMachine>(
    ctx.sql,
    quarantineMachine,
    ctx.empresa,
    [row.id],
    trigger,
    part`, settled_at = ${ctx.now()} ${set}`,
  )
  const after = await requireQuarantined(ctx, { quarantined_file_id: row.id })
  if (!moved) throw refuseSettled(after)
  const object = showQuarantined(after)
  const { status, settled_at, documents, bytes, bytes_kept_until } = showQuarantined(row)
  ctx.emit({
    type: trigger === 'released' ? 'reception.released' : 'reception.discarded',
    object,
    empresa: { id: ctx.empresa.empresa_id, rut: ctx.empresa.rut },
    previous_attributes:
      trigger === 'released' ? { status, settled_at, documents } : { status, settled_at, bytes, bytes_kept_until },
  })
  return object
}

/**
 * Takes the documents of a file that was set aside, on the word of a person: each is marked with what is wrong with it.
 * Its emisor is not answered, for it may be none of its emisor's.
 */
export async function releaseQuarantined(
  ctx: EmpresaContext,
  input: QuarantinedFilePath & { readonly inspected: Inspected | null },
): Promise<QuarantinedFile> {
  const row = await requireQuarantined(ctx, input)
  const { inspected } = input
  if (row.status !== 'quarantined' || !inspected) throw refuseSettled(row)
  if (!('documents' in inspected)) {
    const reason = 'reason' in inspected ? inspected.reason : 'exchange_answer'
    throw new Problem('quarantined_file_not_releasable', { details: { reason } })
  }
  const { received_at, source, sender, file_name } = row
  const file = { ...inspected, documents: inspected.documents.map((one) => judgeReleased(one, row, ctx.empresa)) }
  const arrival = { source, sender, file_name, bytes: Buffer.alloc(0), received_at }
  const { outcomes } = await takeDocuments(ctx, ctx.empresa, arrival, file, ({ signed_at }) =>
    siiReceivedAt(signed_at, received_at),
  )
  const ids = standingOf(outcomes).map(({ id }) => id)
  const fault = outcomes.find((one) => one.fault)?.fault
  if (ids.length === 0) {
    throw new Problem('quarantined_file_not_releasable', {
      details: { reason: fault?.reason ?? row.reason, ...(fault && { message: fault.message }) },
    })
  }
  return settleFile(ctx, row, 'released', part`, document_ids = ${ids}::text[]`)
}

/** Forgets the bytes of a file, and keeps that it came. Discarding twice is once. */
export async function discardQuarantined(ctx: EmpresaContext, path: QuarantinedFilePath): Promise<QuarantinedFile> {
  const row = await requireQuarantined(ctx, path)
  if (row.status === 'discarded') return showQuarantined(row)
  return settleFile(ctx, row, 'discarded', part`, raw = null`)
}
