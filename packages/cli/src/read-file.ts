import { readFileSync, statSync } from 'node:fs'
import { codeOf } from './config/private-file.ts'
import { CliError } from './exit.ts'

const MOST_BYTES = 64 * 1024 * 1024

/** A file that the person named, whole. */
export function readNamedFile(file: string): Uint8Array {
  try {
    if (statSync(file).size > MOST_BYTES) throw new CliError('file', `${file} has more than 64 MiB.`)
    return readFileSync(file)
  } catch (error) {
    if (error instanceof CliError) throw error
    const code = codeOf(error)
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : `cannot be read (${code})`
    throw new CliError('file', `${file} ${why}.`, 'Look at the path.')
  }
}

/** Everything that comes in on stdin. */
export async function readAll(stdin: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return Buffer.concat(chunks)
}
