import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { PrinterBusy } from '../../../ports/printer.ts'
import type { BaseContext } from '../../context.ts'
import { folderOf, storeFile } from '../../platform/empresa/files.ts'
import { watermarkOf } from '../../watermark.ts'
import { resolucionFor } from '../document/emisor.ts'
import type { DocumentStatus } from '../document/schema.ts'
import type { Page } from './print-options.ts'
import { findLetterhead, type PrintableRow } from './store.ts'

const NOT_YET = 'It is not signed yet: the PDF and the XML exist a moment after the document is created.'
const FAILED = 'It failed before it was signed, so there is no PDF or XML of it. POST …/retry tries again.'

/** A document without a signed XML has no files: not yet while it waits to be signed, or not at all. */
export function noArtifact(status: DocumentStatus): Problem {
  const details = { status }
  if (status === 'queued') return new Problem('artifact_not_ready', { message: NOT_YET, details })
  return new Problem('artifact_not_available', { ...(status === 'failed' && { message: FAILED }), details })
}

type PrintContext = Pick<BaseContext, 'sql' | 'ports'>

/**
 * The key of a page names the XML whose timbre it carries, and the paper. The four characters are the time in the id:
 * some twelve days of documents share a folder, so that none grows without end.
 */
function keyOf(scope: EmpresaScope, { id, xml_digest }: PrintableRow, { format, cedible }: Page): string {
  const name = [id, xml_digest?.slice(0, 16), format, ...(cedible ? ['cedible'] : []), 'pdf'].join('.')
  return `${folderOf(scope)}/${id.slice(4, 8)}/${name}`
}

async function print(ctx: PrintContext, scope: EmpresaScope, row: PrintableRow, page: Page): Promise<Uint8Array> {
  const letterhead = await findLetterhead(ctx.sql, scope, row.id)
  // It was signed when it was read: without its XML, it was deleted since.
  if (!letterhead) throw new Problem('document_not_found')
  if (row.folio === null) throw noArtifact(row.status)
  const resolucion = resolucionFor({ ...letterhead, mode: row.mode }, row.tipo_dte)
  try {
    const order = {
      draft: row.draft,
      folio: row.folio,
      xml: letterhead.xml,
      ...page,
      watermark: watermarkOf(ctx.ports, row.mode),
      logo: letterhead.logo,
      footer: letterhead.footer_text,
      resolucion: resolucion && { numero: resolucion.number, fecha: resolucion.date },
      // The day of the document and not of the printing: printed again, it is the same file.
      created_at: row.created_at,
    }
    return await ctx.ports.printer.print(order, scope.account_id)
  } catch (error) {
    if (!(error instanceof PrinterBusy)) throw error
    const message = 'Too many PDFs are being printed at this moment.'
    throw new Problem('service_unavailable', { message })
  }
}

// A second request for a page that is being printed waits for the first.
const underway = new Map<string, Promise<Uint8Array>>()

/**
 * The PDF of a document: printed when it is first requested, stored, and the same from then on. A new logo or footer
 * appears on what is printed later; a file that was handed out does not change any more.
 */
export async function pdfOf(
  ctx: PrintContext,
  scope: EmpresaScope,
  row: PrintableRow,
  page: Page,
): Promise<Uint8Array> {
  if (row.xml_digest === null) throw noArtifact(row.status)
  const key = keyOf(scope, row, page)
  const printing =
    underway.get(key) ??
    (async () => {
      const stored = await ctx.ports.artifacts.get(key)
      if (stored) return stored
      const bytes = await print(ctx, scope, row, page)
      await storeFile(ctx, scope, key, bytes)
      return bytes
    })().finally(() => underway.delete(key))
  underway.set(key, printing)
  return printing
}
