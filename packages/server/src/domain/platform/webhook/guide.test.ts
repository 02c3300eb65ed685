import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { WEBHOOK_SCHEDULE_SECONDS, WEBHOOKS } from '../../../catalog/limits.ts'
import { newSigningSecret, signatureHeaders, signingKey } from './signing.ts'

const GUIDE = readFileSync(new URL('../../../../../../docs/guides/webhooks.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'timbre-guide-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The code under a line of the guide, as a reader would copy it. */
function codeAfter(line: string): string {
  const [, rest = ''] = GUIDE.split(`${line}\n\n`)
  const [code = ''] = /^(?: {4}.*\n|\n(?= {4}))+/.exec(rest) ?? []
  return code.replaceAll(/^ {4}/gm, '')
}

const [secret, before, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()]
const body = JSON.stringify({ id: 'evt_1', type: 'ping', note: 'ñandú' })
const seconds = 1_800_000_000
const keys = [secret, before].map(signingKey)
const header = String(signatureHeaders({ event_id: 'evt_1', body, keys, seconds })['Svc-Signature'])

/** What each reader of the guide is asked, and what is true. */
const QUESTIONS = [
  { body, header, secret, now: seconds + 10, genuine: true },
  { body, header, secret: before, now: seconds + 10, genuine: true },
  { body, header, secret: other, now: seconds + 10, genuine: false },
  { body: `${body} `, header, secret, now: seconds + 10, genuine: false },
  { body, header, secret, now: seconds + 400, genuine: false },
  { body, header: header.replace(/v1=./g, 'v1=x'), secret, now: seconds + 10, genuine: false },
]
const TRUTH = QUESTIONS.map(({ genuine }) => genuine)

describe('the guide to webhooks', () => {
  it('holds JavaScript that takes our signatures, of both secrets of a rotation, and nothing else', () => {
    const file = join(folder, 'check.mjs')
    const ask = `const asked = JSON.parse(process.argv[2])
      console.log(JSON.stringify(asked.map((q) => isGenuine(Buffer.from(q.body), q.header, q.secret, q.now))))`
    writeFileSync(file, `${codeAfter('In JavaScript:')}\n${ask}`)
    const said = execFileSync(process.execPath, [file, JSON.stringify(QUESTIONS)], { encoding: 'utf8' })
    expect(JSON.parse(said)).toEqual(TRUTH)
  })

  it('holds Python that does the same', (test) => {
    if (spawnSync('python3', ['--version']).status !== 0) {
      console.warn('skipped: there is no python3 to run the example of the guide with')
      return test.skip()
    }
    const file = join(folder, 'check.py')
    const ask = `import json, sys
print(json.dumps([is_genuine(q["body"].encode(), q["header"], q["secret"], q["now"]) for q in json.loads(sys.argv[1])]))`
    writeFileSync(file, `${codeAfter('In Python:')}\n${ask}`)
    const said = execFileSync('python3', [file, JSON.stringify(QUESTIONS)], { encoding: 'utf8' })
    expect(JSON.parse(said)).toEqual(TRUTH)
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
