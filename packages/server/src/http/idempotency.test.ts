import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { behaviour, MAKING, sender } from '../../test/support/idempotency-probe.ts'
import { emptyEmpresa } from '../../test/support/insert-empresa.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { Problem } from '../kernel/problem.ts'

let world: World
let account: string
let key: string
let send: ReturnType<typeof sender>
beforeAll(async () => {
  world = await openWorld({ operations: MAKING })
  account = await world.account()
  key = await world.key(account)
  send = sender(world, key)
})
afterAll(() => world.close())
afterEach(() => {
  behaviour.fails = null
  behaviour.until = null
})

describe('a repeated Idempotency-Key', () => {
  it('201 gives the same answer, marked as a replay, and does the work once', async () => {
    const token = randomUUID()
    const before = behaviour.runs
    const [first, second, third] = [await send(token), await send(token), await send(token)]
    expect([first.status, second.status, third.status]).toEqual([201, 201, 201])
    expect([second.text, third.text]).toEqual([first.text, first.text])
    expect(first.headers['svc-idempotent-replay']).toBeUndefined()
    expect(second.headers['svc-idempotent-replay']).toBe('true')
    expect(second.headers['svc-request-id']).not.toBe(first.headers['svc-request-id'])
    expect(behaviour.runs - before).toBe(1)
  })

  it('409 idempotency_key_reused when the body differs, and the first answer stays', async () => {
    const token = randomUUID()
    const first = await send(token)
    const other = await send(token, { body: { note: 'b' } })
    expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_key_reused'])
    expect((await send(token)).text).toBe(first.text)
  })

  it('409 idempotency_in_progress with Retry-After while the first is still running, then the answer', async () => {
    const token = randomUUID()
    let release = () => {}
    behaviour.until = new Promise((resolve) => {
      release = resolve
    })
    const runs = behaviour.runs
    const first = send(token)
    // Only once it runs does it hold the key; a second call sent earlier could take it first and wait forever.
    await expect.poll(() => behaviour.runs).toBe(runs + 1)
    const second = await send(token)
    expect(second.body.error.code).toBe('idempotency_in_progress')
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0)
    expect(second.body.error.retry_after_seconds).toBe(Number(second.headers['retry-after']))
    expect(second.body.error.retriable).toBe(true)
    release()
    const { text } = await first
    expect((await send(token)).text).toBe(text)
  })

  it('201 to exactly one of many at once; every answer is the same one or asks to wait', async () => {
    const token = randomUUID()
    const before = behaviour.runs
    const sent = await Promise.all(Array.from({ length: 10 }, () => send(token)))
    expect(behaviour.runs - before).toBe(1)
    const made = sent.filter(({ status }) => status === 201).map(({ text }) => text)
    expect(new Set(made).size).toBe(1)
    for (const { status, body } of sent) if (status !== 201) expect(body.error.code).toBe('idempotency_in_progress')
  })

  it('is not used up by a refusal', async () => {
    const token = randomUUID()
    behaviour.fails = new Problem('plan_limit_reached')
    expect((await send(token)).status).toBe(402)
    expect((await send(token, { body: { nonsense: 1 } })).status).toBe(400)
    behaviour.fails = null
    const good = await send(token, { body: { note: 'corrected' } })
    expect([good.status, good.headers['svc-idempotent-replay']]).toEqual([201, undefined])
  })

  it('is free again after a failure of ours', async () => {
    const token = randomUUID()
    behaviour.fails = new Error('a defect')
    const failed = await send(token)
    expect([failed.status, failed.body.error.code]).toEqual([500, 'internal_error'])
    behaviour.fails = null
    expect((await send(token)).status).toBe(201)
  })

  it('is free again when the connection dies in mid-request', async () => {
    const token = randomUUID()
    let release = () => {}
    behaviour.until = new Promise((resolve) => {
      release = resolve
    })
    const runs = behaviour.runs
    const dying = send(token)
    await expect.poll(() => behaviour.runs).toBe(runs + 1)
    expect((await send(token)).body.error.code).toBe('idempotency_in_progress')
    await world.db.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`
    behaviour.until = null
    await expect.poll(async () => (await send(token)).status).toBe(201)
    release()
    expect((await dying).status).toBe(503)
  })

  it('means something else on another account, mode, empresa or operation', async () => {
    const token = randomUUID()
    const [one, two] = [await emptyEmpresa(world, account), await emptyEmpresa(world, account)]
    const sent = [
      await send(token),
      await send(token, { key: await world.key(await world.account()) }),
      await send(token, { key: await world.key(account, { mode: 'live' }) }),
      await send(token, { path: '/v1/probe_other' }),
      await send(token, { path: '/v1/probe_empresa', empresa: one.rut }),
      await send(token, { path: '/v1/probe_empresa', empresa: two.rut }),
    ]
    expect(sent.map(({ status }) => status)).toEqual(Array(6).fill(201))
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(6)
    for (const { headers } of sent) expect(headers['svc-idempotent-replay']).toBeUndefined()
  })

  it('means the same to another key of the account', async () => {
    const token = randomUUID()
    const first = await send(token)
    expect((await send(token, { key: await world.key(account) })).text).toBe(first.text)
  })

  it('is known though its answer was kept while a clock ran eleven hours ahead', async () => {
    const token = randomUUID()
    const first = await send(token)
    await world.db.sql`update idempotency set created_at = created_at + interval '11 hours' where key = ${token}`
    expect((await send(token)).text).toBe(first.text)
  })

  it('is forgotten after 24 hours', async () => {
    const token = randomUUID()
    const first = await send(token)
    await world.db
      .sql`update idempotency set created_at = created_at - interval '23 hours 59 minutes' where key = ${token}`.catch(
      async () => {
        // The partition of yesterday is not there in a database made today.
        await world.db
          .sql`create table idempotency_before partition of idempotency for values from ('2000-01-01') to (current_date)`
        await world.db
          .sql`update idempotency set created_at = created_at - interval '23 hours 59 minutes' where key = ${token}`
      },
    )
    expect((await send(token)).text).toBe(first.text)
    await world.db.sql`update idempotency set created_at = created_at - interval '2 minutes' where key = ${token}`
    const later = await send(token, { body: { note: 'b' } })
    expect([later.status, later.body.id === first.body.id]).toEqual([201, false])
  })
})
