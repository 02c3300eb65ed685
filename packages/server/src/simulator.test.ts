import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openSimulator } from './simulator.ts'
import { type SimulatorExit, spawnSimulator, superviseSimulator } from './simulator-process.ts'

const PROGRAM = fileURLToPath(new URL('../../sii-simulator/dist/main.js', import.meta.url))

describe('a simulator that another program runs', () => {
  const config = { data_dir: '/nowhere', reception_smtp_port: null }
  const answers = new Map<string, string>()
  let is_away = false
  const server = createServer((request, response) => {
    const text = answers.get(request.url ?? '')
    response.writeHead(text === undefined ? 404 : 200).end(text)
  })
  // Its port is kept meanwhile, so that nobody else takes it.
  server.on('connection', (socket) => {
    if (is_away) socket.destroy()
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it('is waited for while nobody answers, and that is said once; what answers and is none is refused', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const sii_simulator_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await expect(openSimulator({ ...config, sii_simulator_url })).rejects.toThrow('No simulator of the SII answers')
    is_away = true
    server.closeAllConnections()
    answers.set('/control/addresses', JSON.stringify({ http: sii_simulator_url, https: 'https://127.0.0.1:1' }))
    answers.set('/control/caf-keys', '{}')
    answers.set('/control/ca.pem', 'PEM')
    const away: string[] = []
    const onAway = (url: string) => {
      away.push(url)
      setTimeout(() => {
        is_away = false
      }, 20)
    }
    const opened = await openSimulator({ ...config, sii_simulator_url }, { onAway, pause_ms: 5 })
    expect(opened).toMatchObject({ url: 'https://127.0.0.1:1', control_url: sii_simulator_url, ca: 'PEM' })
    expect(away).toEqual([sii_simulator_url])
  })
})

describe('the simulator beside the service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-simulator-'))
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
    rmSync(folder, { recursive: true, force: true })
  })

  it('comes back on its ports with what it held when it is killed, and stays away once the service stops', async () => {
    const exits: SimulatorExit[] = []
    let told: () => void = () => undefined
    const options = ['--data', folder]
    const simulator = await superviseSimulator({
      spawn: spawnSimulator(PROGRAM, options),
      first_wait_ms: 100,
      onExit(exit) {
        exits.push(exit)
        told()
      },
    })
    if (!simulator) throw new Error('the simulator did not start')
    ends.push(() => simulator.close())
    const headers = { 'Content-Type': 'application/json', connection: 'close' }
    const ask = (path: string, init: RequestInit = {}) => fetch(`${simulator.http}${path}`, { ...init, headers })
    const untilItAnswers = async () => {
      for (;;) {
        const answer = await ask('/control/taxpayers').catch(() => null)
        if (answer?.ok) return answer.json() as Promise<{ data: { name: string }[] }>
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    const taxpayer = { rut: '76543210-3', name: 'Comercial Ñandú' }
    await ask('/control/taxpayers', { method: 'POST', body: JSON.stringify(taxpayer) })

    for (const death of [1, 2]) {
      const pid = simulator.pid() as number
      const gone = new Promise<void>((resolve) => {
        told = resolve
      })
      process.kill(pid, 'SIGKILL')
      await gone
      await expect(ask('/control/taxpayers')).rejects.toThrow('fetch failed')
      expect(await untilItAnswers()).toMatchObject({ data: [{ name: taxpayer.name }] })
      expect(simulator.pid()).not.toBe(pid)
      // Each time it waits twice as long.
      expect(exits.at(-1)).toEqual({ pid, code: null, signal: 'SIGKILL', wait_ms: 100 * death })
    }

    await simulator.close()
    expect(exits).toHaveLength(2)
    await expect(ask('/control/taxpayers')).rejects.toThrow('fetch failed')
  })

  it('is said not to start where it cannot', async () => {
    const spawn = spawnSimulator(PROGRAM, ['--trust', '/nowhere.pem', '--memory'])
    expect(await superviseSimulator({ spawn, onExit: () => undefined })).toBeNull()
  })
})
