import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../server/test/support/free-port.ts'

const PROGRAM = fileURLToPath(new URL('../../../server/bundle/main.js', import.meta.url))

export interface Server {
  readonly url: string
  /** Waits until it answers. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Takes its data away. */
  forget(): void
}

const answers = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** A server in a folder and on a port of its own, which can be stopped and started again. */
export async function openServer(): Promise<Server> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'timbre-cli-server-'))
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  const server: Server = {
    url,
    async start() {
      const env = { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error' }
      const started = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'ignore', 'inherit'] })
      child = started
      while (!(await answers(url))) {
        if (started.exitCode !== null) throw new Error('the server did not start; what it said is above')
        await sleep(100)
      }
    },
    async stop() {
      if (!child) return
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      child = null
    },
    forget: () => rmSync(folder, { recursive: true, force: true }),
  }
  await server.start()
  return server
}
