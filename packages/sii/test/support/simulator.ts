import { spawn } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openCertificate } from '@timbre/dte'
import type { Identity } from '../../src/index.ts'
import { personKey } from './person-key.ts'

const PROGRAM = fileURLToPath(new URL('../../../sii-simulator/dist/main.js', import.meta.url))

export interface SimulatorProcess {
  readonly http: string
  readonly https: string
  readonly ca: string
  person(rut: string, password: string): Promise<{ readonly identity: Identity; readonly pfx: Buffer }>
  close(): Promise<void>
}

/** The simulator as another process, which shares no code with us. */
export async function startSimulator(): Promise<SimulatorProcess> {
  const options = ['--memory', '--port', '0', '--https-port', '0', '--json', '--with-parent']
  const child = spawn(process.execPath, [PROGRAM, ...options], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })
  const line = await new Promise<string>((resolve) => lines.once('line', resolve))
  const { http, https } = JSON.parse(line) as { http: string; https: string }
  return {
    http,
    https,
    ca: await (await fetch(`${http}/control/ca.pem`)).text(),
    async person(rut, password) {
      // Ours: the simulator would make a new one for each.
      const private_key = personKey().export({ type: 'pkcs8', format: 'pem' })
      const body = JSON.stringify({ rut, password, name: 'Ana Soto Reyes', private_key })
      const headers = { 'Content-Type': 'application/json' }
      const issued = await fetch(`${http}/control/certificates`, { method: 'POST', headers, body })
      const { pfx: file } = (await issued.json()) as { pfx: string }
      const pfx = Buffer.from(file, 'base64')
      const opened = openCertificate(pfx, password, new Date())
      if (!opened.ok) throw new Error(opened.refusal.message)
      const { signer, key, certificate } = opened.value
      const fingerprint = createHash('sha256').update(certificate).digest('hex')
      const cert = new X509Certificate(certificate).toString()
      return { pfx, identity: { rut, fingerprint, signer, tls: { cert, key } } }
    },
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
