import { constants, openSync, readFileSync, type Stats, statSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Context } from './command.ts'
import { codeOf } from './config/private-file.ts'
import { CliError } from './exit.ts'
import { fileCopy } from './file-copy.ts'

const MOST_BYTES = 64 * 1024 * 1024

type Reader = Pick<Context, 'command'>

const tooLarge = ({ command }: Reader, what: string) => new CliError('file', `${what} ${fileCopy(command).tooLarge}.`)

/** A file that the person named, whole; or what a pipe of that name gives, as of `<(…)`. */
export async function readNamedFile(ctx: Reader & Pick<Context, 'signal'>, file: string): Promise<Uint8Array> {
  try {
    const stats = statSync(file)
    if (stats.isFIFO()) return await readAll(ctx, openPipe(file, ctx.signal), file)
    requireFile(ctx, file, stats)
    return readFileSync(file)
  } catch (error) {
    if (error instanceof CliError) throw error
    const code = codeOf(error)
    const said = fileCopy(ctx.command)
    const why = code === 'ENOENT' ? said.missing : said.unreadable(code)
    throw new CliError('file', `${file} ${why}.`, said.lookAtPath)
  }
}

function requireFile(ctx: Reader, file: string, stats: Stats): void {
  if (stats.size > MOST_BYTES) throw tooLarge(ctx, file)
  if (stats.isFile()) return
  const said = fileCopy(ctx.command)
  throw new CliError('file', `${file} ${stats.isDirectory() ? said.folder : said.device}.`, said.lookAtPath)
}

/** Without blocking: to open a pipe that nobody writes to would wait where Ctrl-C is not heard. */
function openPipe(file: string, signal: AbortSignal): Socket {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const pipe = new Socket({ fd, readable: true, writable: false })
  const stop = () => pipe.destroy(new CliError('interrupted', 'Interrupted.'))
  signal.addEventListener('abort', stop, { once: true })
  return pipe.once('close', () => signal.removeEventListener('abort', stop))
}

/** Everything that comes in, on stdin or on a pipe. */
export async function readAll(
  ctx: Reader,
  input: NodeJS.ReadableStream,
  what = fileCopy(ctx.command).stdin,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    bytes += buffer.length
    if (bytes > MOST_BYTES) throw tooLarge(ctx, what)
    chunks.push(buffer)
  }
  return Buffer.concat(chunks)
}
