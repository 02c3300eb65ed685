import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defineJob } from '../../test/support/define-job.ts'
import { gate } from '../../test/support/gate.ts'
import { type PlanStep, readWhole, watchPlans } from '../../test/support/plan-of.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { claimLanes } from '../kernel/claim.ts'
import { REAL_TIME } from '../kernel/clock.ts'
import { type Database, part, type Sql } from '../kernel/db.ts'
import type { WaitingJob } from '../kernel/late-claim.ts'
import { asRead, type RowCheck } from '../kernel/rows.ts'

// Nobody polls here: jobs are given to the worker as its poller gives those that it has in memory.

const begun: string[] = []
const ended: string[] = []
/** What happens in the midst of a run, before it lands anything. */
let meanwhile: () => Promise<unknown> = async () => undefined
const always: RowCheck<string> = () => part`select true`

const late = defineJob<{ mark: string }>({
  name: 'late.job',
  batch: 10,
  lane_concurrency: 1,
  delete_on_success: true,
  steady: true,
  claims_late: true,
  async runMany(ctx, entries) {
    const marks = entries.map(({ payload }) => payload.mark)
    begun.push(...marks)
    await meanwhile()
    const ids = entries.map(({ id }) => id)
    const landed = await ctx.land([asRead(always, marks)], () => undefined, ids)
    if (landed === null) await ctx.transact(async () => undefined, ids)
    ended.push(...marks)
    return new Map(ids.map((id) => [id, 'ended']))
  },
})

/** How statements are carried out that land. */
let plans: PlanStep[][] = []
function planned(sql: Sql): Sql {
  const watching = watchPlans(sql)
  return (strings, ...values) => {
    if (!strings.some((text) => text.includes('found as materialized'))) return sql(strings, ...values)
    plans = watching.plans
    return watching.sql(strings, ...values)
  }
}
const watched = (db: Database): Database => ({
  ...db,
  steady: { ...db.steady, sqlOf: (holder) => planned(db.steady.sqlOf(holder)) },
})

let world: World
let account_id: string
beforeAll(async () => {
  world = await openWorld({ jobs: [late], runs_jobs: false, database: watched })
})
afterAll(() => world.close())
beforeEach(async () => {
  account_id = await world.account()
  meanwhile = async () => undefined
  begun.length = 0
  ended.length = 0
})

/** Queues jobs as a verb does, one after the other in one lane. */
async function queue(marks: readonly string[]): Promise<void> {
  const owner = { account_id, mode: 'test', empresa_id: null, clock: REAL_TIME } as const
  for (const mark of marks)
    await world.app.transactor.transact(owner, (sql, unit) =>
      unit.enqueue(sql, late, { payload: { mark }, lane: account_id }),
    )
}

/** Runs jobs that wait, as the process that queued them has them in memory. */
async function runLate(marks: readonly string[]): Promise<boolean> {
  const jobs = await world.db.sql<WaitingJob>`
    select id, name, account_id, mode, empresa_id, pool, lane, run_at, due_at, max_attempts, payload from job
    where account_id = ${account_id} and payload ->> 'mark' = any(${marks}::text[]) order by run_at, id`
  return world.app.worker.performLate(jobs)
}

const rows = () => world.db.sql<{ status: string; worker: string | null; attempts: number; mark: string }>`
  select status, worker, attempts, payload ->> 'mark' as mark from job where account_id = ${account_id} order by run_at, id`
const waits = (mark: string) => ({ status: 'queued', worker: null, attempts: 0, mark })

describe('a job that claims late', () => {
  it('waits in the queue while it runs, and the statement that lands ends it', async () => {
    await queue(['lands'])
    const seen: unknown[] = []
    meanwhile = async () => seen.push(await rows())
    expect(await runLate(['lands'])).toBe(true)
    expect(seen).toEqual([[waits('lands')]])
    expect([ended, await rows()]).toEqual([['lands'], []])
  })

  it('is found by its id, and those before it by their lane', async () => {
    await queue(['planned'])
    await runLate(['planned'])
    const steps = plans.flat().filter((step) => step['Relation Name'] === 'job' && 'Index Name' in step)
    const found = steps.map((step) => [step['Index Name'], /\bid\b|lane/.test(step['Index Cond'] ?? '')])
    expect(found).toContainEqual(['job_pkey', true])
    expect(found).toContainEqual(['job_by_turn', true])
    expect(found.filter(([, by_key]) => !by_key)).toEqual([])
    expect(readWhole(plans.flat())).toEqual([])
  })

  it('that somebody else claimed meanwhile writes nothing, and is left to that one', async () => {
    await queue(['taken'])
    const lanes = [{ account: account_id, lane: `late.job|${account_id}`, capacity: 1 }]
    meanwhile = () => claimLanes(world.db.sql, { worker: 'other', pool: 'work', lanes })
    expect(await runLate(['taken'])).toBe(false)
    expect(ended).toEqual([])
    expect(await rows()).toEqual([{ status: 'running', worker: 'other', attempts: 1, mark: 'taken' }])
  })

  it('is not claimed from the queue by the process that runs it', async () => {
    await queue(['own', 'next'])
    const lanes = [{ account: account_id, lane: `late.job|${account_id}`, capacity: 2 }]
    const [own] = await world.db.sql<{ id: string }>`
      select id from job where account_id = ${account_id} and payload ->> 'mark' = 'own'`
    const claimed = await claimLanes(world.db.sql, { worker: 'w', pool: 'work', lanes, except: [own?.id ?? ''] })
    expect(claimed.map(({ payload }) => payload)).toEqual([{ mark: 'next' }])
  })

  it('does not overtake one that waits before it in its lane', async () => {
    await queue(['first', 'second'])
    expect(await runLate(['second'])).toBe(false)
    expect([ended, await rows()]).toEqual([[], [waits('first'), waits('second')]])
    expect(await runLate(['first', 'second'])).toBe(true)
    expect(ended).toEqual(['first', 'second'])
  })

  it('lands nothing on a clock that was set since: the job is that clock’s', async () => {
    await queue(['clocked'])
    meanwhile = () => world.db.sql`insert into test_clock (account_id, status) values (${account_id}, 'advancing')`
    expect(await runLate(['clocked'])).toBe(false)
    expect([ended, await rows()]).toEqual([[], [waits('clocked')]])
  })

  it('lands nothing where it was timed anew since', async () => {
    await queue(['timed'])
    meanwhile = () => world.db.sql`
      update job set run_at = run_at + interval '1 minute' where account_id = ${account_id}`
    expect(await runLate(['timed'])).toBe(false)
    expect([ended, await rows()]).toEqual([[], [waits('timed')]])
  })

  it('that fails is claimed to record it: the try counts, and it is put off', async () => {
    await queue(['fails'])
    meanwhile = async () => {
      throw new Error('it went wrong')
    }
    expect(await runLate(['fails'])).toBe(true)
    expect(await rows()).toMatchObject([{ status: 'queued', attempts: 1, mark: 'fails' }])
  })

  it('is free for anybody while a process hangs that has not claimed it', async () => {
    await queue(['orphan'])
    const held = gate()
    meanwhile = held.stand
    const hanging = runLate(['orphan'])
    await expect.poll(() => begun).toEqual(['orphan'])
    meanwhile = async () => undefined
    expect(await runLate(['orphan'])).toBe(true)
    held.open()
    expect(await hanging).toBe(false)
    expect([ended, await rows()]).toEqual([['orphan'], []])
  })
})
