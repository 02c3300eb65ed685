import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../../../shared/sii/samples/', import.meta.url))

/** The facts' samples lie beside the project where they are kept; they are not part of it. */
export const hasSamples = existsSync(FOLDER)
if (!hasSamples) console.warn(`Skipped: there are no samples of the SII at ${FOLDER}.`)

export function sample(name: string): string {
  return readFileSync(`${FOLDER}${name}`, 'latin1')
}
