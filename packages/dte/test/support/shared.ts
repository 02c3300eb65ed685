import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..')
const reference = path.resolve(root, '../shared/sii')

/** A path among the SII reference files, which live outside this repository. */
export function referencePath(...parts: readonly string[]): string {
  return path.join(reference, ...parts)
}

export function readReference(...parts: readonly string[]): Buffer {
  return readFileSync(referencePath(...parts))
}

/** A suite that needs those files, and says so when they are not there instead of passing in silence. */
export function describeWithReference(title: string, suite: () => void): void {
  if (existsSync(reference)) {
    describe(title, suite)
    return
  }
  console.warn(`skipped "${title}": the SII reference files are not at ${reference}`)
  describe.skip(title, () => {
    it('is skipped because the SII reference files are missing', () => {})
  })
}
