import { claimableJobs, claimedJobs, endedUnclaimed, type LateRun, lateJobs } from '../kernel/late-claim.ts'
import type { Owner } from '../kernel/owner.ts'
import { type AsRead, asRead } from '../kernel/rows.ts'
import type { Transactor } from '../kernel/transactor.ts'
import type { UnitOfWork } from '../kernel/unit-of-work.ts'

interface FirstLanding {
  readonly as_read: readonly AsRead[]
  readonly gather: (unit: UnitOfWork) => void | Promise<void>
  /** Jobs of the run that end with it. */
  readonly ends: readonly string[]
  readonly steady: boolean
}

/**
 * Lands the first of a run that has not claimed its jobs: with it they are claimed, or ended where nothing is left to do for them.
 * Null where somebody was quicker with what was read, or with the jobs.
 */
export async function landClaiming(
  transactor: Pick<Transactor, 'land'>,
  owner: Owner,
  run: LateRun,
  { as_read, gather, ends, steady }: FirstLanding,
): Promise<string | null> {
  const ended = lateJobs(run, (id) => ends.includes(id))
  const claimed = lateJobs(run, (id) => !ends.includes(id))
  const whole = async (unit: UnitOfWork) => {
    await gather(unit)
    if (ended.length > 0) unit.write(endedUnclaimed, ended)
    if (claimed.length > 0) unit.write(claimedJobs, claimed)
  }
  const jobs = asRead(claimableJobs, lateJobs(run))
  const xid = await transactor.land(owner, [...as_read, jobs], whole, { steady }).catch((error: unknown) => {
    // Nobody knows whether it landed. If it did, the jobs are this worker's, and how they ended is recorded as ever.
    run.claimed()
    throw error
  })
  if (xid !== null) run.claimed()
  return xid
}

/** Claims the jobs of a run and nothing else. False where they are no longer as they were in memory. */
export async function claimLate(
  transactor: Pick<Transactor, 'land'>,
  owner: Owner,
  run: LateRun,
  steady: boolean,
): Promise<boolean> {
  const nothing = { as_read: [], gather: () => undefined, ends: [], steady }
  return (await landClaiming(transactor, owner, run, nothing)) !== null
}
