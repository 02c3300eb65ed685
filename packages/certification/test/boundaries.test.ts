import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, code: readFileSync(path.join(src, name), 'utf8') }))
const importsOf = (code: string) => [...code.matchAll(/from '([^']+)'/g)].map(([, module = '']) => module)

describe('the package is pure: no file of it', () => {
  it('imports anything but itself, the engine and the buffers of Node', () => {
    const foreign = files.flatMap(({ name, code }) =>
      importsOf(code)
        .filter((module) => !module.startsWith('.') && !module.startsWith('@timbre/dte') && module !== 'node:buffer')
        .map((module) => `${name}: ${module}`),
    )
    expect(foreign).toEqual([])
  })

  it('asks the clock or draws random numbers', () => {
    const pattern = /\bDate\.now\(|new Date\(|\bMath\.random\(|\bprocess\./
    expect(files.filter(({ code }) => pattern.test(code)).map(({ name }) => name)).toEqual([])
  })

  it('of the reader knows of plans, and none of a plan knows of its checks', () => {
    const reach = (from: string, to: string) =>
      files
        .filter(({ name }) => name.startsWith(`${from}/`))
        .filter(({ code }) => importsOf(code).some((module) => module.startsWith(`../${to}/`)))
        .map(({ name }) => name)
    expect([reach('set', 'plan'), reach('set', 'preflight'), reach('plan', 'preflight')]).toEqual([[], [], []])
  })
})
