import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openWire } from '../../test/support/wire.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { SCOPE_NAMES } from '../catalog/scopes.ts'
import { openDatabase } from './db.ts'
import { openListener } from './listen.ts'
import { openLog } from './log.ts'

// Two processes over one database.
let here: World
let there: World
beforeAll(async () => {
  here = await openWorld()
  there = await openWorld({ beside: here })
})
afterAll(async () => {
  await there.close()
  await here.close()
})

async function keyAndRoot() {
  const account = await here.account()
  const key = await here.key(account)
  const root = await here.key(account, { scopes: SCOPE_NAMES })
  const { body } = await here.get('/v1/account', { key })
  const revoke = () => here.delete(`/v1/api_keys/${body.key.id}`, { key: root })
  return { account, key, root, id: body.key.id as string, revoke }
}

const status = async (world: World, key: string) => (await world.get('/v1/account', { key })).status

const cutLines = () => here.db.sql`
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'timbre listener'`

const line = (world: World, text: string) => world.log_lines.filter((one) => one.includes(text)).length

describe('revocation', () => {
  it('401 invalid_api_key at once in the process that did it', async () => {
    const { key, revoke } = await keyAndRoot()
    expect(await status(here, key)).toBe(200)
    expect((await revoke()).status).toBe(204)
    expect(await status(here, key)).toBe(401)
  })

  it('401 invalid_api_key at once in every other process, cached or not', async () => {
    const { key, revoke } = await keyAndRoot()
    // The clock stands still: nothing that was cached gets old by itself.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    onTestFinished(() => void vi.useRealTimers())
    for (let i = 0; i < 3; i++) expect(await status(there, key)).toBe(200)
    await revoke()
    expect(await status(there, key)).toBe(401)
  })

  it('is not heard of when it was rolled back: the key goes on working', async () => {
    const { key, id } = await keyAndRoot()
    expect(await status(there, key)).toBe(200)
    await here.db
      .transact(async (sql) => {
        await sql`update api_key set revoked_at = now() where id = ${id}`
        await sql`select pg_notify('timbre_invalidated', ${id})`
        throw new Error('on purpose')
      })
      .catch(() => undefined)
    await sleep(100)
    expect(await status(there, key)).toBe(200)
  })
})

describe('a line that was cut', () => {
  it('401 invalid_api_key at once for a key revoked while nobody could hear it', async () => {
    const { key, revoke } = await keyAndRoot()
    expect(await status(there, key)).toBe(200)
    const before = line(there, 'lost the line')
    await cutLines()
    await expect.poll(() => line(there, 'lost the line'), { interval: 2 }).toBe(before + 1)
    expect(await status(there, key)).toBe(200)
    await revoke()
    expect(await status(there, key)).toBe(401)
  })

  it('comes back by itself, and what is revoked then is heard again', async () => {
    const { key, revoke } = await keyAndRoot()
    await expect.poll(lines).toBe(2)
    for (let i = 0; i < 3; i++) expect(await status(there, key)).toBe(200)
    await revoke()
    expect(await status(there, key)).toBe(401)
    expect(await lines()).toBe(2)
  })
})

/** Lines held open over the database of these worlds. */
async function lines(): Promise<number> {
  const rows = await here.db.sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'timbre listener'`
  return rows.length
}

describe('a line that went silent', () => {
  it('is noticed, given up and opened again', async () => {
    const { url, silence, close } = await openWire(here.url)
    onTestFinished(close)
    const db = openDatabase(url, { pool_size: 1, onError: () => undefined })
    const listener = await openListener(db, ['timbre_probe'], openLog('silent'))
    onTestFinished(async () => {
      await listener.close()
      await db.end()
    })
    let lost = 0
    const heard: string[] = []
    listener.onLost(() => {
      lost++
    })
    listener.on('timbre_probe', (payload) => void heard.push(payload))
    await here.db.sql`select pg_notify('timbre_probe', 'one')`
    await expect.poll(() => heard).toEqual(['one'])
    silence()
    await expect.poll(() => lost).toBe(1)
    await expect.poll(() => listener.connected).toBe(true)
    await here.db.sql`select pg_notify('timbre_probe', 'two')`
    await expect.poll(() => heard).toEqual(['one', 'two'])
    expect(lost).toBe(1)
  })
})
