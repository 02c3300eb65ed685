import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { buildEnvelope } from './build-envelope.ts'
import { resolucionFor } from './emisor.ts'
import type { DocumentRow } from './show.ts'
import { readXmlOf } from './xml-store.ts'

/**
 * Puts sent documents that the SII lost into an envelope of whoever sends now. They stay as they were signed: their
 * signatures hold, and the SII may yet find the first copy.
 */
export async function rewrapDocuments(ctx: JobContext, rows: readonly DocumentRow[]): Promise<Uint8Array> {
  const [first] = rows
  const empresa = await jobEmpresa(ctx)
  if (!empresa) throw new Error('the empresa of documents that were sent is gone')
  const resolucion = first ? resolucionFor(empresa.row, first.tipo_dte) : null
  if (!resolucion) throw new Error('documents that were sent have no resolución')
  const files = await readXmlOf(
    ctx.sql,
    empresa.scope,
    rows.map(({ id }) => id),
  )
  return buildEnvelope(ctx, empresa, resolucion, files)
}
