import { copyFile, open, stat, truncate } from 'node:fs/promises'

const LARGEST_BYTES = 10 * 1024 * 1024
const CHECK_EVERY_MS = 60_000

/** Keeps at most two files of the size cap. Copy and truncate: the server holds the file open and only ever appends. */
export async function capLog(file: string): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size <= LARGEST_BYTES) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}

/** Watches the size for as long as the server runs. */
export function keepLogSmall(file: string, onTrouble: (why: string) => void): () => void {
  const timer = setInterval(() => {
    capLog(file).catch((error: Error) => onTrouble(`PostgreSQL's log could not be cut: ${error.message}`))
  }, CHECK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** The last lines of the log, to say why a server did not start. */
export async function lastLines(file: string, count: number): Promise<string> {
  const handle = await open(file).catch(() => null)
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const tail = Buffer.alloc(Math.min(size, 4096))
    await handle.read(tail, 0, tail.length, size - tail.length)
    return tail.toString('utf8').trimEnd().split('\n').slice(-count).join('\n')
  } finally {
    await handle.close()
  }
}
