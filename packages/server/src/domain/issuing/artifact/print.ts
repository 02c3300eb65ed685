import { MODES } from '../../../catalog/modes.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { PrinterBusy } from '../../../ports/printer.ts'
import type { BaseContext } from '../../context.ts'
import { folderOf } from '../../platform/empresa/files.ts'
import { resolucionFor } from '../document/emisor.ts'
import type { Page } from './format.ts'
import { noArtifact } from './refusal.ts'
import { findDressing, type Issued } from './store.ts'

type Printing = Pick<BaseContext, 'sql' | 'ports'>

/**
 * A page belongs to the XML whose timbre it carries, and to the paper. The four characters are the time in the id:
 * some twelve days of documents share a folder, so that none grows without end.
 */
function keyOf(scope: EmpresaScope, { id, xml_digest }: Issued, { format, cedible }: Page): string {
  const name = [id, xml_digest?.slice(0, 16), format, ...(cedible ? ['cedible'] : []), 'pdf'].join('.')
  return `${folderOf(scope)}/${id.slice(4, 8)}/${name}`
}

async function print(ctx: Printing, scope: EmpresaScope, row: Issued, page: Page): Promise<Uint8Array> {
  const dressing = await findDressing(ctx.sql, scope, row.id)
  if (!dressing || row.folio === null) throw noArtifact(row.status)
  const resolucion = resolucionFor({ ...dressing, mode: row.mode }, row.tipo_dte)
  try {
    return await ctx.ports.printer.print({
      draft: row.draft,
      folio: row.folio,
      xml: dressing.xml,
      ...page,
      watermark: MODES[row.mode].watermark,
      logo: dressing.logo,
      footer: dressing.footer_text,
      resolucion: resolucion && { numero: resolucion.number, fecha: resolucion.date },
      // The day of the document and not of the printing: whoever prints it again gets the same file.
      created_at: row.created_at,
    })
  } catch (error) {
    if (!(error instanceof PrinterBusy)) throw error
    const message = 'Too many PDFs are being printed at this moment.'
    throw new Problem('service_unavailable', { message })
  }
}

// Whoever asks for a page that is being printed waits for that one.
const underway = new Map<string, Promise<Uint8Array>>()

/**
 * The PDF of a document: printed when it is first asked for, kept, and the same from then on. A new logo or footer
 * dresses what is printed after it; what was handed out does not change behind the back of whoever has it.
 */
export async function pdfOf(ctx: Printing, scope: EmpresaScope, row: Issued, page: Page): Promise<Uint8Array> {
  if (row.xml_digest === null) throw noArtifact(row.status)
  const key = keyOf(scope, row, page)
  const printing =
    underway.get(key) ??
    (async () => {
      const kept = await ctx.ports.artifacts.get(key)
      if (kept) return kept
      const bytes = await print(ctx, scope, row, page)
      await ctx.ports.artifacts.put(key, bytes)
      return bytes
    })().finally(() => underway.delete(key))
  underway.set(key, printing)
  return printing
}
