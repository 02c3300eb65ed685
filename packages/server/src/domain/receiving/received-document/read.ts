import { createHash } from 'node:crypto'
import type { AnyDte } from '@timbre/dte'
import { type ListPage, paginate } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Artifact } from '../../../kernel/schema.ts'
import { PrinterBusy } from '../../../ports/printer.ts'
import type { EmpresaContext } from '../../context.ts'
import { filenameOf } from '../../issuing/artifact/file.ts'
import { folderOf, storeFile } from '../../platform/empresa/files.ts'
import { watermarkOf } from '../../watermark.ts'
import { doubtsIn } from './copy.ts'
import { findXml, type StoredXml } from './reception-store.ts'
import { listReplaced } from './replaced-store.ts'
import type { ReceivedDocument, ReceivedDocumentPath, ReceivedDocumentQuery, ReplacedDocument } from './schema.ts'
import { type ReceivedRow, showReceived } from './show.ts'
import {
  findReceived,
  listReceived as listRows,
  lockReceived,
  orderOf,
  type Place,
  type ReceivedFilter,
} from './store.ts'

export async function requireReceived(
  ctx: Pick<EmpresaContext, 'sql' | 'empresa'>,
  { received_document_id }: ReceivedDocumentPath,
): Promise<ReceivedRow> {
  const row = await findReceived(ctx.sql, ctx.empresa, received_document_id)
  if (!row) throw new Problem('received_document_not_found')
  return row
}

/** Locks a document of a supplier until the transaction ends. */
export async function lockReceivedDocument(
  ctx: Pick<EmpresaContext, 'sql' | 'empresa'>,
  { received_document_id }: ReceivedDocumentPath,
): Promise<ReceivedRow> {
  const row = await lockReceived(ctx.sql, ctx.empresa, received_document_id)
  if (!row) throw new Problem('received_document_not_found')
  return row
}

export async function readReceived(ctx: EmpresaContext, path: ReceivedDocumentPath): Promise<ReceivedDocument> {
  return showReceived(await requireReceived(ctx, path), ctx.addresses)
}

function placeOf(row: ReceivedRow, filter: ReceivedFilter): string {
  const at = row[orderOf(filter)]
  return at instanceof Date ? at.toISOString() : (at ?? '')
}

export function listReceived(ctx: EmpresaContext, input: ReceivedDocumentQuery): Promise<ListPage<ReceivedDocument>> {
  const { limit, cursor, ...filter } = input
  return paginate<ReceivedRow, ReceivedDocument, Place>(
    ctx,
    { limit, cursor },
    {
      list: 'received_documents',
      filters: { empresa_id: ctx.empresa.empresa_id, ...filter },
      fetch: (page) => listRows(ctx.sql, ctx.empresa, filter, page),
      placeOf: (row) => [placeOf(row, filter), row.id],
      show: (rows) => rows.map((row) => showReceived(row, ctx.addresses)),
    },
  )
}

async function requireXml(ctx: EmpresaContext, path: ReceivedDocumentPath): Promise<ReceivedRow & StoredXml> {
  const row = await requireReceived(ctx, path)
  const stored = await findXml(ctx.sql, ctx.empresa, row.id)
  // Every one came with its XML: without it, the document was deleted since it was read, or is past the years that it is kept.
  if (!stored) throw new Problem('received_document_not_found')
  return { ...row, ...stored }
}

/** The very characters that the supplier signed. */
export async function readReceivedXml(ctx: EmpresaContext, path: ReceivedDocumentPath): Promise<Artifact> {
  const row = await requireXml(ctx, path)
  return { media_type: 'application/xml', bytes: row.xml, filename: filenameOf(row.emisor_rut, row, '.xml') }
}

/** What stood under its number before, newest first. Each took a better proof to replace, so there are two at most. */
export async function listReplacedDocuments(
  ctx: EmpresaContext,
  path: ReceivedDocumentPath,
): Promise<ListPage<ReplacedDocument>> {
  const { id } = await requireReceived(ctx, path)
  const data = (await listReplaced(ctx.sql, ctx.empresa, id)).map(({ shown, xml, replaced_at }) => ({
    object: 'replaced_document' as const,
    document: shown,
    xml: xml.toString('base64'),
    replaced_at: replaced_at.toISOString(),
  }))
  return { object: 'list', data, has_more: false, next_cursor: null }
}

interface Printable {
  /** The stamp on one line, in the bytes it was signed in; null where the bar code has no letters for it. */
  readonly timbre: Buffer | null
  /** As it was read when it came, or is read by now. */
  readonly dte: AnyDte | null
}

async function printableOf({ xml, dte }: StoredXml): Promise<Printable> {
  const { parseXml, rawElements, readUnissued } = await import('@timbre/dte')
  const parsed = parseXml(xml, { undeclared: 'ISO-8859-1' })
  if (!parsed.ok) return { timbre: null, dte }
  const again = dte ? null : readUnissued(parsed.value.root, parsed.value)
  const text = parsed.value.encoding === 'UTF-8' ? parsed.value.source : xml.toString('latin1')
  const ted = rawElements(text, 'TED')[0]?.replace(/>\s+</g, '><')
  const legible = ted !== undefined && [...ted].every((letter) => letter.charCodeAt(0) <= 0xff)
  return { timbre: legible ? Buffer.from(ted, 'latin1') : null, dte: again?.ok ? again.value.dte : dte }
}

async function print(ctx: EmpresaContext, row: ReceivedRow & StoredXml): Promise<Uint8Array> {
  const { timbre, dte } = await printableOf(row)
  if (!dte || !timbre) {
    throw new Problem('artifact_not_available', { message: 'This kind of document is kept as XML and not printed.' })
  }
  const { folio, mode, resolucion, received_at } = row
  const order = { draft: dte, folio, as_written: true, xml: timbre, format: 'letter', cedible: false } as const
  const footer = doubtsIn(row.authenticity)
  const letterhead = {
    watermark: watermarkOf(ctx.ports, mode),
    logo: null,
    footer,
    resolucion,
    created_at: received_at,
  }
  return ctx.ports.printer.print({ ...order, ...letterhead }, ctx.empresa.account_id).catch((error: unknown) => {
    if (!(error instanceof PrinterBusy)) throw error
    throw new Problem('service_unavailable', { message: 'Too many PDFs are being printed at this moment.' })
  })
}

/** A page is the same for as long as the document and what is known of it are. */
function pageOf({ id, digest, authenticity }: ReceivedRow): string {
  const said = createHash('sha256')
    .update(JSON.stringify([digest, authenticity.reasons]))
    .digest('hex')
    .slice(0, 16)
  return `${id.slice(4, 8)}/${id}-${said}.pdf`
}

/** The PDF of a supplier's document, printed by our engine from its XML and stored. */
export async function readReceivedPdf(ctx: EmpresaContext, path: ReceivedDocumentPath): Promise<Artifact> {
  const row = await requireXml(ctx, path)
  const key = `${folderOf(ctx.empresa)}/${pageOf(row)}`
  const stored = await ctx.ports.artifacts.get(key)
  const bytes = stored ?? (await print(ctx, row))
  if (!stored) await storeFile(ctx, ctx.empresa, key, bytes)
  return { media_type: 'application/pdf', bytes, filename: filenameOf(row.emisor_rut, row, '.pdf') }
}
