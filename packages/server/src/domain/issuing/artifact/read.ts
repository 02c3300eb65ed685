import { Problem } from '../../../kernel/problem.ts'
import type { Artifact } from '../../../kernel/schema.ts'
import type { EmpresaContext } from '../../context.ts'
import type { DocumentPath } from '../document/schema.ts'
import { filenameOf } from './filename.ts'
import { pageOf } from './format.ts'
import { pdfOf } from './print.ts'
import { noArtifact } from './refusal.ts'
import type { PdfQuery } from './schema.ts'
import { findIssued, findSigned, type Issued } from './store.ts'
import { xmlFile } from './xml-file.ts'

type Reading = Pick<EmpresaContext, 'sql' | 'ports' | 'empresa'>

/** A document and what decides how it is printed. */
export async function readIssued(
  ctx: Pick<Reading, 'sql' | 'empresa'>,
  { document_id }: DocumentPath,
): Promise<Issued> {
  const row = await findIssued(ctx.sql, ctx.empresa, document_id)
  if (!row) throw new Problem('document_not_found')
  return row
}

/** The signed XML as it was sent: the very bytes of the signed element, for a copy written again would not verify. */
export async function readXml(ctx: Reading, { document_id }: DocumentPath): Promise<Artifact> {
  const row = await findSigned(ctx.sql, ctx.empresa, document_id)
  if (!row) throw new Problem('document_not_found')
  if (!row.xml) throw noArtifact(row.status)
  return { media_type: 'application/xml', bytes: xmlFile(row.xml), filename: filenameOf(ctx.empresa.rut, row, '.xml') }
}

export async function readPdf(ctx: Reading, { document_id, ...asked }: DocumentPath & PdfQuery): Promise<Artifact> {
  const row = await readIssued(ctx, { document_id })
  const page = pageOf(row, asked)
  const bytes = await pdfOf(ctx, ctx.empresa, row, page)
  const filename = filenameOf(ctx.empresa.rut, row, page.cedible ? '-cedible.pdf' : '.pdf')
  return { media_type: 'application/pdf', bytes, filename }
}
