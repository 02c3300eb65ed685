import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineJob } from '../../test/support/define-job.ts'
import { acts, holding, look, runs, type Task, task, taskJobs, tasksOf } from '../../test/support/queue-probe.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { secondsFrom, systemNow } from './clock.ts'
import { GiveUp } from './job.ts'
import { Problem } from './problem.ts'

let world: World
let account: string
let key: string
let tasks: ReturnType<typeof tasksOf>
beforeAll(async () => {
  world = await openWorld({ jobs: taskJobs })
  account = await world.account()
  key = await world.key(account)
  tasks = tasksOf(world, account)
})
afterAll(() => world.close())

const wake = () => world.app.worker.wake()

describe('a job', () => {
  it('runs once and its result is read through GET /v1/jobs/{id}', async () => {
    const mark = randomUUID()
    acts.set(mark, async () => ({ done: { answer: 42 } }))
    const id = await tasks.enqueue(task, mark)
    wake()
    await tasks.becomes(id, 'succeeded')
    const sent = await world.get(`/v1/jobs/${id}`, { key })
    expect(sent.body).toMatchObject({ object: 'job', type: 'probe', status: 'succeeded', attempts: 1, error: null })
    expect(sent.body.result).toEqual({ answer: 42 })
    expect(sent.headers['svc-poll-after']).toBeUndefined()
    expect(runs.get(mark)).toBe(1)
  })

  it('does not run before it is due', async () => {
    const mark = randomUUID()
    const id = await tasks.enqueue(task, mark, { due_at: secondsFrom(new Date(systemNow()), 3600) })
    wake()
    await sleep(200)
    expect([runs.get(mark), (await tasks.row(id)).status]).toEqual([undefined, 'queued'])
    expect((await world.get(`/v1/jobs/${id}`, { key })).headers['svc-poll-after']).toBe('1')
  })

  it('404 job_not_found for one of another account, of another mode, and for an internal one', async () => {
    const id = await tasks.enqueue(task, randomUUID())
    const internal = await tasks.enqueue(look, randomUUID())
    const stranger = await world.key(await world.account())
    const live = await world.key(account, { mode: 'live' })
    for (const [job, who] of [
      [id, stranger],
      [id, live],
      [internal, key],
      ['job_nothing', key],
    ] as const) {
      const sent = await world.get(`/v1/jobs/${job}`, { key: who })
      expect([sent.status, sent.body.error.code]).toEqual([404, 'job_not_found'])
    }
  })
})

describe('a job that fails', () => {
  it('is tried again by its schedule, the last wait repeating, then buried with what went wrong', async () => {
    const mark = randomUUID()
    acts.set(mark, async () => {
      throw new Problem('sii_unreachable')
    })
    const id = await tasks.enqueue(task, mark)
    const since = systemNow()
    wake()
    for (const [attempts, seconds] of [
      [1, 10],
      [2, 70],
    ] as const) {
      await expect.poll(async () => (await tasks.row(id)).attempts).toBe(attempts)
      await tasks.becomes(id, 'queued')
      expect(await tasks.wasPutOff(id, seconds, since)).toBe(true)
      expect((await tasks.row(id)).error?.code).toBe('sii_unreachable')
      await tasks.bringForward(id)
    }
    await tasks.becomes(id, 'failed')
    const { body } = await world.get(`/v1/jobs/${id}`, { key })
    expect(body).toMatchObject({ status: 'failed', attempts: 3, error: { code: 'sii_unreachable' } })
    expect(body.finished_at).not.toBeNull()
    expect(runs.get(mark)).toBe(3)
  })

  it('tells the caller nothing of a defect of ours', async () => {
    const mark = randomUUID()
    acts.set(mark, async () => {
      throw new Error('select secret from vault where password = hunter2')
    })
    const id = await tasks.enqueue(task, mark)
    wake()
    await expect
      .poll(async () => (await tasks.row(id)).error)
      .toEqual({ code: 'internal_error', message: 'Something failed on our side.' })
    expect((await world.get(`/v1/jobs/${id}`, { key })).text).not.toContain('hunter2')
  })

  it('is buried at once when no retry can mend it', async () => {
    const mark = randomUUID()
    acts.set(mark, async () => {
      throw new GiveUp('mail_refused', 'There is nothing to send it to.')
    })
    const id = await tasks.enqueue(task, mark)
    wake()
    await tasks.becomes(id, 'failed')
    expect(await tasks.row(id)).toMatchObject({
      attempts: 1,
      error: { code: 'mail_refused', message: 'There is nothing to send it to.' },
    })
  })

  it('is buried when nothing here knows how to run it', async () => {
    const unknown = defineJob<Task>({ name: 'queue.unknown', type: 'probe', run: async () => 'done' })
    const id = await tasks.enqueue(unknown, randomUUID())
    wake()
    await tasks.becomes(id, 'failed')
    expect((await tasks.row(id)).error?.code).toBe('unknown_job')
  })
})

describe('a job that asks to wait', () => {
  it('looks again by its own schedule and never counts as failed', async () => {
    const mark = randomUUID()
    acts.set(mark, async () => 'not_yet')
    const id = await tasks.enqueue(look, mark)
    const since = systemNow()
    wake()
    for (const [n, seconds] of [
      [1, 10],
      [2, 30],
      [3, 300],
      [4, 300],
    ] as const) {
      await expect.poll(() => runs.get(mark)).toBe(n)
      await tasks.becomes(id, 'queued')
      expect(await tasks.wasPutOff(id, seconds, since)).toBe(true)
      expect((await tasks.row(id)).attempts).toBe(0)
      if (n === 4) acts.set(mark, async () => 'done')
      await tasks.bringForward(id)
    }
    await tasks.becomes(id, 'succeeded')
  })
})

describe('a key', () => {
  it('is the same job while one is queued or running, and a new one afterwards', async () => {
    const [mark, name] = [randomUUID(), randomUUID()]
    const release = holding(mark)
    const first = await tasks.enqueue(task, mark, { key: name })
    expect(await tasks.enqueue(task, mark, { key: name })).toBe(first)
    wake()
    await tasks.becomes(first, 'running')
    expect(await tasks.enqueue(task, mark, { key: name })).toBe(first)
    release()
    await tasks.becomes(first, 'succeeded')
    expect(await tasks.enqueue(task, mark, { key: name })).not.toBe(first)
  })

  it('gives one id to everyone who asks at once', async () => {
    const name = randomUUID()
    const due_at = secondsFrom(new Date(systemNow()), 3600)
    const ids = await Promise.all(Array.from({ length: 8 }, () => tasks.enqueue(task, name, { key: name, due_at })))
    expect(new Set(ids).size).toBe(1)
  })
})
