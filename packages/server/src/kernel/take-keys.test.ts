import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../test/support/world.ts'
import { daysFrom, systemNow } from './clock.ts'
import { part } from './db.ts'
import { type IdempotencyScope, insertAnswers, lockOf, takeKeys } from './idempotency.ts'
import { makePartitions } from './partition.ts'

let world: World
let account_id: string

beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  account_id = await world.account()
})
afterAll(() => world.close())

const scope = (more: Partial<IdempotencyScope> = {}): IdempotencyScope => ({
  ...{ account_id, mode: 'test', empresa_id: '', operation: 'notes.create', key: randomUUID() },
  ...more,
})
const sealed = Buffer.from('sealed')
/** Keeps an answer under a key, as the statement of a call does. */
const keep = (key: IdempotencyScope) =>
  world.db.steady.sql`
    with kept as (${insertAnswers([{ key, answer: { status: 201, sealed } }], part``)}) select 1`
const take = async (keys: readonly IdempotencyScope[]) => (await world.db.steady.sql`${takeKeys(keys)}`)[0]

// One key has a function of its own.
describe.each([0, 3])('a key beside %i others', (count) => {
  const among = (key: IdempotencyScope) => [...Array.from({ length: count }, () => scope()), key]

  it('is free and unused where nobody has it and nothing is kept under it', async () => {
    expect(await take(among(scope()))).toMatchObject({ free: true, unused: true, answer: null })
  })

  it('is used where an answer is kept under it, and under no other mode, empresa, operation or account', async () => {
    const key = scope()
    await keep(key)
    expect(await take(among(key))).toMatchObject({ free: true, unused: false })
    const others = [{ mode: 'live' }, { empresa_id: 'emp_x' }, { operation: 'notes.update' }, { account_id: 'acc_x' }]
    for (const other of others) expect(await take(among({ ...key, ...other }))).toMatchObject({ unused: true })
  })

  it('is used no more once its answer is past its day', async () => {
    await makePartitions(world.db, daysFrom(new Date(systemNow()), -1))
    const key = scope()
    await keep(key)
    await world.db.sql`update idempotency set created_at = created_at - interval '24 hours' where key = ${key.key}`
    expect(await take(among(key))).toMatchObject({ free: true, unused: true })
  })

  it('is not free while another transaction has it', async () => {
    const key = scope()
    await world.db.transact(async (sql) => {
      await sql`select pg_advisory_xact_lock(${lockOf(key)}::bigint)`
      expect(await take(among(key))).toMatchObject({ free: false, unused: false, answer: null })
    })
    expect(await take(among(key))).toMatchObject({ free: true, unused: true })
  })

  it('is used where its answer was committed after the statement began that takes it', async () => {
    const key = scope()
    const taking = world.db.steady.sql`
      with slow as materialized (select pg_sleep(1)) select k.* from slow, lateral (${takeKeys(among(key))}) k`
    await sleep(300)
    await keep(key)
    expect(await taking).toMatchObject([{ free: true, unused: false }])
  })
})
