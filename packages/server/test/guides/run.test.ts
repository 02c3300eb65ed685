import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSigningSecret, signatureHeaders, signingKey } from '../../src/domain/platform/webhook/signing.ts'
import { blocksOf, readGuide } from '../support/guide-blocks.ts'
import { IN_FULL } from '../support/in-full.ts'
import { type Issuer, openIssuer } from '../support/issuer.ts'
import { openWorld, type World } from '../support/world.ts'

const run = promisify(execFile)
const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url))
/** Where a program finds `@timbre/sdk`, and nothing is kept. */
const PROGRAMS = fileURLToPath(new URL('../../dist/.programs/', import.meta.url))
const names = readdirSync(new URL('../../../../docs/guides/', import.meta.url))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -3))

const folder = mkdtempSync(join(tmpdir(), 'timbre-guides-'))
let world: World
let url: string
beforeAll(async () => {
  world = await openWorld()
  url = await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  mkdirSync(PROGRAMS, { recursive: true })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a reader has set before the first line. */
function settingsOf({ key, rut, empresa_id }: Issuer) {
  return {
    ...process.env,
    TIMBRE: `${url}/v1`,
    KEY: key,
    RUT: rut,
    EMPRESA: empresa_id,
    TIMBRE_URL: url,
    TIMBRE_KEY: key,
    TIMBRE_EMPRESA: rut,
  }
}

const runnable = (name: string, language: string) =>
  blocksOf(readGuide(name)).filter((block) => block.language === language && block.marks.includes('run'))
// The commands of the first hour need the packed packages: they are run where those are packed.
const withCode = (language: string) =>
  names.filter((name) => name !== 'first-hour' && runnable(name, language).length > 0)

describe.runIf(IN_FULL)('the code of a guide that is marked to run', () => {
  it.each(withCode('js'))('in %s goes through as one program', async (name) => {
    const file = join(PROGRAMS, `guide-${name}-${process.pid}.mjs`)
    writeFileSync(
      file,
      runnable(name, 'js')
        .map(({ code }) => code)
        .join('\n'),
    )
    const { stdout } = await run(process.execPath, [file], { env: settingsOf(await openIssuer(world)), cwd: folder })
    rmSync(file)
    expect(stdout).not.toBe('')
  })

  it.each(withCode('bash'))('in %s goes through as one script, in which any refusal ends it', async (name) => {
    const strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'
    const script =
      strict +
      runnable(name, 'bash')
        .map(({ code }) => code)
        .join('\n')
    await run('bash', ['-c', script], { env: settingsOf(await openIssuer(world)), cwd: folder })
  })
})

const hasPython = spawnSync('python3', ['--version']).status === 0

describe.runIf(IN_FULL)('examples/pos', () => {
  it('issues each sale once and prints it; what there was no network for waits, and goes when there is', async () => {
    const env = { ...settingsOf(await openIssuer(world)), POS_FOLDER: join(folder, 'pos') }
    const sell = async (lines: string, more: Record<string, string> = {}) => {
      const till = spawn(process.execPath, [join(EXAMPLES, 'pos/pos.mjs')], { env: { ...env, ...more } })
      till.stdin.end(lines)
      let said = ''
      till.stdout.on('data', (chunk) => {
        said += chunk
      })
      await once(till, 'exit')
      return said
    }
    expect(await sell('2 x Café @ 1990, Medialuna @ 1200\nrubbish\n')).toBe('accepted boleta 1 $5180\n')
    expect(await sell('Té @ 900\n', { TIMBRE_URL: 'http://127.0.0.1:9' })).toContain('1 en espera')
    expect(await sell('')).toBe('accepted boleta 2 $900\n')
    expect(readdirSync(join(folder, 'pos/queue'))).toEqual(['refused'])
    const printed = readdirSync(join(folder, 'pos/printed'))
    expect(printed).toHaveLength(2)
    for (const name of printed) expect(readFileSync(join(folder, 'pos/printed', name), 'latin1')).toMatch(/^%PDF-/)
  })

  it('sets a sale that is refused for good aside with its reason, and goes on with the next', async () => {
    const env = { ...settingsOf(await openIssuer(world)), POS_FOLDER: join(folder, 'refusing') }
    const queue = join(folder, 'refusing/queue')
    mkdirSync(queue, { recursive: true })
    const items = [{ description: 'Pan', quantity: 1, unit_price: 500 }]
    writeFileSync(join(queue, 'a.json'), JSON.stringify({ tipo_dte: 38, external_id: 'a', items }))
    writeFileSync(join(queue, 'b.json'), JSON.stringify({ tipo_dte: 39, external_id: 'b', items }))
    const till = spawn(process.execPath, [join(EXAMPLES, 'pos/pos.mjs')], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await once(till, 'exit')
    expect(JSON.parse(readFileSync(join(queue, 'refused/a.json'), 'utf8')).code).toBe('invalid_field')
    expect(readdirSync(queue)).toEqual(['refused'])
    expect(existsSync(join(folder, 'refusing/printed/b.pdf'))).toBe(true)
  })
})

describe.runIf(IN_FULL)('examples/erp-sync', () => {
  it('books what two empresas issued and received, each apart, and begins the next run where this one ended', async () => {
    const first = await openIssuer(world)
    const second = await openIssuer(world, { account: first.account })
    const boleta = { tipo_dte: 39, items: [{ description: 'Café', quantity: 1, unit_price: 1990 }] }
    for (const one of [first, second]) expect((await one.create(boleta)).status).toBe(201)
    const received = await second.post('/v1/test_helpers/received_documents', {})
    const books = join(folder, 'erp')
    const env = { ...settingsOf(first), ERP_FOLDER: books }
    const sync = async () =>
      (await run(process.execPath, [join(EXAMPLES, 'erp-sync/sync.mjs'), '--once'], { env })).stdout
    expect(await sync()).toContain(`${second.rut} received_document.created`)
    const book = (rut: string, name: string) => JSON.parse(readFileSync(join(books, rut, `${name}.json`), 'utf8'))
    for (const { rut } of [first, second])
      expect(Object.values(book(rut, 'sales'))).toMatchObject([{ tipo_dte: 39, total: 1990 }])
    expect(book(second.rut, 'purchases')[received.body.id]).toMatchObject({ status: 'pending', total: 11_900 })
    expect(readFileSync(join(books, second.rut, `${received.body.id}.xml`), 'latin1')).toContain('<DTE')
    expect(await sync()).not.toContain('received_document.created')
  })
})

describe.runIf(IN_FULL)('examples/webhooks-express', () => {
  it('takes our deliveries, and 400 with a reason for everything else', async () => {
    const secret = newSigningSecret()
    const env = { ...process.env, PORT: '0', WEBHOOK_SECRET: secret }
    const receiver = spawn(process.execPath, [join(EXAMPLES, 'webhooks-express/server.mjs')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [line] = await once(createInterface(receiver.stdout), 'line')
      const body = JSON.stringify({ id: 'evt_1', type: 'ping', data: { object: {} } })
      const seconds = Math.floor(Date.now() / 1000)
      const genuine = signatureHeaders({ event_id: 'evt_1', body, keys: [signingKey(secret)], seconds })
      const post = async (headers: Record<string, string>, sent = body) =>
        (await fetch(`http://127.0.0.1:${/\d+$/.exec(line)}/webhooks`, { method: 'POST', headers, body: sent })).status
      const headers = Object.fromEntries(Object.entries(genuine).map(([name, value]) => [name, String(value)]))
      expect(await post(headers)).toBe(204)
      expect(await post({})).toBe(400)
      expect(await post({ 'Svc-Signature': `t=${seconds},v1=${'z'.repeat(64)}` })).toBe(400)
      expect(await post(headers, `${body} `)).toBe(400)
      expect(await post(headers)).toBe(204)
    } finally {
      receiver.kill()
    }
  })
})

describe.runIf(IN_FULL)('examples/python', () => {
  it('issues a boleta and saves its PDF', async (test) => {
    if (!hasPython) {
      console.warn('skipped: there is no python3 to run examples/python with')
      return test.skip()
    }
    const cwd = mkdtempSync(join(folder, 'python-'))
    const env = { ...settingsOf(await openIssuer(world)), PYTHONDONTWRITEBYTECODE: '1' }
    const { stdout } = await run('python3', [join(EXAMPLES, 'python/issue.py')], { env, cwd })
    expect(stdout).toBe('accepted boleta 1 total 3980\n')
    expect(readFileSync(join(cwd, 'boleta.pdf'), 'latin1')).toMatch(/^%PDF-/)
  })
})
