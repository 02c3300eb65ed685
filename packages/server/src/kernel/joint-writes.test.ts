import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openIssuer } from '../../test/support/issuer.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import type { Mode } from '../catalog/modes.ts'
import { REAL_TIME } from './clock.ts'
import { part, type Sql } from './db.ts'
import type { Owner } from './owner.ts'
import { Problem } from './problem.ts'
import type { RowWriter } from './rows.ts'
import type { KeyState } from './unit-of-work.ts'

type Noted = { readonly account_id: string; readonly mark: string }

const noted: RowWriter<Noted> = (rows, when) => [
  part`noted as (insert into note (account_id, mark)
    select n.account_id, n.mark from (select unnest(${rows.map(({ account_id }) => account_id)}::text[]) as account_id,
      unnest(${rows.map(({ mark }) => mark)}::text[]) as mark) n ${when})`,
]
const REFUSALS = { note_once: async () => new Problem('external_id_exists') }

let world: World
let account: string
/** Statements that reached PostgreSQL, and what happens at the next of them. */
let statements = 0
let before: (() => Promise<unknown>) | null = null
let after: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  await world.db.sql`create table note (account_id text not null, mark text not null constraint note_once unique)`
  account = await world.account()
})
afterAll(() => world.close())
beforeEach(() => {
  statements = 0
  before = null
  after = null
})

function watched(owner: Owner): Sql {
  const sql = world.db.steady.sqlOf(owner)
  return async (strings, ...values) => {
    statements++
    const [first, last] = [before, after]
    before = null
    after = null
    await first?.()
    const rows = await sql(strings, ...values)
    await last?.()
    return rows as never
  }
}

interface Asked {
  readonly account_id?: string
  readonly mode?: Mode
  readonly empresa_id?: string | null
  readonly key?: string
  readonly mark?: string
  readonly audited?: boolean
  readonly ahead_ms?: number
}

/** A call that leaves a row, an event and its answer. All of it is asked for before this returns. */
function write(asked: Asked = {}): Promise<KeyState> {
  const { account_id = account, mode = 'test', empresa_id = null, audited = false, ahead_ms = 0 } = asked
  const { mark = randomUUID(), key = randomUUID() } = asked
  const clock = ahead_ms === 0 ? REAL_TIME : { offset_ms: ahead_ms, frozen_at: null }
  const owner = { account_id, mode, empresa_id, clock }
  const unit = world.app.transactor.begin(owner)
  unit.write(noted, [{ account_id, mark }], REFUSALS)
  unit.emit({ type: 'ping', object: { mark } })
  if (audited) {
    const actor = { kind: 'service', id: null, ip: null, request_id: 'req_x' } as const
    unit.audit({ account_id, mode, empresa: null, action: 'webhook_endpoints.create', subject: null, actor })
  }
  const scope = { account_id, mode, empresa_id: empresa_id ?? '', operation: 'notes.create', key }
  const answer = { status: 201, sealed: Buffer.from(`sealed ${mark}`) }
  return world.app.transactor.write(unit, watched(owner), { key: scope, answer })
}

/** What stands of a mark: its row, its event, the answers kept under its key. */
async function left({ mark, key }: { readonly mark: string; readonly key: string }) {
  const [row] = await world.db.sql<{ notes: string[]; events: string[]; answers: string[] }>`
    select array(select account_id from note where mark = ${mark}) as notes,
      array(select account_id from event where type = 'ping' and data->'object'->>'mark' = ${mark}) as events,
      array(select convert_from(answer, 'UTF8') from idempotency where key = ${key}) as answers`
  return row
}
const calls = (count: number) => Array.from({ length: count }, () => ({ mark: randomUUID(), key: randomUUID() }))
const once = (mark: string) => ({ notes: [account], events: [account], answers: [`sealed ${mark}`] })
const freshOf = (states: readonly KeyState[]) => states.map(({ fresh }) => fresh)

function gate(): { readonly open: () => void; readonly passed: Promise<void> } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

describe('calls of one account that are written at the same time', () => {
  it('are one statement, and everything of each is its own', async () => {
    const all = calls(5)
    expect(freshOf(await Promise.all(all.map((one) => write(one))))).toEqual([true, true, true, true, true])
    expect(statements).toBe(1)
    for (const one of all) expect(await left(one)).toEqual(once(one.mark))
  })

  it('go two statements at a time: what comes meanwhile gathers, sixteen to a statement', async () => {
    const held = gate()
    before = () => held.passed
    const first = write()
    await new Promise(setImmediate)
    before = () => held.passed
    const second = write()
    await new Promise(setImmediate)
    expect(statements).toBe(2)
    const rest = Array.from({ length: 20 }, () => write())
    held.open()
    expect(freshOf(await Promise.all([first, second, ...rest]))).not.toContain(false)
    expect(statements).toBe(4)
  })

  it('do not wait for one that hangs', async () => {
    const held = gate()
    before = () => held.passed
    const first = write()
    await new Promise(setImmediate)
    before = () => held.passed
    const second = write()
    await new Promise(setImmediate)
    expect((await write()).fresh).toBe(true)
    held.open()
    expect(freshOf(await Promise.all([first, second]))).toEqual([true, true])
  })

  it('are refused one by one: a row that cannot be takes no other along', async () => {
    const taken = { mark: randomUUID(), key: randomUUID() }
    await write(taken)
    const [one, other] = calls(2) as [{ mark: string; key: string }, { mark: string; key: string }]
    const again = { mark: taken.mark, key: randomUUID() }
    const [written, refused, too] = await Promise.allSettled([write(one), write(again), write(other)])
    expect(written).toMatchObject({ value: { fresh: true } })
    expect(refused).toMatchObject({ reason: { code: 'external_id_exists' } })
    expect(too).toMatchObject({ value: { fresh: true } })
    expect((await left({ mark: taken.mark, key: again.key }))?.answers).toEqual([])
    for (const call of [one, other]) expect(await left(call)).toEqual(once(call.mark))
  })

  it('find each its own key used: what was kept comes back to the one that repeats it', async () => {
    const [kept, one] = calls(2) as [{ mark: string; key: string }, { mark: string; key: string }]
    await write(kept)
    const [repeated, written] = await Promise.all([write({ key: kept.key }), write(one)])
    expect(repeated).toMatchObject({ fresh: false, free: true, answer: Buffer.from(`sealed ${kept.mark}`) })
    expect(written?.fresh).toBe(true)
    expect(await left(kept)).toEqual(once(kept.mark))
    expect(await left(one)).toEqual(once(one.mark))
  })

  it('are written once under one key, however many of them repeat it at once', async () => {
    const key = randomUUID()
    const states = await Promise.all(Array.from({ length: 4 }, () => write({ key })))
    expect(states.filter(({ fresh }) => fresh)).toHaveLength(1)
    const [row] = await world.db.sql<{
      answers: number
    }>`select count(*)::int as answers from idempotency where key = ${key}`
    expect(row?.answers).toBe(1)
  })

  it('are no statement with those of another account, mode or clock, nor with what the audit log is told of', async () => {
    const other = await world.account()
    const states = await Promise.all([
      write(),
      write({ account_id: other }),
      write({ mode: 'live' }),
      write({ ahead_ms: 60_000 }),
      write({ audited: true }),
      write({ audited: true }),
    ])
    expect(freshOf(states)).toEqual([true, true, true, true, true, true])
    expect(statements).toBe(6)
  })

  it('wait for no empresa that somebody holds, but the call on that one does', async () => {
    const [held, free] = [await openIssuer(world, { account }), await openIssuer(world, { account })]
    let waits = true
    let waiting: Promise<unknown> = Promise.resolve()
    await world.db.transact(async (sql) => {
      await sql`select from empresa where account_id = ${account} and id = ${held.empresa_id} for update`
      waiting = write({ empresa_id: held.empresa_id }).then(({ fresh }) => {
        waits = false
        return fresh
      })
      expect((await write({ empresa_id: free.empresa_id })).fresh).toBe(true)
      expect(waits).toBe(true)
    })
    expect(await waiting).toBe(true)
  })

  it.each(['before', 'after'])(
    'are each told that the connection was lost %s the statement, and written once when they are repeated',
    async (when) => {
      const all = calls(3)
      const lost = () => Promise.reject(new Error('Connection terminated unexpectedly'))
      if (when === 'before') before = lost
      else after = lost
      const told = await Promise.allSettled(all.map((one) => write(one)))
      expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      expect(statements).toBe(1)
      const again = await Promise.all(all.map((one) => write(one)))
      expect(freshOf(again)).toEqual(all.map(() => when === 'before'))
      for (const one of all) expect(await left(one)).toEqual(once(one.mark))
    },
  )
})
