import type { JobContext } from '../../job.ts'
import { AdaptiveQueue } from './adaptive-queue.ts'
import { attempt, GONE } from './attempt.ts'
import { type Outcome, recordOutcomes } from './deliver-store.ts'
import type { DeliveryBatcher } from './delivery-batcher.ts'
import type { DeliveryEnd, DeliveryJob } from './delivery-job.ts'
import { giveUpEndpoint, shouldGiveUp } from './give-up.ts'
import type { Task } from './task-store.ts'

interface Pending {
  readonly job: DeliveryJob
  readonly delivery_id: string
}

interface Loaded extends Pending {
  readonly task: Task | null
  readonly read_at: number
}

/** Requests to one endpoint at a time. A failing one gets a single request: it must not occupy workers for nothing. */
const WIDTH = { first: 8, most: 32 }
/**
 * How many tasks are read ahead, and for how long they count as fresh: the endpoint may change meanwhile. An endpoint that takes
 * them in no time has twice as many read with each read, for it would wait for the database; a slow one has the fewest, for what
 * waits too long is read again.
 */
const READ_AHEAD = { least: 64, most: 256 }
const FRESH_MS = 1_000
const QUICK_MS = FRESH_MS / 8

/** How many are read at a time after a read that was so many and lasted for so long. */
export function nextReadAhead(before: number, lasted_ms: number): number {
  return lasted_ms > QUICK_MS ? READ_AHEAD.least : Math.min(2 * before, READ_AHEAD.most)
}

/** How a delivery ends where no attempt is due now, or null where one is. */
function endWithoutAttempt({ isShared, run }: DeliveryJob, task: Task | null): DeliveryEnd | null {
  if (task?.status !== 'pending') return 'over'
  if (task.attempts === 0 || task.next_attempt_at === null) return null
  // Recorded by a worker that died before it could put it off, or by an earlier run of a job that it shares.
  return isShared || task.next_attempt_at > run.ctx.now() ? { again_at: task.next_attempt_at } : null
}

/**
 * The deliveries that one endpoint is owed at this moment, of all batches that hold some: in order, so many at a time,
 * each read shortly before it is sent. The next one does not wait until the last one is recorded.
 */
export class EndpointLane {
  readonly #batcher: DeliveryBatcher
  readonly #onEmpty: () => void
  /** Jobs with deliveries that were not read yet. */
  readonly #unread: DeliveryJob[] = []
  readonly #queue = new AdaptiveQueue<Loaded>(
    (loaded) => this.#step(loaded),
    WIDTH,
    () => this.#readAhead(),
  )
  #reading = false
  #ahead = READ_AHEAD.least
  #read_at = -Infinity

  /** `onEmpty` is told when there is nothing left to send. */
  constructor(batcher: DeliveryBatcher, onEmpty: () => void) {
    this.#batcher = batcher
    this.#onEmpty = onEmpty
  }

  add(jobs: readonly DeliveryJob[]): void {
    for (const job of jobs) if (job.hasMore) this.#unread.push(job)
    this.#readAhead()
  }

  #readAhead(): void {
    if (this.#reading || this.#queue.waiting > this.#ahead / 2) return
    if (this.#unread.length > 0) void this.#read(this.#nextToRead())
    else if (this.#queue.idle) this.#onEmpty()
  }

  #nextToRead(): Pending[] {
    const now = performance.now()
    this.#ahead = nextReadAhead(this.#ahead, now - this.#read_at)
    this.#read_at = now
    const next: Pending[] = []
    for (let job = this.#unread[0]; job && next.length < this.#ahead; job = this.#unread[0]) {
      if (now > job.run.until) job.giveBack()
      for (const delivery_id of job.take(this.#ahead - next.length)) next.push({ job, delivery_id })
      if (!job.hasMore) this.#unread.shift()
    }
    return next
  }

  async #read(pending: readonly Pending[]): Promise<void> {
    this.#reading = true
    const names = pending.map(({ job: { endpoint_id }, delivery_id }) => ({ endpoint_id, delivery_id }))
    const tasks = await this.#batcher.load(names).catch((error: Error) => error)
    this.#reading = false
    if (tasks instanceof Error) {
      for (const { job, delivery_id } of pending) job.end(delivery_id, tasks)
      return this.#readAhead()
    }
    const read_at = performance.now()
    if (tasks.some((task) => task?.endpoint?.failing)) this.#queue.restrain()
    this.#queue.add(pending.map(({ job, delivery_id }, i) => ({ job, delivery_id, task: tasks[i] ?? null, read_at })))
  }

  #step(loaded: Loaded): Promise<boolean> | null {
    const { job, task, read_at } = loaded
    const now = performance.now()
    if (now > job.run.until) return this.#end(loaded, 'not_begun')
    if (now - read_at >= FRESH_MS) return this.#sendAnew(loaded)
    const end = endWithoutAttempt(job, task)
    if (end || !task) return this.#end(loaded, end ?? 'over')
    return this.#send(job, task)
  }

  #end({ job, delivery_id }: Pending, how: DeliveryEnd): null {
    job.end(delivery_id, how)
    return null
  }

  /** It waited for too long since it was read. */
  async #sendAnew({ job, delivery_id }: Loaded): Promise<boolean> {
    try {
      const [task = null] = await this.#batcher.load([{ endpoint_id: job.endpoint_id, delivery_id }])
      const end = endWithoutAttempt(job, task)
      if (!end && task) return await this.#send(job, task)
      job.end(delivery_id, end ?? 'over')
      return true
    } catch (error) {
      job.end(delivery_id, error as Error)
      return false
    }
  }

  async #send(job: DeliveryJob, task: Task): Promise<boolean> {
    try {
      this.#batcher.began()
      const outcome = await attempt(job.run.ctx, task, job.run.openKey)
      this.#record(job, outcome)
      return outcome.succeeded || outcome.attempt === null
    } catch (error) {
      job.end(task.id, error as Error)
      return false
    } finally {
      this.#batcher.ended()
    }
  }

  /** What is not recorded is sent again. */
  #record(job: DeliveryJob, outcome: Outcome): void {
    const { ctx } = job.run
    const { task, succeeded, next_attempt_at, response_status } = outcome
    const fail = (error: Error) => job.end(task.id, error)
    if (response_status === GONE) {
      endAtGone(ctx, outcome).then(() => job.end(task.id, 'over'), fail)
      return
    }
    this.#batcher.record({ outcome, job }, (health) => {
      if (health instanceof Error) return fail(health)
      const how: DeliveryEnd = next_attempt_at ? { again_at: next_attempt_at } : 'over'
      if (succeeded || !health || !shouldGiveUp(health, ctx.now())) return job.end(task.id, how)
      // That was one failure too many.
      giveUp(ctx, task).then(() => job.end(task.id, how), fail)
    })
  }
}

function endAtGone(ctx: JobContext, outcome: Outcome): Promise<void> {
  return ctx.transact(async (tx) => {
    await recordOutcomes(tx.sql, [outcome])
    await giveUpEndpoint(tx, outcome.task, outcome.task.endpoint_id, 'gone')
  })
}

function giveUp(ctx: JobContext, task: Task): Promise<void> {
  return ctx.transact((tx) => giveUpEndpoint(tx, task, task.endpoint_id, 'failing'))
}
