import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { emptyEmpresa } from '../../test/empresa.ts'
import { openWorld, type Request, type World } from '../../test/world.ts'
import type { AccountContext } from '../kernel/context.ts'
import { newId, randomSecret } from '../kernel/id.ts'
import { defineOperation } from '../kernel/operation.ts'
import { Problem } from '../kernel/problem.ts'
import { Closed } from '../kernel/schema.ts'
import { OPERATIONS } from '../operations.ts'

/** What the probe does next, by the caller's word. */
const behaviour = { fails: null as Error | null, until: null as Promise<void> | null, runs: 0 }

const Made = Closed({ id: Type.String(), secret: Type.String() })
const Body = Closed({ note: Type.String() })

async function make(ctx: AccountContext, { note }: { note: string }) {
  behaviour.runs++
  ctx.emit({ type: 'ping', object: { note } })
  if (behaviour.until) await behaviour.until
  if (behaviour.fails) throw behaviour.fails
  return { id: newId('job'), secret: `whsec_${randomSecret()}` }
}

const shape = { method: 'POST', body: Body, returns: Made, status: 201, run: make } as const
const summary = 'Make a thing'
const errors = ['plan_limit_reached'] as const
const operations = [
  ...OPERATIONS,
  defineOperation({ ...shape, id: 'probe.make', path: '/probe', summary, reach: 'account', errors }),
  defineOperation({ ...shape, id: 'probe.other', path: '/probe_other', summary, reach: 'account', errors }),
  defineOperation({ ...shape, id: 'probe.empresa', path: '/probe_empresa', summary, reach: 'empresa', errors }),
  defineOperation({
    ...shape,
    id: 'probe.strict',
    path: '/probe_strict',
    summary,
    reach: 'account',
    idempotent: 'required',
  }),
]

let world: World
let account: string
let key: string
beforeAll(async () => {
  world = await openWorld({ operations })
  account = await world.account()
  key = await world.key(account)
})
afterAll(() => world.close())
afterEach(() => {
  behaviour.fails = null
  behaviour.until = null
})

const send = (token: string, request: Request & { path?: string } = {}) =>
  world.post(request.path ?? '/v1/probe', {
    key,
    body: { note: 'a' },
    ...request,
    headers: { 'idempotency-key': token, ...request.headers },
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

describe('an Idempotency-Key', () => {
  it.each([
    ['empty', ''],
    ['of 256 characters', 'a'.repeat(256)],
    ['with a letter beyond ASCII', 'clave-ñ'],
    ['with a tab', 'a\tb'],
  ])('400 invalid_field %s', async (_what, token) => {
    const sent = await send(token)
    expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([
      400,
      'invalid_field',
      'Idempotency-Key',
    ])
  })

  it('201 of 255 characters, and of any printable ASCII', async () => {
    expect((await send('k'.repeat(255))).status).toBe(201)
    expect((await send('a b~!"#$%&/()=?')).status).toBe(201)
  })

  it('400 idempotency_key_required where the operation needs one', async () => {
    const sent = await world.post('/v1/probe_strict', { key, body: { note: 'a' } })
    expect([sent.status, sent.body.error.code]).toEqual([400, 'idempotency_key_required'])
  })

  it('is never needed elsewhere, and without one every call is new', async () => {
    const [one, two] = [
      await world.post('/v1/probe', { key, body: { note: 'a' } }),
      await world.post('/v1/probe', { key, body: { note: 'a' } }),
    ]
    expect(one.body.id).not.toBe(two.body.id)
  })
})

describe('the stored answer', () => {
  it('rests sealed: no secret in it can be read from the table', async () => {
    const token = randomUUID()
    const { body } = await send(token)
    const [row] = await world.db.sql<{ answer: Buffer }>`select answer from idempotency where key = ${token}`
    expect(row?.answer.length).toBeGreaterThan(body.secret.length)
    for (const secret of [body.secret, body.secret.slice(6), body.id]) {
      expect(row?.answer.includes(Buffer.from(secret))).toBe(false)
      expect(row?.answer.toString('base64')).not.toContain(secret)
    }
  })

  it('does not open under another key: a row moved there is a failure of ours, not an answer', async () => {
    const [token, elsewhere] = [randomUUID(), randomUUID()]
    await send(token)
    await world.db.sql`update idempotency set key = ${elsewhere} where key = ${token}`
    const sent = await send(elsewhere)
    expect([sent.status, sent.body.error.code]).toEqual([500, 'internal_error'])
  })
})
