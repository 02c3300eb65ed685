import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acts, hold, runs, task, taskJobs, tasksOf } from '../../test/support/queue-probe.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import type { AccountContext } from '../domain/context.ts'
import { defineOperation } from '../domain/operation.ts'
import { type Claim, claimJobs } from '../kernel/claim.ts'
import { secondsFrom, systemNow } from '../kernel/clock.ts'
import { Closed } from '../kernel/schema.ts'

const ask = defineOperation({
  id: 'probe.ask',
  method: 'POST',
  path: '/probe',
  summary: 'Ask for work',
  reach: 'account',
  body: Closed({ mark: Type.String() }),
  returns: Closed({ job_id: Type.String() }),
  run: async (ctx: AccountContext, payload) => ({ job_id: await ctx.enqueue(task, { payload }) }),
})

// One process that only answers and two that work, over one database.
let api: World
let working: World[]
let account: string
beforeAll(async () => {
  api = await openWorld({ operations: [ask], jobs: taskJobs, runs_jobs: false })
  account = await api.account()
  working = [await openWorld({ beside: api, jobs: taskJobs }), await openWorld({ beside: api, jobs: taskJobs })]
})
afterAll(async () => {
  await working[0]?.close()
  await api.close()
})

const CLAIM: Omit<Claim, 'worker'> = {
  ...{ pool: 'work', after: '', accounts: 10, places: 10, room: 10, turns: [], busy: [], batches: new Map() },
  capacities: new Map([['queue.hold', 10]]),
}

describe('two workers', () => {
  it('never run one job at once, and run each job once', async () => {
    const tasks = tasksOf(api, account)
    const marks = Array.from({ length: 150 }, () => randomUUID())
    let inside = new Set<string>()
    let overlaps = 0
    for (const mark of marks) {
      acts.set(mark, async () => {
        if (inside.has(mark)) overlaps++
        inside = new Set([...inside, mark])
        await sleep(Math.random() * 10)
        inside.delete(mark)
        return 'done'
      })
    }
    await Promise.all(marks.map((mark) => tasks.enqueue(task, mark)))
    for (const one of working) one.app.worker.wake()
    await expect.poll(() => marks.filter((mark) => runs.get(mark) === 1).length).toBe(150)
    expect(overlaps).toBe(0)
  })

  it('divide what is due between claims made at the same moment', async () => {
    const apart = await openWorld({ jobs: taskJobs, runs_jobs: false })
    const due_at = secondsFrom(new Date(systemNow()), -5)
    const tasks = tasksOf(apart, await apart.account())
    await Promise.all(Array.from({ length: 40 }, () => tasks.enqueue(hold, randomUUID(), { due_at })))
    const claims = await Promise.all(
      ['w_a', 'w_b', 'w_c', 'w_d', 'w_e'].map((worker) => claimJobs(apart.db.sql, { ...CLAIM, worker })),
    )
    const claimed = claims.flat().map(({ id }) => id)
    expect(new Set(claimed).size).toBe(claimed.length)
    await apart.close()
  })
})

describe('the announcement', () => {
  it('wakes a worker in another process well before it would poll by itself', async () => {
    await working[1]?.close()
    const key = await api.key(account)
    const waits: number[] = []
    for (let i = 0; i < 8; i++) {
      const mark = randomUUID()
      const started = performance.now()
      acts.set(mark, async () => {
        waits.push(performance.now() - started)
        return 'done'
      })
      await api.post('/v1/probe', { key, body: { mark } })
      await expect.poll(() => waits.length, { interval: 5 }).toBe(i + 1)
    }
    // By polls alone each would wait for a second: the one before it ran with the poll before.
    expect(Math.min(...waits)).toBeLessThan(500)
  })
})
