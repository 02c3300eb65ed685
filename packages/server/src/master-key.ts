import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'

const BYTES = 32

function decode(text: string, from: string): Uint8Array {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== BYTES) throw new ConfigError(`${from} must hold ${BYTES} bytes in base64.`)
  return key
}

/**
 * The key that protects everything in custody: configured, or made once beside the embedded database it protects.
 * It is linked into place whole, so that a crash in mid-write never leaves half a key behind.
 */
export async function masterKey(config: Config): Promise<Uint8Array> {
  if (config.master_key !== null) return decode(config.master_key, 'MASTER_KEY')
  const file = join(config.data_dir, 'master.key')
  await mkdir(config.data_dir, { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600 })
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return decode(await readFile(file, 'utf8'), file)
}
