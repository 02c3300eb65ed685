import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { seriousHoles } from '../../../scripts/supply-chain.mjs'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

describe('what we depend on', () => {
  const report = (...severities: string[]) =>
    JSON.stringify({
      vulnerabilities: Object.fromEntries(severities.map((severity) => [severity, { name: 'x', severity }])),
    })

  it('stops a run for what is high or critical, and for nothing less', () => {
    expect(seriousHoles(report('low', 'moderate'))).toEqual([])
    expect(seriousHoles(report('low', 'high', 'critical'))).toEqual(['x (high)', 'x (critical)'])
  })

  it.each(['', 'not json', '{"message":"405 Method Not Allowed","statusCode":405}', 'null'])(
    'is told apart from a registry that does not answer: %s',
    (text) => expect(seriousHoles(text)).toBeNull(),
  )

  it('is pinned exactly, in every package', () => {
    const tools = readdirSync(`${ROOT}tools`).map((name) => `tools/${name}/package.json`)
    const packages = [
      'package.json',
      ...tools,
      ...readdirSync(`${ROOT}packages`).map((name) => `packages/${name}/package.json`),
    ]
    const loose = packages.flatMap((file) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(ROOT + file, 'utf8'))
      return Object.entries({ ...dependencies, ...devDependencies }).filter(
        ([name, version]) => !name.startsWith('@timbre/') && !/^\d+\.\d+\.\d+/.test(String(version)),
      )
    })
    expect(loose).toEqual([])
  })
})
