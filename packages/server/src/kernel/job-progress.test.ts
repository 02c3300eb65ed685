import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../test/support/world.ts'
import { recordProgress } from './job-progress.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
})
afterAll(() => world.close())

describe('the progress of a job', () => {
  it('is the result it has so far, and never takes the place of the one it ended with', async () => {
    const account = await world.account()
    const key = await world.key(account)
    await world.db.sql`
      insert into job (id, name, type, account_id, mode, payload, status, due_at, run_at, max_attempts, created_at)
      values ('job_p', 'none', 'none', ${account}, 'test', '{}', 'running', now(), now(), 1, now())`
    const shown = async () => (await world.get('/v1/jobs/job_p', { key })).body.result
    await recordProgress(world.db.sql, 'job_p', { rows_done: 5 })
    expect(await shown()).toEqual({ rows_done: 5 })
    await world.db
      .sql`update job set status = 'succeeded', finished_at = now(), result = '{"rows": 9}' where id = 'job_p'`
    await recordProgress(world.db.sql, 'job_p', { rows_done: 7 })
    expect(await shown()).toEqual({ rows: 9 })
  })
})
