import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHook } from '../../../../test/support/webhook-endpoint.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { loadTasks, type Outcome } from './deliver-store.ts'
import { batcherOf } from './delivery-batcher.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
})
afterAll(() => world.close())

async function outcomes(count: number): Promise<Outcome[]> {
  const hook = await openHook(world)
  for (let i = 0; i < count; i++) await hook.happen()
  await hook.close()
  const names = (await hook.deliveries()).map(({ id }) => ({ endpoint_id: hook.id, delivery_id: id }))
  const tasks = await loadTasks(world.db.sql, names)
  return tasks.flatMap((task) => {
    if (!task) return []
    const at = new Date('2026-01-01T00:00:00Z')
    const answered = { error: null, response_status: 200, response_excerpt: 'ok', duration_ms: 3 }
    return [{ task, attempt: 1, at, succeeded: true, next_attempt_at: null, ...answered }]
  })
}

const rowOf = async ({ task }: Outcome) =>
  (await world.db.sql<object>`select status, attempts, response_excerpt from webhook_delivery where id = ${task.id}`)[0]

describe('what is written down together', () => {
  it('is lost by none when one of them cannot be written', async () => {
    const [one, two, three] = (await outcomes(3)) as [Outcome, Outcome, Outcome]
    const broken = { ...two, response_excerpt: 'no\0text' }
    const ends = await Promise.allSettled(
      [one, broken, three].map((outcome) => batcherOf(world.db.sql).record(outcome)),
    )
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    for (const good of [one, three]) expect(await rowOf(good)).toMatchObject({ status: 'succeeded', attempts: 1 })
    expect(await rowOf(two)).toMatchObject({ status: 'pending', attempts: 0 })
  })

  it('stays as it is once it is settled', async () => {
    const [first] = (await outcomes(1)) as [Outcome]
    const batcher = batcherOf(world.db.sql)
    await batcher.record(first)
    await batcher.record({ ...first, succeeded: false, error: 'http_error', response_excerpt: 'later' })
    expect(await rowOf(first)).toEqual({ status: 'succeeded', attempts: 1, response_excerpt: 'ok' })
  })
})
