import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it } from 'vitest'
import { blocksOf, readGuide } from '../../../../test/support/guide-blocks.ts'
import { WEBHOOK_SCHEDULE_SECONDS, WEBHOOKS } from '../../../catalog/limits.ts'
import { newSigningSecret, signatureHeaders, signingKey } from './signing.ts'

const GUIDE = readGuide('webhooks')
const folder = mkdtempSync(join(tmpdir(), 'timbre-guide-'))
const receivers: ChildProcess[] = []
afterAll(() => {
  for (const one of receivers) one.kill()
  rmSync(folder, { recursive: true, force: true })
})

const [secret, before, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()]
const body = JSON.stringify({ id: 'evt_1', type: 'ping', data: { object: { note: 'ñandú' } } })

function signed(keys: readonly string[], { age = 0, of = body } = {}): string {
  const seconds = Math.floor(Date.now() / 1000) - age
  return String(signatureHeaders({ event_id: 'evt_1', body: of, keys: keys.map(signingKey), seconds })['Svc-Signature'])
}

/** What each receiver of the guide is sent, and how it must answer. Headers are bytes, as `latin1` writes them. */
const now = () => Math.floor(Date.now() / 1000)
const SENT: readonly (readonly [what: string, header: () => string | null, status: number, body?: string])[] = [
  ['a delivery of ours', () => signed([secret]), 204],
  ['the same once more', () => signed([secret]), 204],
  ['one signed by both secrets of a rotation', () => signed([secret, before]), 204],
  ['one signed by somebody else', () => signed([other]), 400],
  ['one that is ten minutes old', () => signed([secret], { age: 600 }), 400],
  ['one of the future', () => signed([secret], { age: -600 }), 400],
  ['a body that was written anew', () => signed([secret]), 400, `${body} `],
  ['no header', () => null, 400],
  ['an empty header', () => '', 400],
  ['no time', () => signed([secret]).replace(/^t=\d+,/, ''), 400],
  ['a time that is no number', () => signed([secret]).replace(/^t=\d+/, 't=yesterday'), 400],
  ['digits of another script', () => signed([secret]).replace(/^t=\d+/, 't=\u00b2\u00b3'), 400],
  ['no signature', () => `t=${now()}`, 400],
  ['a signature without a value', () => `t=${now()},v1`, 400],
  ['an empty signature', () => `t=${now()},v1=`, 400],
  ['64 letters that are no hex', () => `t=${now()},v1=${'z'.repeat(64)}`, 400],
  ['64 bytes that are no letters', () => `t=${now()},v1=${'\u00f1'.repeat(64)}`, 400],
  ['an odd number of digits', () => `t=${now()},v1=${'a'.repeat(63)}`, 400],
  ['commas alone', () => ',,,,', 400],
  ['equals signs alone', () => '====', 400],
]

function post(port: number, header: string | null, sent: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }
    const call = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    if (header !== null) call.setHeader('Svc-Signature', header)
    call.on('error', reject)
    call.end(sent)
  })
}

/** Runs the code as a reader would, and gives the port it says. */
async function openReceiver(program: string, file: string, language: string): Promise<number> {
  const [block] = blocksOf(GUIDE).filter((one) => one.language === language)
  writeFileSync(join(folder, file), block?.code ?? '')
  const env = { ...process.env, PORT: '0', WEBHOOK_SECRET: secret }
  const child = spawn(program, [join(folder, file)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  receivers.push(child)
  const [line] = await once(createInterface(child.stdout), 'line')
  return Number(/\d+$/.exec(String(line))?.[0])
}

async function answersOf(port: number) {
  const answers: [string, number][] = []
  for (const [what, header, , sent = body] of SENT) answers.push([what, await post(port, header(), sent)])
  return answers
}
const DUE = SENT.map(([what, , status]) => [what, status])

describe('the guide to webhooks', () => {
  it('holds JavaScript that takes our deliveries and answers 400 to everything else, and lives on', async () => {
    expect(await answersOf(await openReceiver(process.execPath, 'plain.mjs', 'js'))).toEqual(DUE)
  })

  it('holds Python that does the same', async (test) => {
    if (spawnSync('python3', ['--version']).status !== 0) {
      console.warn('skipped: there is no python3 to run the example of the guide with')
      return test.skip()
    }
    expect(await answersOf(await openReceiver('python3', 'webhooks.py', 'python'))).toEqual(DUE)
  })

  it('tells the schedule and the limits that are in force', () => {
    expect(WEBHOOK_SCHEDULE_SECONDS.test).toEqual([0, 5, 60, 300])
    expect(GUIDE).toContain('tried 4 times: at once, after 5 seconds, a minute and five minutes')
    const [, , ...minutes] = WEBHOOK_SCHEDULE_SECONDS.live.slice(0, 4).map((wait) => wait / 60)
    expect(GUIDE).toContain(`${minutes.join(' and ')} minutes`)
    const hours = WEBHOOK_SCHEDULE_SECONDS.live.slice(4).map((wait) => wait / 3600)
    expect(GUIDE.replaceAll('\n', ' ')).toContain(`${hours.slice(0, -1).join(', ')} and ${hours.at(-1)} hours`)
    expect(GUIDE).toContain(`within ${WEBHOOKS.answer_ms / 1000} seconds`)
  })
})
