// What `npm pack` would publish, installed and used in an empty folder.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'timbre-packed-'))
const installed = join(folder, 'node_modules/@timbre/sdk')
let names: string[]

beforeAll(() => {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: PACKAGE })
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  // Unpacking is all that installing a package without dependencies does, and needs no registry.
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1'])
  names = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const node = (file: string) => execFileSync(process.execPath, [join(folder, file)], { encoding: 'utf8', cwd: folder })

/** Type-checks programs that know nothing of this repository. */
function typeCheck(files: readonly string[], options: object): string {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2022',
    skipLibCheck: false,
    types: [],
    ...options,
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  try {
    return execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

const PROGRAM = `
import { type Document, type Event, Timbre, TimbreError, verify } from '@timbre/sdk'
import { createClient, documents, jobs } from '@timbre/sdk/core'
import { fileCheckpoint } from '@timbre/sdk/node'

const timbre = new Timbre({ key: 'sk_test_x', empresa: '76192083-9' })
export async function run(maybe: string | undefined): Promise<number> {
  const made: Document = await timbre.documents.createAndWait({ tipo_dte: 39, items: [{ description: 'Pan', quantity: 1, unit_price: 990 }] })
  for await (const document of timbre.documents.list({ status: 'accepted', external_id: maybe })) void document.folio
  const page = await timbre.events.list({ limit: 1 })
  page.data[0]?.created_at.slice(0)
  for await (const event of timbre.events.follow({ types: ['document.*'], checkpoint: fileCheckpoint('place') })) {
    const narrowed: Document = event.data.object
    void narrowed
  }
  const small = createClient({ key: 'sk_test_x' }, { documents, jobs })
  const stream: ReadableStream<Uint8Array> = (await small.documents.pdf(made.id)).stream
  void stream
  return made.totals.total
}
export async function hook(request: Request): Promise<Response> {
  try {
    const event: Event = await verify(await request.text(), request.headers, ['whsec_x'])
    if (event.type === 'folios.low') return new Response(String(event.data.object.tipo_dte))
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof TimbreError)) throw error
    if (error.code === 'signature_mismatch') return new Response(error.hint, { status: 400 })
    return new Response(error.curl, { status: 400 })
  }
}
`

const MISTAKES = `
import { Timbre, TimbreError } from '@timbre/sdk'
const timbre = new Timbre()
export async function wrong(error: TimbreError) {
  // @ts-expect-error a field that the contract does not have
  await timbre.documents.create({ tipo_dte: 39, items: [], colour: 'red' })
  // @ts-expect-error a tipo that is not issued
  await timbre.documents.create({ tipo_dte: 99, items: [] })
  // @ts-expect-error a read without its id
  await timbre.documents.get()
  // @ts-expect-error a code that no refusal carries
  if (error.code === 'receptor_incompleto') return
  // @ts-expect-error an event that does not exist
  for await (const event of timbre.events.follow({ types: ['document.acepted'] })) void event
}
`

describe('the package', () => {
  it('holds what runs, its types and a readme; no source, no map, no test, no path of a machine', () => {
    expect(names).toContain('README.md')
    expect(names).toContain('dist/index.js')
    expect(names.filter((name) => !/^(README\.md|package\.json|LICENSE|dist\/.*\.(js|d\.ts))$/.test(name))).toEqual([])
    expect(names.filter((name) => /\.test\.|\.map$/.test(name))).toEqual([])
    const texts = names.map((name) => readFileSync(join(installed, name), 'utf8'))
    expect(texts.filter((text) => text.includes('sourceMappingURL') || text.includes(ROOT))).toEqual([])
  })

  it('carries its licence, and no name of a source that a bundler could look for', () => {
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
    expect(readFileSync(join(ROOT, 'packages/cli/LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
    write('sourced.mjs', `for (const part of ['', '/core', '/node']) await import('@timbre/sdk' + part)`)
    execFileSync(process.execPath, ['--conditions=source', join(folder, 'sourced.mjs')], { cwd: folder })
  })

  it('depends on nothing, and says which version of Node it needs', () => {
    const { dependencies, peerDependencies, scripts, engines } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    )
    expect([dependencies, peerDependencies, scripts]).toEqual([undefined, undefined, undefined])
    expect(engines.node).toBe('>=20.20.0')
  })

  it('is imported by Node from a folder that has nothing else, by all its names', () => {
    write(
      'run.mjs',
      `import { Timbre, verify } from '@timbre/sdk'
      import { createClient } from '@timbre/sdk/core'
      import { fileCheckpoint } from '@timbre/sdk/node'
      const timbre = new Timbre({ key: 'sk_test_x' })
      console.log([typeof timbre.documents.create, typeof timbre.tax.f29.filings.get, verify, createClient, fileCheckpoint].map(String).map((x) => x.slice(0, 8)).join())`,
    )
    expect(node('run.mjs')).toBe('function,function,async fu,function,function\n')
  })

  it.each([
    ['Node', { lib: ['es2022'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')], module: 'nodenext' }],
    [
      'a bundler for browsers',
      { lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], module: 'esnext', moduleResolution: 'bundler' },
    ],
  ])('has types that hold in strict mode with those of %s, and refuse mistakes', (_, options) => {
    write('program.ts', PROGRAM)
    write('mistakes.ts', MISTAKES)
    expect(typeCheck(['program.ts', 'mistakes.ts'], options)).toBe('')
  })
})

describe('in a bundle', () => {
  const bundled = async (code: string) => {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: folder },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'silent',
      conditions: ['import'],
    })
    return outputFiles[0]?.text ?? ''
  }
  const size = (text: string) => gzipSync(text, { level: 9 }).length

  it('the core is under 12 kB, gzipped', async () => {
    const core = await bundled(`export { createClient } from '@timbre/sdk/core'`)
    const all = await bundled(`export * from '@timbre/sdk'`)
    expect(core).toContain('Svc-Empresa')
    expect(size(core)).toBeLessThan(12_000)
    expect(all).toContain('/tax/f29/filings')
  })

  it('only the resources that are named come along', async () => {
    const one = await bundled(
      `import { createClient, documents } from '@timbre/sdk/core'; console.log(createClient({}, { documents }))`,
    )
    expect(one).toContain('/documents/{document_id}/pdf')
    for (const other of ['/webhook_endpoints/{', '/tax/', '/empresas/{', 'webhook-signature'])
      expect(one).not.toContain(other)
    const hook = await bundled(`export { verify } from '@timbre/sdk/core'`)
    expect(hook).toContain('webhook-signature')
    expect(hook).not.toContain('/documents')
    expect(size(hook)).toBeLessThan(4_000)
  })

  it('needs nothing of Node, but for the files of @timbre/sdk/node', async () => {
    expect(await bundled(`export * from '@timbre/sdk'`)).not.toMatch(/["']node:/)
    await expect(bundled(`export * from '@timbre/sdk/node'`)).rejects.toThrow(/node:fs/)
  })
})
