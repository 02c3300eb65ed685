import type { Context } from '../command.ts'
import { downloadPdf } from '../download-pdf.ts'
import { saveBytes } from '../write-file.ts'

export async function run(ctx: Context): Promise<void> {
  const { api, args, options, out } = ctx
  const [id = ''] = args
  const query = { format: options.text('format'), ...(options.flag('cedible') && { cedible: true }) }
  const { bytes, filename } = await downloadPdf(await api(), id, query)
  const saved = saveBytes(ctx, options.text('output') ?? filename, bytes)
  if (saved) out.result({ file: saved, bytes: bytes.length }, `${saved}: ${bytes.length} bytes.`)
}
