import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { grantTo, MCP_HEADERS, rpc } from '../../test/support/agent-grant.ts'
import { compileProgram } from '../../test/support/program.ts'
import { openWire } from '../../test/support/wire.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { SCOPE_NAMES } from '../catalog/scopes.ts'
import { BARRIER, openCacheLease } from './cache-lease.ts'
import { openListener } from './listen.ts'
import { openLog } from './log.ts'

let here: World
beforeAll(async () => {
  here = await openWorld()
})
afterAll(() => here.close())

const CALLS = 40

/** Another process over the same database, and the wire on which it hears from others. */
async function openProcess() {
  const { url, silence, close: cut } = await openWire(here.url)
  const program = await compileProgram(new URL('../../test/support/api-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program, here.url, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const close = () => {
    child.kill('SIGKILL')
    cut()
  }
  const root = `http://127.0.0.1:${port.toString().trim()}`
  const call = async (key: string) =>
    (await fetch(`${root}/v1/account`, { headers: { authorization: `Bearer ${key}` } })).status
  const rpcOf = async (token: string) => {
    const headers = { ...MCP_HEADERS, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    return (await fetch(`${root}/mcp`, { method: 'POST', headers, body })).status
  }
  return { child, silence, call, rpcOf, close }
}

async function keyOf() {
  const account = await here.account()
  const key = await here.key(account)
  const root = await here.key(account, { scopes: SCOPE_NAMES })
  const { id } = (await here.get('/v1/account', { key })).body.key
  const revoke = async () => (await here.delete(`/v1/api_keys/${id}`, { key: root })).status
  return { account, key, root, revoke }
}

const leases = async () => (await here.db.sql`select 1 from cache_lease`).length
const all = <T>(value: T) => Array<T>(CALLS).fill(value)

describe('after the 204 of a revocation', () => {
  // One for all: it takes seconds to start, and gets another connection after it lost one.
  let other: Awaited<ReturnType<typeof openProcess>>
  beforeAll(async () => {
    other = await openProcess()
  })
  afterAll(() => other.close())
  /** Until it has its right to, it reads whatever it is asked, and has to be asked to take it. */
  const servesFromMemory = (keys: readonly string[]) =>
    expect
      .poll(async () => {
        for (const key of keys) await other.call(key)
        return (await here.db.sql`select from cache_lease where expires_at > now()`).length
      })
      .toBeGreaterThanOrEqual(2)

  it('401 in another process that hears of it, for a key and for an agent, every time', async () => {
    for (let i = 0; i < 5; i++) {
      const { account, key, root, revoke } = await keyOf()
      const { id, token } = await grantTo(here, account)
      expect([await other.call(key), await other.rpcOf(token)]).toEqual([200, 200])
      expect(await revoke()).toBe(204)
      expect(await other.call(key)).toBe(401)
      expect((await here.delete(`/v1/agent_grants/${id}`, { key: root })).status).toBe(204)
      expect(await other.rpcOf(token)).toBe(401)
    }
  })

  it('401 in one whose connection went silent, and it serves from memory again once it has another', async () => {
    const { key, revoke } = await keyOf()
    expect(await other.call(key)).toBe(200)
    other.silence()
    expect(await revoke()).toBe(204)
    expect(await Promise.all(Array.from({ length: CALLS }, () => other.call(key)))).toEqual(all(401))
    const another = await keyOf()
    expect(await other.call(another.key)).toBe(200)
    await expect.poll(leases).toBeGreaterThanOrEqual(2)
    expect(await another.revoke()).toBe(204)
    expect(await other.call(another.key)).toBe(401)
  })

  it('401 in one whose connection went silent, for each of several keys that are revoked at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, keyOf))
    await servesFromMemory(keys.map(({ key }) => key))
    expect(await Promise.all(keys.map(({ key }) => other.call(key)))).toEqual(keys.map(() => 200))
    other.silence()
    const seen = await Promise.all(
      keys.map(async ({ key, revoke }, i) => {
        await sleep(i * 60)
        return [await revoke(), await other.call(key)]
      }),
    )
    expect(seen).toEqual(keys.map(() => [204, 401]))
    const { key } = await keyOf()
    await servesFromMemory([key])
  })

  it('401 in one that stood still meanwhile with its connection cut, to calls that were waiting when it went on', async () => {
    const { key, revoke } = await keyOf()
    expect(await other.call(key)).toBe(200)
    other.child.kill('SIGSTOP')
    other.silence()
    expect(await revoke()).toBe(204)
    const calls = Array.from({ length: CALLS }, () => other.call(key))
    other.child.kill('SIGCONT')
    expect(await Promise.all(calls)).toEqual(all(401))
  })

  it('401 for every key, agent and session of an account that was closed', async () => {
    const beside = await openWorld({ beside: here })
    onTestFinished(() => beside.close())
    const { account, key } = await keyOf()
    const { token } = await grantTo(here, account)
    const session = await here.session(account)
    const seen = async () => [
      (await beside.get('/v1/account', { key })).status,
      (await rpc(beside, token, 'tools/list')).status,
      (await beside.get('/dashboard/account', { session, mode: 'test' })).status,
    ]
    expect(await seen()).toEqual([200, 200, 200])
    await here.app.transactor.transact(
      { account_id: account, mode: null, empresa_id: null, clock: { offset_ms: 0, frozen_at: null } },
      async (sql, unit) => {
        await sql`update account set closed_at = now() where id = ${account}`
        unit.invalidate(account)
      },
    )
    expect(await seen()).toEqual([401, 401, 401])
  })
})

describe('a lease', () => {
  it('ends with its process, so that nobody waits for one that has stopped', async () => {
    const before = await leases()
    const beside = await openWorld({ beside: here })
    expect(await leases()).toBe(before + 1)
    await beside.close()
    expect(await leases()).toBe(before)
  })

  it('is let go where nobody asks for it, and taken anew once somebody does', async () => {
    const listener = await openListener(here.db, [BARRIER], openLog('fatal'))
    const before = await leases()
    const lease = await openCacheLease(here.db.sql, listener, 100)
    onTestFinished(async () => {
      await lease.close()
      await listener.close()
    })
    const [taken] = await here.db.sql<{ process_id: string }>`
      select process_id from cache_lease order by expires_at desc limit 1`
    const ends_at = async () =>
      (
        await here.db.sql<{ expires_at: Date }>`
        select expires_at from cache_lease where process_id = ${taken?.process_id}`
      )[0]?.expires_at.getTime()
    expect([await leases(), lease.held]).toEqual([before + 1, true])
    const unused_from = await ends_at()
    // Longer than the lease: nobody asked meanwhile.
    await sleep(2_500)
    expect(await ends_at()).toBe(unused_from)
    const forgotten = vi.fn()
    lease.onLapse(forgotten)
    expect(lease.held).toBe(false)
    await expect.poll(() => lease.held, { interval: 20 }).toBe(true)
    // What was read under the lease that ran out is not served under the new one.
    expect(forgotten).toHaveBeenCalled()
  })

  it('is not waited for twice: one that was killed is taken away by the first who does', async () => {
    await here.db.sql`
      insert into cache_lease (process_id, expires_at, acknowledged) values ('killed', now() + interval '1 second', 0)`
    const { revoke } = await keyOf()
    expect(await revoke()).toBe(204)
    expect(await here.db.sql`select 1 from cache_lease where process_id = 'killed' or expires_at < now()`).toEqual([])
  })
})
