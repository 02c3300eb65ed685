import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { ROOT } from './support/root.ts'

const SERVER = join(ROOT, 'packages/server')
const BUNDLE = join(SERVER, 'bundle')

/** What Node reads when it loads a file of the bundle: the files, and the packages that are not in it. */
function loadedWith(file: string, files = new Set<string>(), packages = new Set<string>()) {
  if (files.has(file)) return { files, packages }
  files.add(file)
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\b[^"'()]*["']([^"'()]+)["'];$/gm,
  )) {
    if (name.startsWith('.')) loadedWith(resolve(dirname(file), name), files, packages)
    else if (!isBuiltin(name)) packages.add(name)
  }
  return { files, packages }
}

describe('what npm start runs', () => {
  const [serve = ''] = /chunks-\w+\/serve-\w+\.js/.exec(readFileSync(join(BUNDLE, 'main.js'), 'utf8')) ?? []
  const { files, packages } = loadedWith(join(BUNDLE, serve))
  // The bundler writes the name of each file above what it took from it.
  const takenInto = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/^\/\/ ((?:.*\/)?node_modules)\/((?:@[^/]+\/)?[^/]+)\/.*$/gm)].map(
      ([, where = '', name = '']) => ({ where, name }),
    )
  const inside = new Set([...files].flatMap(takenInto).map(({ name }) => name))

  it('leaves the printer, the keys in files, mail, agents, spreadsheets, calls to others and the contract to those who need them', () => {
    expect(inside).toContain('fastify')
    const later = [
      'pdfkit',
      'fontkit',
      'node-forge',
      'nodemailer',
      'smtp-server',
      'oidc-provider',
      'ioredis',
      '@e965/xlsx',
      'undici',
      'yaml',
      '@fastify/ajv-compiler',
      '@fastify/fast-json-stringify-compiler',
      'light-my-request',
    ]
    expect(later.filter((name) => inside.has(name) || packages.has(name))).toEqual([])
  })

  it('looks for nothing but native code and the XML reader among the packages', () => {
    expect([...packages].sort()).toEqual(['@node-rs/argon2', 'libxml2-wasm'])
  })

  it('holds once what is installed for two of our packages', () => {
    const build = dirname(join(BUNDLE, serve))
    const taken = readdirSync(build).flatMap((name) => takenInto(join(build, name)))
    const places = new Set(taken.filter(({ name }) => name === 'undici').map(({ where }) => where))
    expect([...places]).toHaveLength(1)
  })

  it('is one file beside those that the program has loaded by then', () => {
    const before = loadedWith(join(BUNDLE, 'main.js')).files
    expect([...files].filter((file) => !before.has(file))).toEqual([join(BUNDLE, serve)])
  })

  it('holds nothing beyond ASCII, which would double it in memory', () => {
    const beyond = [...files].filter((file) => readFileSync(file).some((byte) => byte > 0x7f))
    expect(beyond).toEqual([])
  })

  it('leaves the service out of its threads', () => {
    const threads = readdirSync(BUNDLE, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('-thread.js'),
    )
    expect(threads).not.toEqual([])
    const with_service = threads.filter((name) => loadedWith(join(BUNDLE, name)).files.has(join(BUNDLE, serve)))
    expect(with_service).toEqual([])
  })

  it('has every thread at the place where it is looked for', () => {
    const sources = readdirSync(join(SERVER, 'src'), { recursive: true, encoding: 'utf8' })
    const threads = sources.filter((name) => name.endsWith('-thread.ts')).map((name) => name.replace(/\.ts$/, '.js'))
    expect(threads).toContain('adapters/threads/signing-thread.js')
    expect(threads.filter((name) => !existsSync(join(BUNDLE, name)))).toEqual([])
  })
})

describe('a build', () => {
  const root = mkdtempSync(join(tmpdir(), 'timbre-build-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const source = join(root, 'packages/server/src/main.ts')

  async function builtFrom(text: string) {
    for (const name of ['src', 'dist', 'bundle']) mkdirSync(join(root, 'packages/server', name), { recursive: true })
    cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), { recursive: true })
    for (const name of [
      'package-lock.json',
      'tsconfig.base.json',
      'packages/server/package.json',
      'packages/server/tsconfig.json',
    ])
      writeFileSync(join(root, name), '{}')
    writeFileSync(source, text)
    writeFileSync(join(root, 'packages/server/bundle/main.js'), '')
    const script = (await import(
      pathToFileURL(join(root, 'scripts/build.mjs')).href
    )) as typeof import('../../../scripts/build.mjs')
    writeFileSync(join(root, 'packages/server/dist/.built-from'), script.stampOf(script.sources()))
    return script
  }

  it('holds for files that were copied or checked out again, and for no other content', async () => {
    const { isBuilt } = await builtFrom('export const one = 1\n')
    expect(isBuilt()).toBe(true)
    const then = new Date('2026-01-01T00:00:00Z')
    utimesSync(source, then, then)
    expect(isBuilt()).toBe(true)
    // As long, and with the same time of change: only what the system itself notes tells them apart.
    writeFileSync(source, 'export const one = 2\n')
    utimesSync(source, then, then)
    expect(isBuilt()).toBe(false)
  })

  it('is none without its program', async () => {
    const { isBuilt } = await builtFrom('export const one = 1\n')
    rmSync(join(root, 'packages/server/bundle/main.js'))
    expect(isBuilt()).toBe(false)
  })
})
