import {
  type AnyDte,
  childOf,
  childrenOf,
  type PdfFormat,
  rawElements,
  readDte,
  readEnvelope,
  readUnissued,
} from '@timbre/dte'
import { renderPdf } from '@timbre/dte/print'
import type { Context } from '../command.ts'
import { CliError } from '../exit.ts'
import { saidOfForm } from '../offline/copy.ts'
import { readNamedFile } from '../read-file.ts'
import { saveBytes } from '../write-file.ts'

/** The pages of a document, from the file alone. The barcode is the stamp that the file carries, byte for byte. */
export async function run(ctx: Context): Promise<void> {
  const { args, options, out } = ctx
  const [file = ''] = args
  const bytes = await readNamedFile(ctx, file)
  const read = readEnvelope(bytes)
  if (!read.ok)
    throw new CliError('invalid', saidOfForm(read.refusal.rule), 'Revisa el archivo con `timbre dte verify`.')
  const { xml, caratula } = read.value
  const set = xml.root.name === 'SetDTE' ? xml.root : childOf(xml.root, 'SetDTE')
  const elements = xml.root.name === 'DTE' ? [xml.root] : childrenOf(set, 'DTE')
  const number = Number(options.text('number') ?? 1)
  const element = elements[number - 1]
  if (!element)
    throw new CliError(
      'usage',
      `El archivo tiene ${elements.length} documentos: no hay un número ${options.text('number')}.`,
    )
  const ours = readDte(element, xml)
  const other = ours.ok ? ours : readUnissued(element, xml)
  if (!other.ok) throw new CliError('invalid', saidOfForm(ours.ok ? 'unreadable' : ours.refusal.rule))
  const dte: AnyDte = other.value.dte
  const source = rawElements(Buffer.from(bytes).toString('latin1'), 'DTE')[number - 1] ?? ''
  const pdf = await renderPdf(dte, {
    format: (options.text('format') ?? 'letter') as PdfFormat,
    cedible: options.flag('cedible'),
    ted: rawElements(source, 'TED')[0],
    resolucion:
      caratula?.resolution_number !== undefined && caratula.resolution_date !== undefined
        ? { numero: caratula.resolution_number, fecha: caratula.resolution_date }
        : undefined,
    created_at: other.value.tmst_firma ?? `${dte.issue_date}T00:00:00`,
  })
  const name = options.text('output') ?? `${dte.emisor.rut}-T${dte.tipo_dte}-F${dte.folio}.pdf`
  const saved = saveBytes(ctx, name, pdf)
  if (saved) out.result({ file: saved, bytes: pdf.length }, `${saved}: ${pdf.length} bytes.`)
}
