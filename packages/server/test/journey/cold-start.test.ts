import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { ROOT } from '../support/root.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'timbre-journey-'))
const running = new Set<ChildProcess>()
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

beforeAll(async () => {
  port = await freePort()
})

afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

describe('npm start, from nothing to a working sandbox', () => {
  let first: Started
  let secret = ''

  it('says where it listens, on which database, what live mode talks to, and two calls', async () => {
    first = await start()
    expect(first.said).toContain(`Timbre listens on http://127.0.0.1:${port}`)
    expect(first.said).toMatch(/database +PostgreSQL 17/)
    expect(first.said).toMatch(/live mode +SII=simulator/)
    expect(pasted(first.said)).toHaveLength(2)
  })

  it('both calls work as pasted: an account with its key, and a boleta', () => {
    const [register, issue] = pasted(first.said)
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

  it('refuses a second start on the same folder in plain words', async () => {
    const second = await start({ PORT: String(await freePort()) })
    expect(await second.ended).toBe(1)
    expect(second.said).toContain(dataDir)
    expect(second.said).not.toMatch(/\n\s+at /)
  })

  it('comes back after kill -9 with everything it acknowledged, and never two databases', async () => {
    first.process.kill('SIGKILL')
    await first.ended
    const again = await start()
    const answer = await fetch(`http://127.0.0.1:${port}/v1/empresas`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(1)
    again.process.kill('SIGINT')
    expect(await again.ended).toBe(0)
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
