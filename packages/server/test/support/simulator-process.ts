// The simulator of the SII as another process, and its control.

import { type ChildProcess, spawn } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { SiiKeys } from '@timbre/dte'

const PROGRAM = fileURLToPath(new URL('../../../sii-simulator/dist/main.js', import.meta.url))

/** What the simulator holds of a document, as far as tests look. */
export interface HeldDocument {
  readonly emisor: string
  readonly tipo: number
  readonly folio: number
  readonly monto: number
  readonly outcome: string
  readonly track_id: string
}

export interface HeldUpload {
  readonly track_id: string
  readonly company_rut: string
  readonly kind: string
  readonly received_at: number
  readonly verdict: { readonly estado: string } | null
}

export interface SimulatorProcess {
  /** Over TLS, as the SII. */
  readonly url: string
  readonly ca: string
  readonly caf_keys: SiiKeys
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<any>
  /** Has it misbehave: see its README for the kinds. Once, unless told otherwise. */
  script(script: { door: string; kind: string } & Readonly<Record<string, unknown>>): Promise<void>
  clearScripts(): Promise<void>
  documentsOf(rut: string): Promise<HeldDocument[]>
  /** Oldest first. */
  uploadsOf(rut: string): Promise<HeldUpload[]>
  /** How many calls each of its doors had. */
  callsByDoor(): Promise<Readonly<Record<string, number>>>
  /** Without a word, as a machine dies. */
  kill(): Promise<void>
  /** Starts it again at the same addresses, on its data. Only one with a folder remembers anything. */
  restart(): Promise<void>
  close(): Promise<void>
}

interface Started {
  readonly http: string
  readonly https: string
  readonly child: ChildProcess
  readonly ended: Promise<void>
}

async function start(folder: string | null, ports: readonly [http: string, https: string]): Promise<Started> {
  const place = folder === null ? ['--memory'] : ['--data', folder]
  const options = ['--port', ports[0], '--https-port', ports[1], ...place, '--json', '--with-parent']
  const child = spawn(process.execPath, [PROGRAM, ...options], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })
  const line = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    ended.then(() => null),
  ])
  if (line === null) throw new Error('the simulator did not start')
  return { ...(JSON.parse(line) as { http: string; https: string }), child, ended }
}

/** One for a whole file: it starts in a second. With a folder its state outlives it. */
export async function openSimulatorProcess(folder: string | null = null): Promise<SimulatorProcess> {
  let { http, https, child, ended } = await start(folder, ['0', '0'])
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  const control: SimulatorProcess['control'] = async (method, path, body) => {
    const answer = await fetch(`${http}${path}`, {
      method,
      // A connection that idled for a while is cut by the other side, and the next call over it would fail.
      headers: { connection: 'close', ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
    return (answer.headers.get('content-type') ?? '').includes('json') ? JSON.parse(text) : text
  }
  const keys = (await control('GET', '/control/caf-keys')) as Readonly<Record<string, string>>
  const latest = async (what: string) => (await control('GET', `/control/${what}?limit=1000`)).data
  return {
    url: https,
    ca: await control('GET', '/control/ca.pem'),
    caf_keys: Object.fromEntries(Object.entries(keys).map(([id, pem]) => [id, createPublicKey(pem)])),
    control,
    script: (script) => control('POST', '/control/scripts', { times: 1, ...script }),
    clearScripts: () => control('DELETE', '/control/scripts'),
    documentsOf: async (rut) => (await latest('documents')).filter(({ emisor }: HeldDocument) => emisor === rut),
    uploadsOf: async (rut) =>
      (await latest('uploads'))
        .filter(({ company_rut }: HeldUpload) => company_rut === rut)
        .sort((a: HeldUpload, b: HeldUpload) => a.received_at - b.received_at),
    callsByDoor: async () => (await control('GET', '/control/calls')).counts,
    kill: () => end('SIGKILL'),
    async restart() {
      await end('SIGKILL')
      const again = await start(folder, [new URL(http).port, new URL(https).port])
      ;({ child, ended } = again)
    },
    close: () => end('SIGTERM'),
  }
}
