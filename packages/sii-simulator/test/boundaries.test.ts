import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url))

function imports(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.(ts|mjs)$/.test(name) && !/\.test\.ts$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return Array.from(text.matchAll(/(?:from|import\()\s*'([^']+)'/g), ([, source = '']) => source)
    })
}

describe('the simulator stands alone', () => {
  it('takes from our engine only what both ends of a wire agree on, and nothing from the client or the service', () => {
    const ours = imports(`${PACKAGES}sii-simulator/src`).filter((source) => source.startsWith('@timbre/'))
    expect([...new Set(ours)]).toEqual(['@timbre/dte/wire'])
  })

  it('is imported by nobody', () => {
    for (const name of ['dte', 'certification', 'sii', 'server']) {
      const taken = imports(`${PACKAGES}${name}/src`).filter((source) => source.includes('sii-simulator'))
      expect(taken, name).toEqual([])
    }
  })
})
