import type { AnyDte } from '../unissued/document.ts'
import { Canvas } from './canvas.ts'
import { drawLetter } from './letter.ts'
import { readLogo } from './logo.ts'
import type { PdfOptions } from './options.ts'
import { writePdf } from './output.ts'
import type { Job } from './page.ts'
import { timbreBytes } from './stamp.ts'
import { drawTicket } from './ticket.ts'
import { ROLLS } from './ticket-roll.ts'
import { printedTipo } from './tipo.ts'

/**
 * The printed representation of a document (SII, Manual de Muestras Impresas v4.0; Res. Ex. SII 74 of 2020 for
 * boletas). Long texts wrap and long documents take more pages; nothing is cut. The same arguments give the same bytes.
 * Throws a LogoError for a picture it cannot print and a RangeError for a TED that is not one.
 */
export async function renderPdf(dte: AnyDte, options: PdfOptions): Promise<Uint8Array> {
  const created_at = new Date(options.created_at)
  if (Number.isNaN(created_at.getTime())) throw new RangeError('created_at is not an instant')
  const logo = options.logo ? readLogo(options.logo) : null
  const timbre = options.ted ? timbreBytes(options.ted) : null
  const canvas = new Canvas()
  const job: Job = { canvas, dte, options, logo, timbre, y: 0 }
  if (options.format === 'letter') drawLetter(job)
  else drawTicket(job, ROLLS[options.format])
  const title = `${printedTipo(dte.tipo_dte).name} N° ${dte.folio}`
  return writePdf(canvas, { title, author: dte.emisor.legal_name, created_at }, logo)
}
