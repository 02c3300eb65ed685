import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { ROOT } from '../support/root.ts'

const folder = mkdtempSync(join(tmpdir(), 'timbre-quickstart-'))
const run = promisify(execFile)
let server: ReturnType<typeof spawn>
let url = ''

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const { DATABASE_URL: _elsewhere, ...inherited } = process.env
  const env = {
    ...inherited,
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
    npm_lifecycle_event: '',
  }
  server = spawn(process.execPath, ['scripts/start.mjs'], { cwd: ROOT, env, stdio: 'ignore' })
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).ok).toBe(true), { timeout: 60_000, interval: 100 })
})

afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
})

describe('npm run quickstart', () => {
  it('goes from nothing to an accepted factura and boleta, told by webhooks, and prints calls that work when pasted', async () => {
    const env = { ...process.env, TIMBRE_URL: url, CI: '1' }
    const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/quickstart.mjs')], { cwd: folder, env })
    for (const kind of ['created', 'sent', 'accepted']) {
      expect(stdout.match(new RegExp(`webhook {2}document\\.${kind}`, 'g'))).toHaveLength(2)
    }
    expect(stdout).toMatch(/accepted: factura 1, track id \d+/)
    expect(stdout).toMatch(/Done in [\d.]+ s\./)
    expect(readFileSync(join(folder, 'quickstart/33-1.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
    expect(readFileSync(join(folder, 'quickstart/33-1.xml'), 'latin1')).toContain('<DTE ')

    const key = /KEY=(sk_test_\w+)/.exec(stdout)?.[1]
    const pasted = [...stdout.matchAll(/^curl (?:.*\\\n)*.*/gm)].map(([call]) => call)
    expect(pasted).toHaveLength(6)
    // The key of an act is its own: pasted again, the same act gives the same answer, and a file lands in its place.
    const [, , factura, boleta, ...files] = pasted
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

  it('says in a sentence when there is no server where it was told to look', async () => {
    const env = { ...process.env, TIMBRE_URL: 'http://127.0.0.1:9' }
    const failed = await run(process.execPath, [join(ROOT, 'scripts/quickstart.mjs')], { cwd: folder, env }).catch(
      (e) => e,
    )
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain('nothing answers at http://127.0.0.1:9')
    expect(failed.stderr).not.toMatch(/\n\s+at /)
  })
})
