import { coalesce } from '../../../kernel/coalesce.ts'
import { isDatabaseAway, type Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import { readEventBytes } from '../event/lookup.ts'
import { isOver, type Outcome, recordOutcomes } from './deliver-store.ts'
import type { DeliveryJob } from './delivery-job.ts'
import { openEventShelf } from './event-shelf.ts'
import { type Health, recordHealth } from './store.ts'
import { type DeliveryName, loadTasks, type Task } from './task-store.ts'

/** Many deliveries of an account are under way at once; their reads and writes reach the database together. */
export interface DeliveryBatcher {
  load(names: readonly DeliveryName[]): Promise<readonly (Task | null)[]>
  /** An attempt is under way, and is so no longer: while any is, what is to be recorded waits a moment for it. */
  began(): void
  ended(): void
  /** Tells the health of the endpoint where an attempt failed there, once it is recorded, with the end of its job where that was the last of it. */
  record(recorded: Recorded, done: (health: Health | null | Error) => void): void
}

/** What came of a delivery, and the job that it belongs to. */
export interface Recorded {
  readonly outcome: Outcome
  readonly job: Pick<DeliveryJob, 'id' | 'endsWith' | 'deleted'>
}

type EndJobs = JobContext['endJobs']

/** Jobs of which nothing is left to do once all of this is recorded. */
function jobsThatEnd(recorded: readonly Recorded[]): Recorded['job'][] {
  const over = new Map<Recorded['job'], number>()
  for (const { job, outcome } of recorded) if (isOver(outcome)) over.set(job, (over.get(job) ?? 0) + 1)
  return [...over].filter(([job, count]) => job.endsWith(count)).map(([job]) => job)
}

async function recordBatch(sql: Sql, recorded: readonly Recorded[], endJobs: EndJobs): Promise<(Health | null)[]> {
  const outcomes = recorded.map(({ outcome }) => outcome)
  const ended = jobsThatEnd(recorded)
  await recordOutcomes(sql, outcomes, endJobs(ended.map(({ id }) => id)))
  for (const job of ended) job.deleted()
  const relevant = outcomes.filter(({ attempt, succeeded, task }) => {
    return attempt !== null && (!succeeded || task.endpoint?.failing)
  })
  const health = relevant.length === 0 ? new Map<string, Health>() : await recordHealth(sql, relevant)
  return outcomes.map(({ task }) => health.get(task.endpoint_id) ?? null)
}

/** An outcome that cannot be written fails alone: were it to fail the batch, the others would be sent again and again. */
async function recordEach(
  sql: Sql,
  recorded: readonly Recorded[],
  endJobs: EndJobs,
): Promise<(Health | null | Error)[]> {
  try {
    return await recordBatch(sql, recorded, endJobs)
  } catch (error) {
    if (recorded.length === 1 || isDatabaseAway(error)) return recorded.map(() => error as Error)
    const ends: (Health | null | Error)[] = []
    for (const one of recorded) ends.push(...(await recordEach(sql, [one], endJobs)))
    return ends
  }
}

/** How many lanes are read for at once. */
const MOST_LISTS = 4
const MOST_OUTCOMES = 128
/** How long an outcome waits for others at most. Nobody but a reader of the delivery sees it. */
const GATHER_MS = 25

type Done = (health: Health | null | Error) => void

export function openBatcher({
  sql,
  account_id,
  mode,
  endJobs,
}: Pick<JobContext, 'sql' | 'account_id' | 'mode' | 'endJobs'>): DeliveryBatcher {
  if (account_id === null || mode === null) throw new Error('a delivery is of an account in a mode')
  const scope: AccountScope = { account_id, mode }
  const readEvents = openEventShelf((ids) => readEventBytes(sql, scope, ids))
  const load = coalesce(
    async (lists: readonly (readonly DeliveryName[])[]) => {
      const tasks = await loadTasks(sql, scope, lists.flat(), readEvents)
      return lists.map(({ length }) => tasks.splice(0, length))
    },
    { most: MOST_LISTS },
  )
  let gathered: Recorded[] = []
  let waiting: Done[] = []
  let under_way = 0
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    if (timer) clearTimeout(timer)
    timer = null
    if (gathered.length === 0) return
    const told = waiting
    void recordEach(sql, gathered, endJobs).then((ends) => {
      for (const [i, done] of told.entries()) done(ends[i] ?? null)
    })
    gathered = []
    waiting = []
  }

  return {
    load,
    began: () => void under_way++,
    ended() {
      if (--under_way === 0) flush()
    },
    record(recorded, done) {
      gathered.push(recorded)
      waiting.push(done)
      if (gathered.length >= MOST_OUTCOMES) flush()
      else timer ??= setTimeout(flush, GATHER_MS)
    },
  }
}
