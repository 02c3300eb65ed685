import type { Context } from '../command.ts'
import { saveBytes } from '../write-file.ts'

export async function run(ctx: Context): Promise<void> {
  const { api, args, options, out } = ctx
  const [id = ''] = args
  const query = { format: options.text('format'), ...(options.flag('cedible') && { cedible: true }) }
  const { bytes, filename } = await (await api()).download(`/documents/${encodeURIComponent(id)}/pdf`, { query })
  const saved = saveBytes(ctx, options.text('output') ?? filename ?? `${id}.pdf`, bytes)
  if (saved) out.result({ file: saved, bytes: bytes.length }, `${saved}: ${bytes.length} bytes.`)
}
