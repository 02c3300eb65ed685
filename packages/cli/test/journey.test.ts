import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { IN_FULL } from './support/in-full.ts'
import { preload } from './support/preload.ts'
import { type Ended, openHome } from './support/timbre.ts'

const url = inject('timbreUrl')
const home = openHome({ TIMBRE_URL: url })
afterAll(() => home.close())

const email = `journey-${Date.now()}@example.cl`
const TIMBRE_PASSWORD = 'una clave bien larga 73'
const config = join(home.folder, 'config/timbre/config.json')
const profiles = () => JSON.parse(readFileSync(config, 'utf8')).profiles
let made: Ended
let key = ''

beforeAll(async () => {
  const init = ['init', '--email', email, '--name', 'Panadería Ñandú SpA']
  made = await home.start(init, { env: { TIMBRE_PASSWORD } }).ended
  key = profiles().default.key
})

describe('init', () => {
  it('makes an account, a key and an empresa in one step, and keeps the key where nobody else reads it', () => {
    expect(made).toMatchObject({ code: 0 })
    expect(key).toMatch(/^sk_test_/)
    expect(made.stdout + made.stderr).not.toContain(key)
    expect(made.stdout).toContain(`${config} (0600)`)
    expect(statSync(config).mode & 0o777).toBe(0o600)
    expect(profiles().default).toMatchObject({ url, empresa: expect.stringMatching(/^\d+-[\dK]$/) })
  })

  it('does not overwrite a profile that has a key', async () => {
    const again = await home.run(['init', '--email', email], { env: { TIMBRE_PASSWORD } })
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('timbre logout') })
  })

  it('closes a file that others could read, and says so', async () => {
    const { chmodSync } = await import('node:fs')
    chmodSync(config, 0o644)
    expect((await home.run(['api', 'GET', '/account'])).stderr).toContain('it is 0600 now')
    expect(statSync(config).mode & 0o777).toBe(0o600)
  })
})

describe('login', () => {
  const as = (profile: string) => ['--profile', profile]

  it('with a password makes a key for this machine; logout forgets it', async () => {
    const { code, stdout } = await home.run(['login', '--email', email, ...as('work')], { env: { TIMBRE_PASSWORD } })
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('test mode') })
    expect(profiles().work.key).toMatch(/^sk_test_/)
    expect(profiles().work.key).not.toBe(key)
    expect(profiles().work.empresa).toBe(profiles().default.empresa)
    expect(await home.run(['logout', ...as('work')])).toMatchObject({ code: 0 })
    expect(profiles().work).toBeUndefined()
  })

  it('refuses a wrong password with 5', async () => {
    const wrong = await home.run(['login', '--email', email, ...as('x')], { env: { TIMBRE_PASSWORD: 'otra clave 11' } })
    expect(wrong).toMatchObject({ code: 5, stdout: '' })
    expect(wrong.stderr).toContain('/recuperar')
  })

  it('keeps a key that is given in the environment', async () => {
    expect(await home.run(['login', ...as('given')], { env: { TIMBRE_KEY: key } })).toMatchObject({ code: 0 })
    expect(profiles().given.key).toBe(key)
  })

  it('asks on a page of its own with --browser, which strangers cannot post to', async () => {
    const running = home.start(['login', '--browser', ...as('page')])
    const page = await expect
      .poll(() => /Log in at (\S+)/.exec(running.said().stderr)?.[1], { message: 'its address' })
      .toBeTruthy()
      .then(() => /Log in at (\S+)/.exec(running.said().stderr)?.[1] ?? '')
    expect(await (await fetch(page)).text()).toContain('type="password"')
    const post = (password: string, headers: Record<string, string> = {}) =>
      fetch(page, { method: 'POST', headers, body: new URLSearchParams({ email, password }) })
    expect((await post(TIMBRE_PASSWORD, { Origin: 'https://evil.example' })).status).toBe(404)
    expect((await fetch(new URL('/', page))).status).toBe(404)
    expect((await post('otra clave 12')).status).toBe(400)
    expect(await (await post(TIMBRE_PASSWORD)).text()).toContain('volver a tu terminal')
    expect(await running.ended).toMatchObject({ code: 0 })
    expect(profiles().page.key).toMatch(/^sk_test_/)
  })
})

describe.runIf(IN_FULL)('a keychain', () => {
  it('takes the key where there is one, by stdin and never by an argument', async () => {
    const { mkdirSync, writeFileSync } = await import('node:fs')
    const bin = join(home.folder, 'bin')
    mkdirSync(bin)
    const log = join(bin, 'arguments')
    const kept = join(bin, 'kept')
    const program = `#!/bin/sh\necho "$@" >> ${log}\ncase "$1" in store) cat > ${kept} ;; lookup) cat ${kept} ;; esac\n`
    writeFileSync(join(bin, 'secret-tool'), program, { mode: 0o755 })
    const env = { PATH: `${bin}:${process.env.PATH}`, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
    const stored = await home.run(['login', '--profile', 'ring'], { env: { ...env, TIMBRE_KEY: key } })
    expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining('keyring of this desktop') })
    expect(profiles().ring).toMatchObject({ key_in: 'keychain' })
    expect(readFileSync(config, 'utf8').split(key)).toHaveLength(profiles().given ? 3 : 2)
    expect(readFileSync(kept, 'utf8')).toBe(key)
    expect(readFileSync(log, 'utf8')).not.toContain(key)
    expect(await home.run(['api', 'GET', '/account', '--profile', 'ring'], { env })).toMatchObject({ code: 0 })
  })
})

describe('documents', () => {
  let id = ''

  it('create issues from items and waits for the SII; get shows it', async () => {
    const document = await home.json(['documents', 'create', '--item', '2 x Café @ 1990', '--item', 'Medialuna @ 990'])
    expect(document).toMatchObject({ status: 'accepted', tipo_dte: 39, totals: { total: 4970 } })
    id = String(document.id)
    const { stdout } = await home.run(['documents', 'get', id])
    expect(stdout).toContain('accepted')
    expect(stdout).toContain('$4.970')
  })

  it('pdf writes the page, and open a copy of it', async () => {
    expect(await home.run(['documents', 'pdf', id, '-o', 'boleta.pdf'])).toMatchObject({ code: 0 })
    expect(readFileSync(join(home.folder, 'boleta.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
    const opened = await home.json<{ file: string }>(['documents', 'open', id])
    expect(existsSync(opened.file)).toBe(true)
  })

  it('create reads a body from stdin, and under one key issues once', async () => {
    const input = JSON.stringify({ tipo_dte: 39, items: [{ description: 'Té', quantity: 1, unit_price: 990 }] })
    const create = ['documents', 'create', '--file', '-', '--no-wait', '--idempotency-key', 'one-tea']
    const first = await home.json(create, { input })
    const { code, stdout } = await home.start([...create, '--json'], { input }).ended
    expect({ code, id: JSON.parse(stdout).id }).toEqual({ code: 0, id: first.id })
  })

  it.each([
    [['documents', 'get', 'doc_nothing'], 4, 'document_not_found'],
    [['documents', 'create', '--tipo', '7', '--item', 'Café @ 990'], 3, 'tipo_dte'],
    [['documents', 'create', '--item', 'Café'], 2, 'is no item'],
    [['documents', 'create'], 2, 'either --file or'],
  ])('%s ends with %i', async (args, code, said) => {
    expect(await home.run(args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) })
  })
})

describe('api', () => {
  it('calls anything, with Svc-Empresa where it belongs', async () => {
    expect(await home.json(['api', 'GET', '/account'])).toMatchObject({ object: 'account', email })
    expect(await home.json(['api', 'GET', '/v1/folios'])).toMatchObject({ object: 'list' })
    const body = JSON.stringify({ rut: '76192083-9', legal_name: 'Otra SpA' })
    expect(await home.json(['api', 'POST', '/empresas', '-d', body])).toMatchObject({ rut: '76192083-9' })
  })

  it('says where to put a file', async () => {
    const { data } = await home.json<{ data: { id: string }[] }>(['api', 'GET', '/documents?limit=1'])
    const path = `/documents/${data[0]?.id}/pdf`
    expect(await home.run(['api', 'GET', path])).toMatchObject({ code: 2, stderr: expect.stringContaining('--output') })
    expect(await home.run(['api', 'GET', path, '-o', 'x.pdf'])).toMatchObject({ code: 0 })
  })
})

describe('the sandbox', () => {
  it('clock advance lets time pass for the empresa alone, and reset returns', async () => {
    const moved = await home.json<{ now: string; empresa: string }>(['clock', 'advance', 'P40D'])
    expect(Date.parse(moved.now) - Date.now()).toBeGreaterThan(39 * 86_400_000)
    expect(moved.empresa).toBe(profiles().default.empresa)
    expect(await home.json(['clock', 'advance', 'reset'])).toMatchObject({ frozen: false })
    expect(await home.run(['clock', 'advance', 'soon'])).toMatchObject({ code: 2 })
  })

  it('logs and events tail tell of a delivery', async () => {
    const endpoint = JSON.stringify({ url: 'http://127.0.0.1:9/nobody', enabled_events: ['ping'] })
    const { id } = await home.json(['api', 'POST', '/webhook_endpoints', '-d', endpoint])
    await home.run(['api', 'POST', `/webhook_endpoints/${id}/ping`])
    const printed = async (...args: string[]) => (await home.run(args)).stdout
    await expect.poll(() => printed('logs')).toContain('http://127.0.0.1:9/nobody')
    await expect.poll(() => printed('events', 'tail', '--once', '--last', '3', '--events', 'ping')).toContain('ping')
    expect(await home.run(['logs', '--audit'])).toMatchObject({ code: 5 })
    await home.run(['api', 'DELETE', `/webhook_endpoints/${id}`])
  })
})

describe.runIf(IN_FULL)('what goes wrong ends in a sentence that says what to do', () => {
  it.each([
    ['no key at all', { TIMBRE_PROFILE: 'nobody' }, 5, 'timbre init'],
    ['a wrong key', { TIMBRE_KEY: 'sk_test_wrong' }, 5, 'timbre login'],
    ['something that is no key', { TIMBRE_KEY: 'whsec_x' }, 5, 'sk_test_ or sk_live_'],
    ['a server that is away', { TIMBRE_URL: 'http://127.0.0.1:9' }, 6, 'Is the server running'],
    ['an address that is none', { TIMBRE_URL: 'localhost:3000' }, 2, 'neither http nor https'],
    ['an empresa of others', { TIMBRE_EMPRESA: '76543210-3' }, 4, 'empresa'],
  ])('%s', async (_what, env, code, said) => {
    const ended = await home.run(['documents', 'create', '--item', 'Café @ 990'], { env })
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) })
  })

  it('a key of the other mode, where only the sandbox can', async () => {
    const env = { TIMBRE_KEY: 'sk_live_something' }
    for (const args of [
      ['clock', 'advance', 'P1D'],
      ['seed', 'year'],
      ['trigger', 'ping'],
    ]) {
      expect(await home.run(args, { env })).toMatchObject({ code: 5, stderr: expect.stringContaining('live mode') })
    }
  })

  it('a page of somebody else in between', async () => {
    const portal = createServer((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>WiFi</h1>'),
    )
    await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve))
    const TIMBRE_URL = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`
    const ended = await home.run(['documents', 'get', 'doc_1'], { env: { TIMBRE_URL } })
    expect(ended).toMatchObject({ code: 6, stderr: expect.stringContaining('login page') })
    portal.close()
  })
})

describe.runIf(IN_FULL)('doctor', () => {
  interface Health {
    healthy: boolean
    findings: { check: string; state: string; says: string; remedy?: string }[]
  }
  const diagnose = async (env: Record<string, string> = {}): Promise<Health & { code: number | null }> => {
    const { code, stdout } = await home.run(['doctor', '--json'], { env })
    return { code, ...JSON.parse(stdout) }
  }

  it('finds nothing where all is well', async () => {
    const { code, healthy, findings } = await diagnose()
    expect({ code, healthy, bad: findings.filter(({ state }) => state !== 'ok') }).toEqual({
      code: 0,
      healthy: true,
      bad: [],
    })
    const checks = ['server', 'headers', 'clock', 'key', 'empresa', 'webhooks', 'certificate', 'folios', 'disk']
    expect(findings.map(({ check }) => check)).toEqual(checks)
  })

  it.each([
    ['a clock that is ten minutes off', preload('moved-clock', { CLOCK_OFF_MS: '600000' }), 'clock', 'NTP'],
    ['a wrong key', { TIMBRE_KEY: 'sk_test_wrong' }, 'key', 'timbre login'],
    ['an empresa of others', { TIMBRE_EMPRESA: '76543210-3' }, 'empresa', 'lists those'],
    ['a server that is away', { TIMBRE_URL: 'http://127.0.0.1:9' }, 'server', 'npm start'],
    ['a folder that is none', { XDG_STATE_HOME: '/dev/null/x' }, 'disk', '--checkpoint'],
  ])('finds %s, with its remedy', async (_what, env, check, remedy) => {
    const { code, findings } = await diagnose(env)
    expect(code).toBe(7)
    const found = { state: 'problem', remedy: expect.stringContaining(remedy) }
    expect(findings.filter((finding) => finding.check === check)).toMatchObject([found])
  })

  it('finds a proxy that takes headers away', async () => {
    const proxy = createServer(async (request, response) => {
      const answer = await fetch(`${url}${request.url}`, {
        headers: { Authorization: request.headers.authorization ?? '' },
      })
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { findings } = await diagnose({ TIMBRE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` })
    expect(findings.find(({ check }) => check === 'headers')).toMatchObject({ state: 'problem' })
    proxy.closeAllConnections()
    proxy.close()
  })

  it('finds an endpoint that was disabled, and says how to enable it', async () => {
    expect(await home.run(['trigger', 'empresa.created'])).toMatchObject({ code: 0 })
    const made = await home.json(['api', 'POST', '/webhook_endpoints', '-d', '{"url":"http://127.0.0.1:9/x"}'])
    await home.run(['api', 'PATCH', `/webhook_endpoints/${made.id}`, '-d', '{"status":"disabled"}'])
    const { code, findings } = await diagnose()
    expect(code).toBe(7)
    expect(findings.find(({ check }) => check === 'webhooks')?.remedy).toContain(`/webhook_endpoints/${made.id}`)
    await home.run(['api', 'DELETE', `/webhook_endpoints/${made.id}`])
  })
})
