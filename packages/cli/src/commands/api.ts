import type { Context } from '../command.ts'
import { CliError } from '../exit.ts'
import { jsonText } from '../output.ts'
import { readJson } from '../read-json.ts'
import { saveBytes } from '../write-file.ts'

export async function run(ctx: Context): Promise<void> {
  const { args, options, out } = ctx
  const [method = 'GET', given = ''] = args
  if (!given.startsWith('/')) throw new CliError('usage', `PATH begins with a slash: "/${given}"?`)
  const path = given.replace(/^\/v1(?=\/)/, '')
  const data = options.text('data')
  const body = data === undefined ? undefined : await readJson(ctx, data)
  const api = await ctx.api()
  const output = options.text('output')
  const common = {
    ...(options.flag('no-empresa') && { empresa: null }),
    ...(options.text('idempotency-key') !== undefined && { idempotencyKey: options.text('idempotency-key') as string }),
  }
  if (output !== undefined) {
    if (method !== 'GET') throw new CliError('usage', '--output is for what GET downloads.')
    const { bytes, contentType } = await api.download(path, common)
    const saved = saveBytes(ctx, output, bytes)
    if (saved) out.result({ file: saved, bytes: bytes.length }, `${saved}: ${bytes.length} bytes of ${contentType}.`)
    return
  }
  const answer = await api.call<unknown>(method, path, { ...common, ...(body !== undefined && { body }) })
  out.result(answer, () => (answer === null || answer === undefined ? 'Done.' : jsonText(answer, 2)))
}
