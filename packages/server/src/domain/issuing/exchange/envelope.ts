import { ANONYMOUS_RUT, tipo } from '@timbre/dte/values'
import { GiveUp } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { getsFolioFromSii } from '../../platform/empresa/channels.ts'
import type { JobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { filenameOf } from '../artifact/file.ts'
import { buildEnvelope } from '../document/build-envelope.ts'
import { resolucionFor } from '../document/emisor.ts'
import { findSignedXml } from '../document/read.ts'
import type { DocumentRow } from '../document/show.ts'
import { findEnvelope, saveEnvelope } from './store.ts'

/** What the file is called before the name of its document. */
export const ENVELOPE_FILE = 'EnvioDTE-'

/** RUT that the SII has for every receptor abroad. */
const FOREIGN_RUT = '55555555-5'

/**
 * Whether a document is exchanged between taxpayers. A boleta is for whoever holds it; the portal of the SII delivers
 * what it issues; and goods that move within the empresa have nobody to be sent to.
 */
export function isExchanged(row: Pick<DocumentRow, 'tipo_dte' | 'receptor_rut' | 'emission_channel'>, rut: string) {
  const { tipo_dte, receptor_rut, emission_channel } = row
  return (
    tipo(tipo_dte).envelope === 'EnvioDTE' &&
    !getsFolioFromSii(emission_channel, tipo_dte) &&
    ![ANONYMOUS_RUT, FOREIGN_RUT, rut].includes(receptor_rut)
  )
}

/** The EnvioDTE addressed to the receptor of a document, signed when it is first needed and kept. */
export async function receptorEnvelope(ctx: JobContext, empresa: JobEmpresa, row: DocumentRow): Promise<Uint8Array> {
  const { scope } = empresa
  const { id, tipo_dte, receptor_rut } = row
  const signed = await findEnvelope(ctx.sql, scope, id)
  if (signed) return signed
  const resolucion = resolucionFor(empresa.row, tipo_dte)
  const xml = await findSignedXml(ctx.sql, scope, id)
  if (!resolucion || !xml) throw new GiveUp('build_refused', 'The empresa has declared no resolución.')
  const envelope = await buildEnvelope(ctx, empresa, resolucion, [{ tipo_dte, xml }], receptor_rut)
  return ctx.transact((tx) => saveEnvelope(tx.sql, scope, id, envelope))
}

/** The envelope as a file of a mail. */
export async function envelopeAttachment(ctx: JobContext, empresa: JobEmpresa, row: DocumentRow) {
  const bytes = await receptorEnvelope(ctx, empresa, row)
  return {
    filename: `${ENVELOPE_FILE}${filenameOf(empresa.scope.rut, row, '.xml')}`,
    media_type: 'application/xml',
    bytes,
  }
}
