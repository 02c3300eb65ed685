import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { KEY_SCOPES } from '../src/api/account.ts'
import type { Api, Page } from '../src/api/api.ts'
import { openClient } from '../src/api/connect.ts'
import { openScene } from '../src/trigger/scene.ts'
import { TRIGGERS } from '../src/trigger/table.ts'
import { isPossible } from '../src/trigger/trigger.ts'
import { IN_FULL } from './support/in-full.ts'
import { inProcess } from './support/in-process.ts'
import { openHome } from './support/timbre.ts'

const url = inject('timbreUrl')
const home = openHome({ TIMBRE_URL: url })
afterAll(() => home.close())

const caller = inProcess()
const TIMBRE_PASSWORD = 'una clave bien larga 75'
const email = `trigger-${Date.now()}@example.cl`
let empresa = ''
let token = ''

beforeAll(async () => {
  const made = await home.json<{ empresa: { rut: string } }>(['init', '--email', email], { env: { TIMBRE_PASSWORD } })
  empresa = made.empresa.rut
  const nobody = await openClient(caller, { url, key: null })
  const body = { email, password: TIMBRE_PASSWORD }
  token = (await nobody.call<{ data: { token: string } }>('POST', '/account/login', { body })).data.token
})

/** A key of its own for each group: a key makes 300 requests a minute. */
async function mint(): Promise<Api> {
  const session = await openClient(caller, { url, key: token, mode: 'test' })
  const body = { name: 'trigger', scopes: KEY_SCOPES }
  const { secret } = await session.call<{ secret: string }>('POST', '/api_keys', { body })
  return openClient(caller, { url, key: secret, mode: 'test', empresa })
}

const possible = Object.entries(TRIGGERS).filter(([, trigger]) => isPossible(trigger))
const groups = [...new Set(possible.map(([type]) => type.split('.')[0] ?? ''))]
/** What `npm test` leaves to the long form takes half a minute for a group. */
const SHORT = ['empresa', 'received_document', 'reception']

describe('every event that the sandbox can produce', () => {
  it.each(groups.filter((group) => IN_FULL || SHORT.includes(group)))(
    '%s: what is said to lead to each does',
    { timeout: 600_000 },
    async (group) => {
      const api = await mint()
      const scene = openScene(api, caller.signal)
      for (const [type, trigger] of possible.filter(([name]) => name.split('.')[0] === group)) {
        const newest = (await api.call<Page<{ id: string }>>('GET', '/events', { query: { limit: 1 } })).data[0]?.id
        if (isPossible(trigger)) await trigger.run(scene)
        const query = { limit: 1, type, after: newest }
        const found = await scene.until(
          () => api.call<Page<{ type: string }>>('GET', '/events', { query }),
          ({ data }) => data.length > 0,
        )
        expect(found.data, type).toMatchObject([{ type }])
      }
    },
  )
})

describe('timbre trigger', () => {
  it('does it and prints the event', async () => {
    const event = await home.json(['trigger', 'document.rejected'])
    expect(event).toMatchObject({ type: 'document.rejected', data: { object: { status: 'rejected' } } })
  })

  it('lists all of them, and why it cannot where it cannot', async () => {
    const rows = await home.json<{ type: string; possible: boolean; why?: string }[]>(['trigger', '--list'])
    const source = readFileSync(join(import.meta.dirname, '../../server/src/catalog/events.ts'), 'utf8')
    const types = [...source.matchAll(/^ {2}'?([a-z_0-9.]+)'?: \{/gm)].map(([, type]) => type)
    expect(rows.map(({ type }) => type).sort()).toEqual(types.sort())
    for (const { possible, why } of rows) expect(possible ? 'x' : why).toMatch(/\S/)
  })

  it('ends with 2 and the reason for one that it cannot produce, and for one that does not exist', async () => {
    const grant = await home.run(['trigger', 'agent_grant.created'])
    expect(grant).toMatchObject({ code: 2, stderr: expect.stringContaining('consent page') })
    const typo = await home.run(['trigger', 'document.acepted'])
    expect(typo).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean document.accepted?') })
  })
})
