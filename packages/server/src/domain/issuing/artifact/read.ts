import { Problem } from '../../../kernel/problem.ts'
import type { Artifact } from '../../../kernel/schema.ts'
import type { EmpresaContext } from '../../context.ts'
import type { DocumentPath } from '../document/schema.ts'
import { filenameOf, xmlFile } from './file.ts'
import { noArtifact, pdfOf } from './print.ts'
import { pageOf } from './print-options.ts'
import type { PdfQuery } from './schema.ts'
import { findPrintable, findSigned, type PrintableRow } from './store.ts'

type ReadContext = Pick<EmpresaContext, 'sql' | 'ports' | 'empresa'>

/** A document and what decides how it is printed. */
export async function readPrintable(
  ctx: Pick<ReadContext, 'sql' | 'empresa'>,
  { document_id }: DocumentPath,
): Promise<PrintableRow> {
  const row = await findPrintable(ctx.sql, ctx.empresa, document_id)
  if (!row) throw new Problem('document_not_found')
  return row
}

/** The signed XML as it was sent, byte for byte: a copy that is serialized again would not verify. */
export async function readXml(ctx: ReadContext, { document_id }: DocumentPath): Promise<Artifact> {
  const row = await findSigned(ctx.sql, ctx.empresa, document_id)
  if (!row) throw new Problem('document_not_found')
  if (!row.xml) throw noArtifact(row.status)
  return { media_type: 'application/xml', bytes: xmlFile(row.xml), filename: filenameOf(ctx.empresa.rut, row, '.xml') }
}

export async function readPdf(ctx: ReadContext, { document_id, ...query }: DocumentPath & PdfQuery): Promise<Artifact> {
  const row = await readPrintable(ctx, { document_id })
  const page = pageOf(row, query)
  const bytes = await pdfOf(ctx, ctx.empresa, row, page)
  const filename = filenameOf(ctx.empresa.rut, row, page.cedible ? '-cedible.pdf' : '.pdf')
  return { media_type: 'application/pdf', bytes, filename }
}
