import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../command.ts'
import { downloadPdf } from '../download-pdf.ts'
import { openOnDesktop } from '../open-file.ts'
import { saveBytes } from '../write-file.ts'

export async function run(ctx: Context): Promise<void> {
  const { api, args, options, out } = ctx
  const [id = ''] = args
  const { bytes, filename } = await downloadPdf(await api(), id, { format: options.text('format') })
  const file = join(mkdtempSync(join(tmpdir(), 'timbre-')), filename)
  saveBytes(ctx, file, bytes)
  const opened = out.isTerminal && (await openOnDesktop(file))
  out.result({ file, opened }, opened ? file : `${file}\nNothing here shows PDFs: open it where you can.`)
}
