// What is under way comes and goes, and PostgreSQL looks at its tables when they hold next to nothing as often as when they are full. A plan
// that was made then is kept, and has to be as good for thousands of rows: it finds each by its key.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settledFlights } from '../src/domain/issuing/document/in-flight.ts'
import { claimLanes } from '../src/kernel/claim.ts'
import { type Fragment, joined, nothing, part, type Sql } from '../src/kernel/db.ts'
import { claimableJobs, claimedJobs, endedUnclaimed, type LateRun, type WaitingJob } from '../src/kernel/late-claim.ts'
import { endedJobs, renewLeases } from '../src/kernel/queue.ts'
import type { RowCheck, RowWriter } from '../src/kernel/rows.ts'
import { type PlanStep, steadyPlansOf } from './support/plan-of.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  await world.db.sql`delete from job`
  await world.db.sql`vacuum analyze job, document_in_flight`
})
afterAll(() => world.close())

const IDS = ['one', 'another', 'a third']
const tenant = { account_id: 'acc', empresa_id: 'emp', mode: 'test' } as const
const at = new Date('2026-11-19T12:00:00Z')
const waiting = (id: string): WaitingJob => ({
  id,
  name: 'document.follow',
  account_id: tenant.account_id,
  mode: 'test',
  empresa_id: tenant.empresa_id,
  pool: 'work',
  lane: 'lane',
  run_at: at,
  due_at: at,
  max_attempts: 1,
  payload: {},
  hint: undefined,
})
const run: LateRun = {
  worker: 'w',
  jobs: IDS.map(waiting),
  in_order: true,
  isClaimed: () => false,
  claimed: () => undefined,
}
const late = run.jobs.map((job) => ({ job, run }))

/** A statement of several parts that writes on a condition. */
const landing =
  <Row>(write: RowWriter<Row>, rows: readonly Row[]) =>
  (sql: Sql) =>
    sql`with found as materialized (select true as yes), ${joined(write(rows, part`join found on found.yes`), ', ')} select 1`
const check =
  <Row>(rowCheck: RowCheck<Row>, rows: readonly Row[], unless_free: Fragment = nothing) =>
  (sql: Sql) =>
    sql`select (${rowCheck(rows, unless_free)})`

const STATEMENTS: Readonly<Record<string, (sql: Sql) => Promise<unknown>>> = {
  'settled documents leave': landing(
    settledFlights,
    IDS.map((id) => ({ ...tenant, id })),
  ),
  'jobs end': landing(
    endedJobs,
    IDS.map((id) => ({ id, worker: 'w' })),
  ),
  'jobs end that nobody claimed': landing(endedUnclaimed, late),
  'jobs are claimed by what they did': landing(claimedJobs, late),
  'jobs are as they were': check(claimableJobs, late),
  'lanes are claimed': (sql) =>
    claimLanes(sql, { worker: 'w', pool: 'work', lanes: [{ account: 'acc', lane: 'lane', capacity: 9 }] }),
  'leases are renewed': (sql) => renewLeases(sql, 'w', IDS),
}

const UNDER_WAY = /^(job|document_in_flight)(_|$)/
/** Steps that go through all of a table of what is under way: by no condition of an index. */
const throughAll = (plan: readonly PlanStep[]) =>
  plan.filter((step) => {
    const of_table = UNDER_WAY.test(step['Relation Name'] ?? step['Index Name'] ?? '')
    const reads = /Seq Scan|Index Scan|Index Only Scan|Bitmap Index Scan/.test(step['Node Type'])
    return of_table && reads && step['Index Cond'] === undefined
  })

describe('what is under way is found by its keys, by a plan of when there was none', () => {
  it.each(Object.entries(STATEMENTS))('%s', async (_, read) => {
    const plans = await steadyPlansOf(world.db.steady, read)
    expect(plans).toHaveLength(1)
    expect(plans.flat().some((step) => UNDER_WAY.test(step['Relation Name'] ?? ''))).toBe(true)
    expect(plans.flatMap(throughAll)).toEqual([])
  })
})
