import type { Context } from './command.ts'
import { CliError } from './exit.ts'
import { readAll, readNamedFile } from './read-file.ts'

/** JSON as it is written, or of `@FILE`, or of stdin for `@-`. */
export async function readJson(ctx: Context, source: string): Promise<unknown> {
  const from = source.startsWith('@') ? source.slice(1) : null
  const text =
    from === null
      ? source
      : from === '-'
        ? (await readAll(ctx, ctx.stdin)).toString('utf8')
        : Buffer.from(await readNamedFile(ctx, from)).toString('utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    const where = from === null ? 'What was given' : from === '-' ? 'What came in on stdin' : from
    throw new CliError('usage', `${where} is not JSON: ${error instanceof Error ? error.message : ''}.`)
  }
}
