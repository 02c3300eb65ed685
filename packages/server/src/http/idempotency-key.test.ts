import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAKING, sender } from '../../test/support/idempotency-probe.ts'
import { openWorld, type World } from '../../test/support/world.ts'

let world: World
let key: string
let send: ReturnType<typeof sender>
beforeAll(async () => {
  world = await openWorld({ operations: MAKING })
  key = await world.key(await world.account())
  send = sender(world, key)
})
afterAll(() => world.close())

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
