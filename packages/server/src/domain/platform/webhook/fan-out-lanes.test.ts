import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { eventually, type Hook, type HookOptions, openHook } from '../../../../test/support/webhook-endpoint.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { REAL_TIME } from '../../../kernel/clock.ts'
import type { Connections, Database, Sql } from '../../../kernel/db.ts'
import { part } from '../../../kernel/db.ts'
import type { Owner } from '../../../kernel/owner.ts'
import { type QueuedJob, UnitOfWork } from '../../../kernel/unit-of-work.ts'
import { openFanOut } from './fan-out.ts'

/** How often the whole queue was looked at in vain. */
let looks = 0

/** Nothing is found by looking at the whole queue: what this world's worker runs it was told of. */
const blind =
  (sql: Sql): Sql =>
  (strings, ...values) => {
    if (!strings.some((text) => text.includes('as recovery from unnest('))) return sql(strings, ...values)
    looks++
    return Promise.resolve([])
  }
const over = (connections: Connections): Connections => ({
  ...connections,
  sql: blind(connections.sql),
  sqlOf: (holder) => blind(connections.sqlOf(holder)),
})

let world: World
let told: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  told = await openWorld({
    beside: world,
    database: (db: Database): Database => ({ ...db, ...over(db), steady: over(db.steady) }),
  })
})
afterAll(async () => {
  await told.close()
  await world.close()
})

async function hooked(options: HookOptions = {}): Promise<Hook> {
  const hook = await openHook(told, options)
  onTestFinished(() => hook.close())
  return hook
}

const ownerOf = (account_id: string): Owner => ({ account_id, mode: 'test', empresa_id: null, clock: REAL_TIME })
const unitOf = (account_id: string) => new UnitOfWork(ownerOf(account_id), openFanOut())
const happens = (unit: UnitOfWork, count = 1) => {
  for (let i = 0; i < count; i++) unit.emit({ type: 'document.sent', object: { number: i } })
}

/** What a unit says it queued, in an order of its own. */
function announced(unit: UnitOfWork): (readonly [string | null, string, string | null])[] {
  const jobs: QueuedJob[] = []
  unit.committed({ announce: (queued) => jobs.push(...queued), invalidate: () => undefined })
  return jobs.map(({ account_id, pool, lane }) => [account_id, pool, lane] as const).sort()
}

const laneOf = ({ account, id }: Hook) => [account, 'calls', `webhook.deliver|${id}`] as const

describe('a statement that queued deliveries', () => {
  it('tells of each lane once, however many are owed there, and of none where nobody listens', async () => {
    const hook = await hooked()
    const other = await hooked({ account: hook.account })
    const heard = unitOf(hook.account)
    const unheard = unitOf(await world.account())
    for (const unit of [heard, unheard]) {
      happens(unit, 70)
      await world.db.transact((sql) => unit.flush(sql))
    }
    expect(announced(heard)).toEqual([laneOf(hook), laneOf(other)].sort())
    expect(announced(unheard)).toEqual([])
  })

  it('tells of the lanes of each account, where those of several are written in one', async () => {
    const hooks = [await hooked(), await hooked()]
    const units = [...hooks.map(({ account }) => unitOf(account)), unitOf(await world.account())]
    for (const unit of units) happens(unit, 3)
    const joint = UnitOfWork.joint(units, openFanOut(), null)
    expect(await joint.flushUnchanged(world.db.sql, part`true`)).not.toBeNull()
    expect(announced(joint)).toEqual(hooks.map(laneOf).sort())
  })

  it('tells of none where it found that what it was written for had changed', async () => {
    const hook = await hooked()
    const unit = unitOf(hook.account)
    happens(unit)
    expect(await unit.flushUnchanged(world.db.sql, part`false`)).toBeNull()
    expect(announced(unit)).toEqual([])
    expect(await hook.deliveries()).toEqual([])
  })
})

describe('a worker in the process that queued them', () => {
  it.each([1, 3])('sends to endpoints, %i of them, without a look at the whole queue', async (endpoints) => {
    const first = await hooked()
    const hooks = [first]
    while (hooks.length < endpoints) hooks.push(await hooked({ account: first.account }))
    for (let i = 0; i < 3; i++) await first.happen()
    for (const { receiver } of hooks) await eventually(() => receiver.received.length).toBe(3)
    // It did look, and was shown nothing.
    expect(looks).toBeGreaterThan(0)
  })

  it('sends what was queued while it was sending, each once', async () => {
    const hook = await hooked()
    const owner = ownerOf(hook.account)
    for (let i = 0; i < 40; i++) await told.app.transactor.transact(owner, async (_sql, unit) => happens(unit, 5))
    await eventually(() => hook.receiver.received.length).toBe(200)
    expect(new Set(hook.receiver.received.map(({ event }) => event.id)).size).toBe(200)
  })
})
