import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'

/** Recorded answers of the SII, kept beside the repository and not in it. */
const SAMPLES = path.resolve(fileURLToPath(new URL('../../../../../shared/sii/samples/', import.meta.url)))

const present = existsSync(SAMPLES)
if (!present) console.warn('SKIPPED: the recorded answers of the SII are not at hand.')

/** Skipped, and said so, where the samples are missing. */
export const describeWithSamples = describe.skipIf(!present)

export const samplePath = (name: string): string => path.join(SAMPLES, name)

export const readSample = (name: string): Buffer => readFileSync(samplePath(name))
