import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { AGENT, uploadForm } from './support/paper.ts'
import { callsOf, inside } from './support/world.ts'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

describe('the process', () => {
  const data = mkdtempSync(join(tmpdir(), 'simulator-kill-'))
  const children: ChildProcess[] = []
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  })

  async function start() {
    const child = spawn(process.execPath, [MAIN, '--port', '0', '--https-port', '0', '--data', data, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    return { child, addresses: JSON.parse(String(line)) as { http: string; https: string } }
  }

  async function end(child: ChildProcess, signal: NodeJS.Signals) {
    const exited = once(child, 'exit')
    child.kill(signal)
    return exited
  }

  it('has all that it answered for after kill -9, and ends by itself when asked', async () => {
    const first = await start()
    expect(first.addresses.https).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const before = callsOf(first.addresses.http)
    const authority = (await before.get('/control/ca.pem')).text
    await before.control('POST', '/control/taxpayers', { rut: '76543210-3', name: 'Comercial Ñandú' })
    await before.control('POST', '/control/clock', { advance_seconds: 86_400 })
    await before.control('POST', '/control/settings', { verdict_delay_ms: 60_000 })
    const private_key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const made = await before.control<{ certificate_pem: string }>('POST', '/control/certificates', {
      rut: '12345678-5',
      password: 'clave',
      private_key: private_key.export({ type: 'pkcs8', format: 'pem' }),
    })
    const person = { rut: '12345678-5', key: private_key, certificate: made.certificate_pem, pfx: Buffer.alloc(0) }
    const token = await before.token('dte', 'certificacion', person)
    const headers = { Cookie: `TOKEN=${token}`, 'User-Agent': AGENT }
    const file = Buffer.from(`<EnvioDTE version="1.0">${' '.repeat(60)}</EnvioDTE>`)
    const upload = (calls: typeof before) =>
      calls.post('/maullin.sii.cl/cgi_dte/UPL/DTEUpload', uploadForm(file), headers)
    const track = inside((await upload(before)).text, 'TRACKID')
    await before.control('POST', '/control/scripts', { door: 'seed', kind: 'html', times: 3 })
    expect(await before.soap('/maullin.sii.cl/DTEWS/CrSeed.jws', 'getSeed')).toContain('<HTML>')
    await end(first.child, 'SIGKILL')

    const second = await start()
    const after = callsOf(second.addresses.http)
    expect((await after.get('/control/ca.pem')).text).toBe(authority)
    expect(await after.control('GET', '/control/taxpayers')).toMatchObject({ data: [{ name: 'Comercial Ñandú' }] })
    expect(await after.control('GET', '/control/scripts')).toMatchObject({ data: [{ kind: 'html', times: 2 }] })
    // The token is still good, the file known, and its verdict, due after the end, comes.
    expect((await upload(after)).text).toContain(`ya fue enviado 1 veces con Trackid ${track}`)
    await after.control('POST', '/control/clock', { advance_seconds: 60 })
    const status = ['76543210', '3', track, token]
    expect(inside(await after.soap('/maullin.sii.cl/DTEWS/QueryEstUp.jws', 'getEstUp', status), 'ESTADO')).toBe('RSC')
    const { offset_seconds } = await after.control<{ offset_seconds: number }>('GET', '/control/clock')
    expect(Math.round(offset_seconds)).toBe(86_460) // the machine's clock goes on while it is read
    expect(await end(second.child, 'SIGTERM')).toEqual([0, null])
  })
})
