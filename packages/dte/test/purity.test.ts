import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, code: readFileSync(path.join(src, name), 'utf8') }))

/** Comments may name what the code may not do. */
const codeOf = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

const FORBIDDEN: readonly (readonly [string, RegExp])[] = [
  ['reads files', /from '(?:node:)?fs(?:\/promises)?'/],
  ['opens connections', /from '(?:node:)?(?:net|http|https|dns|tls|dgram|child_process|worker_threads)'/],
  ['looks at the process', /\bprocess\./],
  ['asks the clock', /\bDate\.now\(|new Date\(\)|\bperformance\.now\(/],
  ['draws random numbers', /\bMath\.random\(|\brandomBytes\(|\brandomUUID\(|\bgetRandomValues\(/],
  ['waits', /\bsetTimeout\(|\bsetInterval\(/],
]

describe('the engine is pure: no file of it', () => {
  it.each(FORBIDDEN)('%s', (_what, pattern) => {
    expect(files.filter(({ code }) => pattern.test(codeOf(code))).map(({ name }) => name)).toEqual([])
  })

  it('imports anything but itself, its declared dependencies and pure parts of Node', () => {
    const manifest = JSON.parse(readFileSync(path.resolve(src, '../package.json'), 'utf8'))
    const allowed = [...Object.keys(manifest.dependencies), 'node:crypto', 'node:buffer', 'node:zlib', 'node:util']
    const foreign = files.flatMap(({ name, code }) =>
      [...code.matchAll(/from '([^.'][^']*)'/g)]
        .map(([, module = '']) => `${name}: ${module}`)
        .filter((line) => !allowed.includes(line.split(': ')[1] ?? '')),
    )
    expect(foreign).toEqual([])
  })
})
