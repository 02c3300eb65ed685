import { copyFile, readFile, stat, truncate } from 'node:fs/promises'

const LARGEST_BYTES = 10 * 1024 * 1024
const CHECK_EVERY_MS = 60_000

/** Keeps at most two files of the size cap. Copy and truncate: the server holds the file open and only ever appends. */
export async function capLog(file: string): Promise<void> {
  if ((await logSize(file)) <= LARGEST_BYTES) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}

/** Watches the size for as long as the server runs. */
export function watchLogSize(file: string, onTrouble: (why: string) => void): () => void {
  const timer = setInterval(() => {
    capLog(file).catch((error: Error) => onTrouble(`PostgreSQL's log could not be cut: ${error.message}`))
  }, CHECK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Where the log ends now. */
export async function logSize(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

/** What was logged since, to say why a server did not start. */
export async function logSince(file: string, offset: number): Promise<string> {
  return (await readFile(file)).subarray(offset).toString('utf8').trimEnd()
}
