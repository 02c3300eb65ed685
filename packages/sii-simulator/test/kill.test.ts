import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { callsOf } from './support/world.ts'

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
    await before.control('POST', '/control/scripts', { door: 'seed', kind: 'html', times: 3 })
    expect(await before.soap('/maullin.sii.cl/DTEWS/CrSeed.jws', 'getSeed')).toContain('<HTML>')
    await end(first.child, 'SIGKILL')

    const second = await start()
    const after = callsOf(second.addresses.http)
    expect((await after.get('/control/ca.pem')).text).toBe(authority)
    expect(await after.control('GET', '/control/taxpayers')).toMatchObject({ data: [{ name: 'Comercial Ñandú' }] })
    expect(await after.control('GET', '/control/scripts')).toMatchObject({ data: [{ kind: 'html', times: 2 }] })
    const { offset_seconds } = await after.control<{ offset_seconds: number }>('GET', '/control/clock')
    expect(offset_seconds).toBe(86_400)
    expect(await end(second.child, 'SIGTERM')).toEqual([0, null])
  })
})
