import { constants, openSync, readFileSync, type Stats, statSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Context } from './command.ts'
import { codeOf } from './config/private-file.ts'
import { CliError } from './exit.ts'

const MOST_BYTES = 64 * 1024 * 1024
const tooLarge = (what: string) => new CliError('file', `${what} has more than 64 MiB.`)

/** A file that the person named, whole; or what a pipe of that name gives, as of `<(…)`. */
export async function readNamedFile({ signal }: Pick<Context, 'signal'>, file: string): Promise<Uint8Array> {
  try {
    const stats = statSync(file)
    if (stats.isFIFO()) return await readAll(openPipe(file, signal), file)
    requireFile(file, stats)
    return readFileSync(file)
  } catch (error) {
    if (error instanceof CliError) throw error
    const code = codeOf(error)
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    throw new CliError('file', `${file} ${why}.`, 'Look at the path.')
  }
}

function requireFile(file: string, stats: Stats): void {
  if (stats.size > MOST_BYTES) throw tooLarge(file)
  if (stats.isFile()) return
  throw new CliError('file', `${file} ${stats.isDirectory() ? 'is a folder' : 'is a device'}.`, 'Look at the path.')
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
export async function readAll(input: NodeJS.ReadableStream, what = 'What came in on stdin'): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    bytes += buffer.length
    if (bytes > MOST_BYTES) throw tooLarge(what)
    chunks.push(buffer)
  }
  return Buffer.concat(chunks)
}
