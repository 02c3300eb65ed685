// A real Redis on loopback that can be killed and come back.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'

/** Whether a real Redis or Valkey can be started here. Tests that need one are skipped aloud where it cannot. */
export const REDIS = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)

export interface RedisServer {
  readonly url: string
  readonly pid: number
  kill(): Promise<void>
  /** Another one at the same address, empty. */
  restart(): Promise<void>
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.ping()
      return
    } catch (error) {
      if (tries > 100) throw error
      await sleep(50)
    } finally {
      client.disconnect()
    }
  }
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  let child: ChildProcess
  const start = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
    child = spawn(REDIS ?? 'redis-server', args, { stdio: 'ignore' })
    await answers(port)
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    restart: start,
  }
}
