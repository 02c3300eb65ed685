import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runningServerUrl } from '../../src/adapters/postgres/probe.ts'
import { openDatabase } from '../../src/kernel/db.ts'
import { openChance } from '../faults/chance.ts'
import { untilRandomMoment } from '../faults/ledger.ts'
import { killPostgres } from '../faults/server-process.ts'
import { underLoad } from '../faults/under-load.ts'
import { freePort } from '../support/free-port.ts'
import { IN_FULL } from '../support/in-full.ts'
import { ROOT } from '../support/root.ts'
import { openReceiver } from '../support/webhook-receiver.ts'

// One server for all of it: each start costs seconds of CPU.
const folder = mkdtempSync(join(tmpdir(), 'timbre-journey-'))
const dataDir = join(folder, 'data')
const running = new Set<ChildProcess>()
const run = promisify(execFile)
const OPERATOR_SECRET = 'operator-secret-of-the-journey'
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31))
let port = 0

interface Started {
  readonly process: ChildProcess
  readonly said: string
  readonly ended: Promise<number | null>
}

/** What `npm start` runs, watched until it says that it can be stopped, or ends. */
async function start(environment: Record<string, string> = {}): Promise<Started> {
  const { DATABASE_URL: _elsewhere, ...inherited } = process.env
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: ROOT,
    env: {
      ...inherited,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      OPERATOR_SECRET,
      npm_lifecycle_event: '',
      ...environment,
    },
  })
  running.add(child)
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  let said = ''
  const told = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes('Ctrl-C stops')) resolve()
      })
    }
  })
  await Promise.race([told, ended])
  return { process: child, said, ended }
}

const pasted = (said: string) => said.split('\n').filter((line) => /^(KEY=|curl )/.test(line))
const shell = (script: string) => execFileSync('bash', ['-c', script], { encoding: 'utf8' })
const quickstart = (where: { TIMBRE_URL: string } | { PORT: string }, ...options: string[]) =>
  run(process.execPath, [join(ROOT, 'scripts/quickstart.mjs'), ...options], {
    cwd: folder,
    env: { ...process.env, ...where, DATA_DIR: dataDir, OPERATOR_SECRET, CI: '1' },
  })

beforeAll(async () => {
  port = await freePort()
})

afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

describe('npm start, from nothing to a working sandbox', () => {
  let server: Started
  let secret = ''

  it('says where it listens, on which database, what live mode talks to, and two calls', async () => {
    server = await start()
    expect(server.said).toContain(`Timbre listens on http://127.0.0.1:${port}`)
    expect(server.said).toMatch(/database +PostgreSQL 17/)
    expect(server.said).toMatch(/live mode +SII=simulator/)
    expect(pasted(server.said)).toHaveLength(2)
  })

  it('both calls work as pasted: an account with its key, and a boleta', () => {
    const [register, issue] = pasted(server.said)
    const out = shell(`${register}\necho "$KEY"\n${issue}`)
    const [key = '', answer = ''] = [out.slice(0, out.indexOf('\n')), out.slice(out.indexOf('\n') + 1)]
    secret = key
    expect(secret).toMatch(/^sk_test_[0-9A-Za-z]{43}$/)
    expect(JSON.parse(answer)).toMatchObject({ object: 'document', tipo_dte: 39, status: 'queued' })
  })

  it('mails the confirmation to a folder that, like the master key, only its owner reads', async () => {
    const outbox = join(dataDir, 'outbox')
    await expect
      .poll(() => existsSync(outbox) && readdirSync(outbox).filter((name) => name.endsWith('.eml')).length)
      .toBe(1)
    for (const path of [outbox, join(dataDir, 'master.key')]) expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('answers health, contracts, pages and metrics', async () => {
    for (const path of [
      '/healthz',
      '/readyz',
      '/openapi/v1.json',
      '/openapi/bootstrap.yaml',
      '/',
      '/docs',
      '/metrics',
    ]) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.headers.get('svc-request-id')).toMatch(/^req_/)
    }
  })

  it('npm run quickstart goes from nothing to an accepted factura and boleta, told by webhooks, and prints calls that work', async () => {
    const { stdout } = await quickstart({ PORT: String(port) })
    for (const kind of ['created', 'sent', 'accepted']) {
      expect(stdout.match(new RegExp(`webhook {2}document\\.${kind}`, 'g'))).toHaveLength(2)
    }
    expect(stdout).toMatch(/accepted: factura 1, track id \d+/)
    expect(stdout).toMatch(/Done in [\d.]+ s\./)
    expect(stdout).toContain(`the reference is at http://127.0.0.1:${port}/docs`)
    expect(readFileSync(join(folder, 'quickstart/33-1.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
    expect(readFileSync(join(folder, 'quickstart/33-1.xml'), 'latin1')).toContain('<DTE ')

    const key = /KEY=(sk_test_\w+)/.exec(stdout)?.[1]
    const calls = [...stdout.matchAll(/^curl (?:.*\\\n)*.*/gm)].map(([call]) => call)
    expect(calls).toHaveLength(6)
    // The key of an act is its own: pasted again, the same act gives the same answer, and a file lands in its place.
    const [, , factura, boleta, ...files] = calls
    for (const call of [factura, boleta]) {
      const { stdout: answer } = await run('bash', ['-c', `KEY=${key}\n${call}`])
      expect(JSON.parse(answer)).toMatchObject({ object: 'document', status: 'queued', folio: null })
    }
    const [pdf, xml] = ['33-1.pdf', '33-1.xml'].map((name) => join(folder, 'quickstart', name)) as [string, string]
    const saved = readFileSync(xml, 'latin1')
    for (const file of [pdf, xml]) rmSync(file)
    for (const call of files) await run('bash', ['-c', `KEY=${key}\n${call}`], { cwd: folder })
    expect(readFileSync(xml, 'latin1')).toBe(saved)
    expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it.runIf(IN_FULL)('npm run quickstart -- --live ends with a factura that the SII accepted', async () => {
    const { stdout } = await quickstart({ TIMBRE_URL: `http://127.0.0.1:${port}` }, '--live')
    expect(stdout).toMatch(/accepted, track id \d+/)
    expect(readFileSync(join(folder, 'quickstart/live-33-1.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('npm run quickstart says in a sentence when there is no server where it was told to look', async () => {
    const failed = await quickstart({ TIMBRE_URL: 'http://127.0.0.1:9' }).catch((error) => error)
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain('nothing answers at http://127.0.0.1:9')
    expect(failed.stderr).not.toMatch(/\n\s+at /)
  })

  it('npm run quickstart -- --help tells its options and touches nothing, and an option that it does not know is refused', async () => {
    const { stdout } = await quickstart({ TIMBRE_URL: 'http://127.0.0.1:9' }, '--help')
    for (const word of ['--live', 'TIMBRE_URL', 'PORT']) expect(stdout).toContain(word)
    const refused = await quickstart({ TIMBRE_URL: 'http://127.0.0.1:9' }, '--lvie').catch((error) => error)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('knows no --lvie')
  })

  it('refuses a second start on the same folder in plain words', async () => {
    const second = await start({ PORT: String(await freePort()) })
    expect(await second.ended).toBe(1)
    expect(second.said).toContain(dataDir)
    expect(second.said).not.toMatch(/\n\s+at /)
  })

  it.runIf(IN_FULL)(
    'comes back after kill -9 in the midst of work: whatever it acknowledged is there, settles once and has one folio, and what was in hand goes on at once',
    {
      timeout: 600_000,
    },
    async () => {
      console.log(`FAULT_SEED=${SEED} (give it back to have the same moment again)`)
      const chance = openChance(SEED)
      const receiver = await openReceiver(() => undefined)
      onTestFinished(() => receiver.close())
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      const call = async (path: string, body?: object) => {
        const sent = body && { method: 'POST', body: JSON.stringify(body) }
        const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, { headers, ...sent })
        return JSON.parse(await answer.text())
      }
      const { id } = await call('/webhook_endpoints', { url: receiver.url })
      await call(`/webhook_endpoints/${id}/ping`, {})
      await expect.poll(() => receiver.received.length).toBe(1)

      const load = { name: 'journey', urls: [`http://127.0.0.1:${port}`], seed: SEED }
      const { wrong } = await underLoad(load, async (work) => {
        await untilRandomMoment(chance, work)
        server.process.kill('SIGKILL')
        await server.ended
        // Nobody is left to wait for, however long the dead one had asked for.
        const db = openDatabase((await runningServerUrl(dataDir)) ?? '', { pool_size: 1, onError: () => undefined })
        const held = await db.sql`update job set lease_until = '9999-01-01' where status = 'running' returning id`
        await db.end()
        expect(held.length).toBeGreaterThan(0)
        if (chance() < 0.5) await killPostgres(dataDir)
        server = await start()
        return 1
      })
      expect(wrong).toEqual([])
      await expect.poll(() => receiver.received.length).toBe(2)
      expect((await call('/empresas')).data).toHaveLength(1)
    },
  )

  it('ends at Ctrl-C with nothing left running, and never ran two databases', async () => {
    server.process.kill('SIGINT')
    expect(await server.ended).toBe(0)
    const left = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(dataDir))
    expect(left).toEqual([])
  })

  it('refuses to serve plain HTTP to a network, and to run on DATABASE_URL without a master key', async () => {
    const open = await start({ HOST: '0.0.0.0' })
    expect([await open.ended, open.said]).toEqual([1, expect.stringContaining('TLS_CERT_FILE')])
    const keyless = await start({ DATABASE_URL: 'postgres://127.0.0.1:1/none', MASTER_KEY: '' })
    expect([await keyless.ended, keyless.said]).toEqual([1, expect.stringContaining('MASTER_KEY')])
  })
})
