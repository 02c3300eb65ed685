import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import type { MasterKeys } from './kernel/vault.ts'

const BYTES = 32
const NUMBERED = /^(\d{1,3}):(.+)$/

/** `2:new,1:old`: the first seals, all of them open. A key without a number is number 1. */
export function parseMasterKeys(text: string, from: string): MasterKeys {
  const keys = new Map<number, Uint8Array>()
  for (const item of text.trim().split(/[\s,]+/)) {
    const [, number = '1', base64 = item] = NUMBERED.exec(item) ?? []
    const [version, key] = [Number(number), Buffer.from(base64, 'base64')]
    if (key.length !== BYTES) throw new ConfigError(`${from} must hold ${BYTES} bytes in base64.`)
    if (version < 1 || version > 255) throw new ConfigError(`${from} numbers its keys from 1 to 255.`)
    if (keys.has(version)) throw new ConfigError(`${from} holds two keys of number ${version}: write 2:new,1:old.`)
    keys.set(version, key)
  }
  const [current = 1] = keys.keys()
  return { current, keys }
}

/**
 * The keys that protect everything in custody: configured, or one made beside the embedded database it protects.
 * It is linked into place whole, so that a crash in mid-write never leaves half a key behind.
 */
export async function masterKeys(config: Pick<Config, 'master_key' | 'data_dir'>): Promise<MasterKeys> {
  if (config.master_key !== null) return parseMasterKeys(config.master_key, 'MASTER_KEY')
  const file = join(config.data_dir, 'master.key')
  await mkdir(config.data_dir, { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600 })
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return parseMasterKeys(await readFile(file, 'utf8'), file)
}
