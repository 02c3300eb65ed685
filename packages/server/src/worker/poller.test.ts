import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineJob } from '../../test/support/define-job.ts'
import { tasksOf } from '../../test/support/queue-probe.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { secondsFrom, systemNow } from '../kernel/clock.ts'

interface Task {
  readonly mark: string
}

const order: string[] = []
const batches: string[][] = []
const held = new Map<string, Promise<void>>()
const hungry: string[] = []

const line = defineJob<Task>({
  name: 'poller.line',
  lane_concurrency: 1,
  async run(_ctx, { mark }) {
    await sleep(2)
    order.push(mark)
    return 'done'
  },
})
const together = defineJob<Task>({
  name: 'poller.together',
  batch: 10,
  delete_on_success: true,
  async runMany(_ctx, entries) {
    batches.push(entries.map(({ payload }) => payload.mark))
    const poisoned = entries.filter(({ payload }) => payload.mark.startsWith('poison'))
    return new Map(poisoned.map(({ id }) => [id, new Error('cannot be done')]))
  },
})
const gathered: number[] = []
const gathering = defineJob<Task>({
  name: 'poller.gathering',
  batch: 100,
  gather_ms: 200,
  delete_on_success: true,
  async runMany(_ctx, entries) {
    gathered.push(entries.length)
    return new Map()
  },
})
const hanging = defineJob<Task>({
  name: 'poller.hanging',
  pool: 'delivery',
  lane_concurrency: 2,
  async run(_ctx, { mark }) {
    hungry.push(mark)
    await held.get(mark.split(' ')[0] ?? '')
    return 'done'
  },
})
const again = defineJob<Task>({
  name: 'poller.again',
  type: 'probe',
  run: async () => ({ again_at: secondsFrom(new Date(systemNow()), 3600) }),
})

const atOnce: string[] = []
const crowding = defineJob<Task>({
  name: 'poller.crowding',
  lane_concurrency: 1,
  async run(_ctx, { mark }) {
    atOnce.push(mark)
    await held.get('crowd')
    return 'done'
  },
})

let world: World
let account_id: string
let tasks: ReturnType<typeof tasksOf>
beforeAll(async () => {
  world = await openWorld({ jobs: [line, together, gathering, hanging, again, crowding] })
  account_id = await world.account()
  tasks = tasksOf(world, account_id)
})
afterAll(() => world.close())

const wake = () => world.app.worker.wake()
const waiting = async (name: string) =>
  (await world.db.sql<{ n: number }>`select count(*)::int as n from job where name = ${name}`)[0]?.n

describe('lanes', () => {
  it('take turns: a line of hundreds does not delay another one, and each keeps its own order', async () => {
    const due_at = secondsFrom(new Date(systemNow()), -60)
    for (let i = 0; i < 300; i++) await tasks.enqueue(line, `long ${i}`, { lane: 'a', due_at })
    wake()
    await expect.poll(() => order.length).toBeGreaterThan(0)
    await tasks.enqueue(line, 'short', { lane: 'b' })
    wake()
    await expect.poll(() => order.includes('short')).toBe(true)
    expect(order.indexOf('short')).toBeLessThan(200)
    await expect.poll(() => order.length).toBe(301)
    const long = order.filter((mark) => mark.startsWith('long'))
    expect(long).toEqual(long.map((_, i) => `long ${i}`))
  })

  it('hand jobs over together, never two lanes in one batch nor more than a batch holds', async () => {
    for (let i = 0; i < 25; i++) await tasks.enqueue(together, `x${i}`, { lane: 'x' })
    for (let i = 0; i < 5; i++) await tasks.enqueue(together, `y${i}`, { lane: 'y' })
    wake()
    await expect.poll(() => batches.flat().length).toBe(30)
    expect(batches.every((batch) => batch.length <= 10)).toBe(true)
    expect(batches.every((batch) => new Set(batch.map((mark) => mark[0])).size === 1)).toBe(true)
    expect(batches.length).toBeLessThan(20)
    await expect.poll(() => waiting('poller.together')).toBe(0)
  })

  it('gather what falls due one after the other: it goes in a batch for each moment, not one by one', async () => {
    const from = systemNow() + 1_000
    const due = Array.from({ length: 32 }, (_, i) => new Date(from + 25 * i))
    for (const [i, due_at] of due.entries()) await tasks.enqueue(gathering, `g${i}`, { lane: 'g', due_at })
    const lane = `${gathering.name}|g`
    world.app.worker.expect(due.map((run_at) => ({ account_id, pool: 'work', lane, run_at })))
    await expect.poll(() => gathered.reduce((sum, size) => sum + size, 0)).toBe(32)
    // One at once, five moments within the 800 ms, and whoever looks at the whole queue meanwhile. One by one they were twenty.
    expect(gathered.length).toBeLessThanOrEqual(12)
  })

  it('let what fails inside a batch fail alone', async () => {
    const lane = randomUUID()
    await tasks.enqueue(together, 'sound', { lane })
    const poisoned = await tasks.enqueue(together, 'poison', { lane })
    wake()
    await expect.poll(async () => (await tasks.row(poisoned)).error?.code).toBe('internal_error')
    await expect.poll(() => waiting('poller.together')).toBe(1)
    await world.db.sql`delete from job where id = ${poisoned}`
  })

  it('hold no more of a lane at a time than it may, so that what hangs leaves slots for others', async () => {
    let release = () => {}
    held.set('stuck', new Promise((resolve) => (release = resolve)))
    for (let i = 0; i < 40; i++) await tasks.enqueue(hanging, `stuck ${i}`, { lane: 'stuck' })
    for (let i = 0; i < 10; i++) await tasks.enqueue(hanging, `free ${i}`, { lane: 'free' })
    wake()
    await expect.poll(() => hungry.filter((mark) => mark.startsWith('free')).length).toBe(10)
    expect(hungry.filter((mark) => mark.startsWith('stuck'))).toHaveLength(2)
    release()
    await expect.poll(() => hungry.length).toBe(50)
  })
})

describe('accounts', () => {
  it('share the slots: a crowd of lanes of one has half of them, the next a third, and who comes last finds one', async () => {
    let release = () => {}
    held.set('crowd', new Promise((resolve) => (release = resolve)))
    const enqueue = async (who: string, count: number) => {
      const own = tasksOf(world, await world.account())
      for (let i = 0; i < count; i++) await own.enqueue(crowding, `${who} ${i}`, { lane: `${who} ${i}` })
      wake()
    }
    const running = (who: string) => atOnce.filter((mark) => mark.startsWith(who)).length
    await enqueue('first', 40)
    await expect.poll(() => running('first')).toBe(8)
    await enqueue('second', 40)
    await expect.poll(() => running('second')).toBe(4)
    await enqueue('last', 1)
    await expect.poll(() => running('last')).toBe(1)
    expect([running('first'), running('second')]).toEqual([8, 4])
    release()
    await expect.poll(() => atOnce.length).toBe(81)
    // Within an account its lanes take turns too, each in its place.
    expect(new Set(atOnce).size).toBe(81)
  })
})

describe('what is due much later', () => {
  it('is parked out of the way and comes back by itself when its time is near', async () => {
    const id = await tasks.enqueue(again, randomUUID())
    wake()
    await expect
      .poll(async () => (await world.db.sql<{ parked: boolean }>`select parked from job where id = ${id}`)[0]?.parked)
      .toBe(true)
    expect((await tasks.row(id)).attempts).toBe(0)
    await world.db.sql`update job set run_at = now() where id = ${id}`
    await expect
      .poll(async () => (await world.db.sql<{ looks: number }>`select looks from job where id = ${id}`)[0]?.looks)
      .toBe(2)
  })
})
