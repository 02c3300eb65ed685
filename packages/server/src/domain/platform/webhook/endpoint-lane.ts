import type { Entry, JobOutcome } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { AdaptiveQueue } from './adaptive-queue.ts'
import { attempt, GONE } from './attempt.ts'
import { type Outcome, recordOutcomes } from './deliver-store.ts'
import type { DeliveryBatcher } from './delivery-batcher.ts'
import { giveUpEndpoint, shouldGiveUp } from './give-up.ts'
import { type KeyOpener, keyOpener } from './signing.ts'
import type { DeliveryName, Task } from './task-store.ts'

/** A batch has so long to start what it holds; the rest goes back to the queue. */
const START_WITHIN_MS = 20_000

/** One batch of jobs, and how each of them ended. */
export class DeliveryRun {
  readonly ctx: JobContext
  readonly openKey: KeyOpener
  readonly ends = new Map<string, JobOutcome | Error>()
  readonly until = performance.now() + START_WITHIN_MS
  /** Resolves once every job of the batch has its end. */
  readonly over: Promise<void>
  #left: number
  #resolve: () => void = () => undefined

  constructor(ctx: JobContext, endpoint_id: string, size: number) {
    this.ctx = ctx
    this.openKey = keyOpener(ctx.ports.vault, endpoint_id)
    this.#left = size
    this.over = new Promise((resolve) => {
      this.#resolve = resolve
    })
    if (size === 0) this.#resolve()
  }

  end(id: string, how: JobOutcome | Error): void {
    this.ends.set(id, how)
    if (--this.#left === 0) this.#resolve()
  }
}

interface Pending {
  readonly run: DeliveryRun
  readonly job_id: string
  readonly name: DeliveryName
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

/** How the job of a delivery ends where no attempt is due now, or null where one is. */
function endWithoutAttempt({ ctx }: DeliveryRun, task: Task | null): JobOutcome | null {
  if (task?.status !== 'pending') return 'done'
  // Recorded by a worker that died before it could reschedule the job.
  const early = task.attempts > 0 && task.next_attempt_at && task.next_attempt_at > ctx.now()
  return early ? { again_at: task.next_attempt_at as Date } : null
}

/**
 * The deliveries that one endpoint is owed at this moment, of all batches that hold some: in order, so many at a time,
 * each read shortly before it is sent. The next one does not wait until the last one is recorded.
 */
export class EndpointLane {
  readonly #batcher: DeliveryBatcher
  readonly #onEmpty: () => void
  readonly #unread: Pending[] = []
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

  add(run: DeliveryRun, entries: readonly Entry<DeliveryName>[]): void {
    for (const { id, payload } of entries) this.#unread.push({ run, job_id: id, name: payload })
    this.#readAhead()
  }

  #readAhead(): void {
    if (this.#reading || this.#queue.waiting > this.#ahead / 2) return
    if (this.#unread.length > 0) void this.#read(this.#unread.splice(0, this.#nextRead()))
    else if (this.#queue.idle) this.#onEmpty()
  }

  #nextRead(): number {
    const now = performance.now()
    this.#ahead = nextReadAhead(this.#ahead, now - this.#read_at)
    this.#read_at = now
    return this.#ahead
  }

  async #read(pending: readonly Pending[]): Promise<void> {
    this.#reading = true
    const tasks = await this.#batcher.load(pending.map(({ name }) => name)).catch((error: Error) => error)
    this.#reading = false
    if (tasks instanceof Error) {
      for (const { run, job_id } of pending) run.end(job_id, tasks)
      return this.#readAhead()
    }
    const read_at = performance.now()
    if (tasks.some((task) => task?.endpoint?.failing)) this.#queue.restrain()
    this.#queue.add(pending.map(({ run, job_id, name }, i) => ({ run, job_id, name, task: tasks[i] ?? null, read_at })))
  }

  #step(loaded: Loaded): Promise<boolean> | null {
    const { run, job_id, task, read_at } = loaded
    const now = performance.now()
    if (now > run.until) return this.#end(loaded, { again_at: run.ctx.now() })
    if (now - read_at >= FRESH_MS) return this.#sendAnew(loaded)
    const end = endWithoutAttempt(run, task)
    if (end || !task) return this.#end(loaded, end ?? 'done')
    return this.#send(run, job_id, task)
  }

  #end({ run, job_id }: Pending, how: JobOutcome): null {
    run.end(job_id, how)
    return null
  }

  /** It waited for too long since it was read. */
  async #sendAnew({ run, job_id, name }: Loaded): Promise<boolean> {
    try {
      const [task = null] = await this.#batcher.load([name])
      const end = endWithoutAttempt(run, task)
      if (!end && task) return await this.#send(run, job_id, task)
      run.end(job_id, end ?? 'done')
      return true
    } catch (error) {
      run.end(job_id, error as Error)
      return false
    }
  }

  async #send(run: DeliveryRun, job_id: string, task: Task): Promise<boolean> {
    try {
      this.#batcher.began()
      const outcome = await attempt(run.ctx, { job_id, task }, run.openKey)
      this.#record(run, outcome)
      return outcome.succeeded || outcome.attempt === null
    } catch (error) {
      run.end(job_id, error as Error)
      return false
    } finally {
      this.#batcher.ended()
    }
  }

  /** What is not recorded is sent again. */
  #record(run: DeliveryRun, outcome: Outcome): void {
    const { job_id, task, succeeded, next_attempt_at, response_status } = outcome
    const fail = (error: Error) => run.end(job_id, error)
    if (response_status === GONE) {
      endAtGone(run.ctx, outcome).then(() => run.end(job_id, 'done'), fail)
      return
    }
    this.#batcher.record(outcome, (health) => {
      if (health instanceof Error) return fail(health)
      const how: JobOutcome = next_attempt_at ? { again_at: next_attempt_at } : 'ended'
      if (succeeded || !health || !shouldGiveUp(health, run.ctx.now())) return run.end(job_id, how)
      // That was one failure too many.
      giveUp(run.ctx, task).then(() => run.end(job_id, how), fail)
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
