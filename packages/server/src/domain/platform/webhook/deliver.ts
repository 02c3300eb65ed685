import type { Entry, JobOutcome, Outcomes } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { sideBySide } from './adaptive-concurrency.ts'
import { attempt, GONE, type Opener, openerOf } from './attempt.ts'
import { type DeliveryName, type Outcome, recordOutcomes, type Task } from './deliver-store.ts'
import { type Desk, deskOf } from './delivery-batcher.ts'
import { giveUpEndpoint } from './give-up.ts'
import { isBeyondHope } from './health-store.ts'

/** What follows from an attempt. Until it is written down it has not happened: it is made again. */
async function conclude(ctx: JobContext, outcome: Outcome): Promise<void> {
  const { task } = outcome
  if (outcome.response_status === GONE) {
    return ctx.transact(async (tx) => {
      await recordOutcomes(tx.sql, [outcome])
      await giveUpEndpoint(tx, task, task.endpoint_id, 'gone')
    })
  }
  const health = await deskOf(ctx.sql).record(outcome)
  if (!outcome.succeeded && health && isBeyondHope(health, ctx.now())) {
    await ctx.transact((tx) => giveUpEndpoint(tx, task, task.endpoint_id, 'failing'))
  }
}

/** When to look at a delivery again though there is nothing to do now, or null where there is. */
function idle(ctx: JobContext, task: Task | null): JobOutcome | null {
  if (task?.status !== 'pending') return 'done'
  // Written down by a worker that died before it could say when to come back.
  const early = task.attempts > 0 && task.next_attempt_at && task.next_attempt_at > ctx.now()
  return early ? { again_at: task.next_attempt_at as Date } : null
}

/** How a lot goes about its endpoint. One that is failing is asked gently: it must not hold many hands for nothing. */
const MOST_AT_ONCE = 8
const START_WITHIN_MS = 20_000
/** How many are read ahead, for how long that is good: the endpoint may be changed or taken away meanwhile. */
const READ_AHEAD = 64
const FRESH_MS = 1_000

/** A delivery with what was read of it, and when. */
interface Ready {
  readonly id: string
  readonly payload: DeliveryName
  readonly task: Task | null
  readonly read_at: number
}

class Lot {
  readonly ends = new Map<string, JobOutcome | Error>()
  readonly #ctx: JobContext
  readonly #desk: Desk
  readonly #open: Opener
  readonly #until = performance.now() + START_WITHIN_MS
  readonly #concluding: Promise<void>[] = []

  constructor(ctx: JobContext, endpoint_id: string) {
    this.#ctx = ctx
    this.#desk = deskOf(ctx.sql)
    this.#open = openerOf(ctx.ports.vault, endpoint_id)
  }

  /** Tells whether it went well. The next one need not wait until this one is written down. */
  async #deliver(id: string, task: Task | null): Promise<boolean> {
    const nothing = idle(this.#ctx, task)
    if (nothing || !task) {
      this.ends.set(id, nothing ?? 'done')
      return true
    }
    const outcome = await attempt(this.#ctx, task, this.#open)
    this.ends.set(id, outcome.next_attempt_at ? { again_at: outcome.next_attempt_at } : 'done')
    const failed = (error: Error) => void this.ends.set(id, error)
    this.#concluding.push(conclude(this.#ctx, outcome).catch(failed))
    return outcome.succeeded || outcome.attempt === null
  }

  async #read(entries: readonly Entry<DeliveryName>[]): Promise<Ready[]> {
    const tasks = await Promise.all(entries.map(({ payload }) => this.#desk.load(payload)))
    const read_at = performance.now()
    return entries.map(({ id, payload }, i) => ({ id, payload, task: tasks[i] ?? null, read_at }))
  }

  async #deliverSome(ready: readonly Ready[]): Promise<void> {
    const step = async ({ id, payload, task, read_at }: Ready): Promise<boolean> => {
      try {
        const fresh = performance.now() - read_at < FRESH_MS
        return await this.#deliver(id, fresh ? task : await this.#desk.load(payload))
      } catch (error) {
        this.ends.set(id, error as Error)
        return false
      }
    }
    const fails = ready.some(({ task }) => task?.endpoint?.failing)
    const start_within_ms = this.#until - performance.now()
    await sideBySide(ready, step, { first: fails ? 1 : MOST_AT_ONCE, most: MOST_AT_ONCE, start_within_ms })
  }

  /** What could not be started in time is handed back, for whoever comes next. */
  async run(entries: readonly Entry<DeliveryName>[]): Promise<void> {
    let ahead = this.#read(entries.slice(0, READ_AHEAD))
    for (let i = READ_AHEAD; ; i += READ_AHEAD) {
      const ready = await ahead
      if (ready.length === 0 || performance.now() > this.#until) break
      ahead = this.#read(entries.slice(i, i + READ_AHEAD))
      await Promise.all([this.#deliverSome(ready), ahead])
    }
    await Promise.all(this.#concluding)
    for (const { id } of entries) if (!this.ends.has(id)) this.ends.set(id, { again_at: this.#ctx.now() })
  }
}

export async function deliverWebhooks(ctx: JobContext, entries: readonly Entry<DeliveryName>[]): Promise<Outcomes> {
  const lot = new Lot(ctx, entries[0]?.payload.endpoint_id ?? '')
  await lot.run(entries)
  return lot.ends
}
