import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Artifacts } from '../../ports/artifacts.ts'

const SEAL_BYTES = 32
const SAFE = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

const sealOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const isMissing = (error: unknown) => (error as { code?: string }).code === 'ENOENT'

/**
 * Files in a folder, which only their owner may read: they are other people's invoices. Behind its content each ends in
 * the SHA-256 of it, so that a file cut short by a full disk or a crash is seen for what it is and made again; PDF
 * readers do not mind. Nothing here is ever the only copy: the folder may be emptied at any time.
 */
export function diskArtifacts(options: { folder: string; onTrouble: (error: unknown) => void }): Artifacts {
  const { folder, onTrouble } = options
  const fileOf = (key: string) => {
    const steps = key.split('/')
    if (!steps.every((step) => SAFE.test(step))) throw new Error('not a key of an artifact')
    return join(folder, ...steps)
  }
  return {
    async put(key, bytes) {
      const file = fileOf(key)
      const draft = join(dirname(file), `.${randomUUID()}`)
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await writeFile(draft, Buffer.concat([bytes, sealOf(bytes)]), { mode: 0o600 })
        // Whoever reads meanwhile finds the whole file or none.
        await rename(draft, file)
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined)
        onTrouble(error)
      }
    },
    async get(key) {
      try {
        const whole = await readFile(fileOf(key))
        const bytes = whole.subarray(0, -SEAL_BYTES)
        return whole.length > SEAL_BYTES && sealOf(bytes).equals(whole.subarray(-SEAL_BYTES)) ? bytes : null
      } catch (error) {
        if (!isMissing(error)) onTrouble(error)
        return null
      }
    },
    async drop(below) {
      await rm(fileOf(below), { recursive: true, force: true })
    },
  }
}
