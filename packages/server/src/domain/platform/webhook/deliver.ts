import type { Entry, JobOutcome, Outcomes } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { runAdaptively } from './adaptive-concurrency.ts'
import { attempt, GONE } from './attempt.ts'
import { type DeliveryName, type Outcome, recordOutcomes, type Task } from './deliver-store.ts'
import { batcherOf, type DeliveryBatcher } from './delivery-batcher.ts'
import { giveUpEndpoint, shouldGiveUp } from './give-up.ts'
import { type KeyOpener, keyOpener } from './signing.ts'

/** Records an attempt and gives the endpoint up where that was one failure too many. What is not recorded is retried. */
async function conclude(ctx: JobContext, outcome: Outcome): Promise<void> {
  const { task } = outcome
  if (outcome.response_status === GONE) {
    return ctx.transact(async (tx) => {
      await recordOutcomes(tx.sql, [outcome])
      await giveUpEndpoint(tx, task, task.endpoint_id, 'gone')
    })
  }
  const health = await batcherOf(ctx.sql).record(outcome)
  if (!outcome.succeeded && health && shouldGiveUp(health, ctx.now())) {
    await ctx.transact((tx) => giveUpEndpoint(tx, task, task.endpoint_id, 'failing'))
  }
}

/** How the job of a delivery ends where no attempt is due now, or null where one is. */
function endWithoutAttempt(ctx: JobContext, task: Task | null): JobOutcome | null {
  if (task?.status !== 'pending') return 'done'
  // Recorded by a worker that died before it could reschedule the job.
  const early = task.attempts > 0 && task.next_attempt_at && task.next_attempt_at > ctx.now()
  return early ? { again_at: task.next_attempt_at as Date } : null
}

/** Requests to one endpoint at a time. A failing one gets a single request: it must not occupy workers for nothing. */
const MOST_AT_ONCE = 8
const START_WITHIN_MS = 20_000
/** How many tasks are read ahead, and for how long they count as fresh: the endpoint may change meanwhile. */
const READ_AHEAD = 64
const FRESH_MS = 1_000

interface LoadedTask {
  readonly id: string
  readonly payload: DeliveryName
  readonly task: Task | null
  readonly read_at: number
}

/** The deliveries that one endpoint is owed at this moment. */
class DeliveryBatch {
  readonly ends = new Map<string, JobOutcome | Error>()
  readonly #ctx: JobContext
  readonly #batcher: DeliveryBatcher
  readonly #openKey: KeyOpener
  readonly #until = performance.now() + START_WITHIN_MS
  readonly #concluding: Promise<void>[] = []

  constructor(ctx: JobContext, endpoint_id: string) {
    this.#ctx = ctx
    this.#batcher = batcherOf(ctx.sql)
    this.#openKey = keyOpener(ctx.ports.vault, endpoint_id)
  }

  /** True on success. The next delivery does not wait until this one is recorded. */
  async #deliver(id: string, task: Task | null): Promise<boolean> {
    const end = endWithoutAttempt(this.#ctx, task)
    if (end || !task) {
      this.ends.set(id, end ?? 'done')
      return true
    }
    const outcome = await attempt(this.#ctx, task, this.#openKey)
    this.ends.set(id, outcome.next_attempt_at ? { again_at: outcome.next_attempt_at } : 'done')
    const failed = (error: Error) => void this.ends.set(id, error)
    this.#concluding.push(conclude(this.#ctx, outcome).catch(failed))
    return outcome.succeeded || outcome.attempt === null
  }

  async #load(entries: readonly Entry<DeliveryName>[]): Promise<LoadedTask[]> {
    const tasks = await Promise.all(entries.map(({ payload }) => this.#batcher.load(payload)))
    const read_at = performance.now()
    return entries.map(({ id, payload }, i) => ({ id, payload, task: tasks[i] ?? null, read_at }))
  }

  async #deliverAll(loaded: readonly LoadedTask[]): Promise<void> {
    const step = async ({ id, payload, task, read_at }: LoadedTask): Promise<boolean> => {
      try {
        const fresh = performance.now() - read_at < FRESH_MS
        return await this.#deliver(id, fresh ? task : await this.#batcher.load(payload))
      } catch (error) {
        this.ends.set(id, error as Error)
        return false
      }
    }
    const failing = loaded.some(({ task }) => task?.endpoint?.failing)
    const start_within_ms = this.#until - performance.now()
    await runAdaptively(loaded, step, { first: failing ? 1 : MOST_AT_ONCE, most: MOST_AT_ONCE, start_within_ms })
  }

  /** Deliveries that could not be started in time go back to the queue. */
  async run(entries: readonly Entry<DeliveryName>[]): Promise<void> {
    let ahead = this.#load(entries.slice(0, READ_AHEAD))
    for (let i = READ_AHEAD; ; i += READ_AHEAD) {
      const loaded = await ahead
      if (loaded.length === 0 || performance.now() > this.#until) break
      ahead = this.#load(entries.slice(i, i + READ_AHEAD))
      await Promise.all([this.#deliverAll(loaded), ahead])
    }
    await Promise.all(this.#concluding)
    for (const { id } of entries) if (!this.ends.has(id)) this.ends.set(id, { again_at: this.#ctx.now() })
  }
}

export async function deliverWebhooks(ctx: JobContext, entries: readonly Entry<DeliveryName>[]): Promise<Outcomes> {
  const batch = new DeliveryBatch(ctx, entries[0]?.payload.endpoint_id ?? '')
  await batch.run(entries)
  return batch.ends
}
