import { describe, expect, it } from 'vitest'
import { handle } from '../domain/job.ts'
import { JOBS } from '../jobs.ts'
import type { Sql } from '../kernel/db.ts'
import { declareJob } from '../kernel/job.ts'
import type { WaitingJob } from '../kernel/late-claim.ts'
import { openPool, roomFor, SLOTS } from './slots.ts'

describe('the slots of heavy jobs', () => {
  it('are two, of which an account has one, whatever it has waiting, and the next account has the other', () => {
    expect(roomFor(0, SLOTS.heavy)).toBe(1)
    expect(roomFor(1, SLOTS.heavy - 1)).toBe(0)
    expect(roomFor(0, SLOTS.heavy - 1)).toBe(1)
  })

  it('are for the jobs that write thousands of rows', () => {
    const heavy = JOBS.filter(({ pool }) => pool === 'heavy').map(({ name }) => name)
    expect(heavy.sort()).toEqual(['sandbox.seed', 'statement.import', 'statement.undo'])
  })
})

describe('lanes of which all that is due is in memory', () => {
  const job = handle(declareJob({ name: 'late.job', claims_late: true }), async () => async () => 'done')
  const at = new Date(0)
  const waiting = (lane: string): WaitingJob => ({
    ...{ id: lane, name: 'late.job', account_id: 'a', pool: 'work', lane, run_at: at, due_at: at, mode: null },
    ...{ empresa_id: null, payload: null, max_attempts: 1, hint: undefined },
  })

  it('are run without a claim, and none counts as one that may have more, however few slots were left for it', async () => {
    const [asked, run]: [string[], string[]] = [[], []]
    const sql = (async (strings: TemplateStringsArray) => {
      asked.push(strings.join('?'))
      return []
    }) as Sql
    const performLate = async (jobs: readonly WaitingJob[]) => {
      run.push(...jobs.map(({ id }) => id))
      return true
    }
    const pool = openPool({ sql, worker: 'w', jobs: [job], perform: async () => undefined, performLate }, 'work')
    // As many as the share of one account: a slot for each.
    const lanes = Array.from({ length: roomFor(0, SLOTS.work) }, (_, i) => `late.job|${i}`)
    const known = lanes.map((lane) => ({ pool: 'work', account: 'a', lane, jobs: [waiting(lane)] }) as const)
    expect(await pool.pollLanes(known, () => undefined)).toEqual([])
    expect(run).toEqual(lanes)
    expect(asked).toEqual([])
  })
})
