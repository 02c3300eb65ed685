import { Problem } from '../../../kernel/problem.ts'
import type { Artifact } from '../../../kernel/schema.ts'
import type { EmpresaContext } from '../../context.ts'
import { filenameOf, xmlFile } from '../artifact/file.ts'
import { requireDocument } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import { findCesion } from './store.ts'

const WHY = {
  none: 'It was never ceded, so there is no AEC of it.',
  unsigned: 'The AEC is not signed yet: it exists a moment after the cesión is requested.',
  failed: 'The cesión failed before its AEC was signed. POST …/cede tries again.',
} as const

/** The AEC of the last cesión, byte for byte as it went to the register: a cesionario checks its signatures. */
export async function readAec(ctx: EmpresaContext, { document_id }: DocumentPath): Promise<Artifact> {
  const document = await requireDocument(ctx, { document_id })
  const { cesion_status: status, cesion } = document
  const row = cesion?.id ? await findCesion(ctx.sql, ctx.empresa, cesion.id) : null
  if (!row?.aec) {
    const why = row === null ? 'none' : status === 'failed' ? 'failed' : 'unsigned'
    const code = why === 'unsigned' ? 'artifact_not_ready' : 'artifact_not_available'
    throw new Problem(code, { message: WHY[why], details: { status } })
  }
  const filename = filenameOf(ctx.empresa.rut, document, '-AEC.xml')
  return { media_type: 'application/xml', bytes: xmlFile(row.aec), filename }
}
