// Data folders of the embedded PostgreSQL, and processes that own one and are killed.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/adapters/postgres/embedded.ts'
import { processesIn, signal } from '../../src/adapters/postgres/process-table.ts'
import { compileProgram } from './program.ts'

/** What Node runs as the owner of a data folder, which is its argument. */
export const OWNER = await compileProgram(new URL('postgres-process.ts', import.meta.url))

export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-pg-'))
  await chmod(folder, 0o755)
  onTestFinished(async () => {
    for (const pid of processesIn(join(folder, 'postgres'))) signal(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

let prepared: Promise<string> | null = null

async function prepareFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-pg-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startEmbeddedPostgres({ dataDir: folder, durable: false })
  await postgres.stop()
  return folder
}

/** A folder whose database was made before, for tests that are not about a first start: copying one is quicker. */
export async function folderWithDatabase(): Promise<string> {
  prepared ??= prepareFolder()
  const folder = await freshFolder()
  // A thousand files: the system copies them in a tenth of the time that Node takes.
  await promisify(execFile)('cp', ['-a', join(await prepared, 'postgres'), folder])
  return folder
}

// Spares the disk; a test that kills the server and counts what it acknowledged asks for `durable`.
export async function start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}) {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, ...options })
  onTestFinished(() => postgres.stop())
  return postgres
}

type Said = Pick<EmbeddedPostgres, 'url' | 'adopted'> | { name: string; message: string }

export async function startOwner(dataDir: string, identity = {}): Promise<{ process: ChildProcess; said: Said }> {
  await mkdir(dataDir, { recursive: true })
  const owner = spawn(process.execPath, [OWNER, dataDir], { ...identity, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void owner.kill('SIGKILL'))
  const [line] = (await once(owner.stdout, 'data')) as [Buffer]
  return { process: owner, said: JSON.parse(line.toString()) as Said }
}

export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
}

export async function query({ url }: { url: string }, text: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  client.on('error', () => undefined) // the server is killed on purpose
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

export async function queryOnceUp(postgres: { url: string }, text: string): Promise<unknown[]> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await query(postgres, text)
    } catch (error) {
      if (tries > 200) throw error
      await sleep(50)
    }
  }
}
