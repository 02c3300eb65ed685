import type { JobOutcome } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { deliverWebhook } from './jobs.ts'
import { type KeyOpener, keyOpener } from './signing.ts'

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

/** How a delivery came out of a run. It is over where nothing is left to do; an error is a failure of ours. */
export type DeliveryEnd = 'over' | 'not_begun' | { readonly again_at: Date } | Error

const isTime = (how: DeliveryEnd): how is { readonly again_at: Date } => typeof how === 'object' && 'again_at' in how

/** What is owed to an endpoint. */
interface Owed {
  readonly id: string
  readonly endpoint_id: string
  readonly delivery_ids: readonly string[]
}

/**
 * A job of a batch, until each of its deliveries has its end. One that is to be tried again gets a job of its own, so that it goes
 * by its own schedule and not by that of those it was born with. What was not begun, or not recorded, is left to another run of the
 * same job, which passes over those that are settled.
 */
export class DeliveryJob {
  readonly id: string
  readonly endpoint_id: string
  readonly run: DeliveryRun
  readonly #delivery_ids: readonly string[]
  #taken = 0
  #open: number
  #again_at: Date | null = null
  #comes_back = false
  #error: Error | null = null
  #is_deleted = false

  constructor(run: DeliveryRun, { id, endpoint_id, delivery_ids }: Owed) {
    this.id = id
    this.endpoint_id = endpoint_id
    this.run = run
    this.#delivery_ids = delivery_ids
    this.#open = delivery_ids.length
    if (delivery_ids.length === 0) run.end(id, 'done')
  }

  /**
   * Whether it was queued for several. Then it makes of each the first attempt alone: any other is that of a job under the delivery's
   * own id, which may be running at this moment.
   */
  get isShared(): boolean {
    return this.#delivery_ids.length > 1
  }

  /** Whether there are more to be taken. */
  get hasMore(): boolean {
    return this.#taken < this.#delivery_ids.length
  }

  /** The next of its deliveries, so many at most. */
  take(most: number): readonly string[] {
    const ids = this.#delivery_ids.slice(this.#taken, this.#taken + most)
    this.#taken += ids.length
    return ids
  }

  /** It is too late to begin what is left of it. */
  giveBack(): void {
    for (const id of this.take(Number.POSITIVE_INFINITY)) this.end(id, 'not_begun')
  }

  /** Whether the job is over once so many more of its deliveries are. */
  endsWith(more: number): boolean {
    return more === this.#open && !this.#comes_back && this.#error === null
  }

  /** The statement that recorded the last of its deliveries deleted it. */
  deleted(): void {
    this.#is_deleted = true
  }

  end(delivery_id: string, how: DeliveryEnd): void {
    if (isTime(how) && this.isShared) {
      void this.#putOff(delivery_id, how.again_at)
      return
    }
    if (isTime(how)) this.#again_at = how.again_at
    else if (how === 'not_begun') this.#comes_back = true
    else if (how !== 'over') this.#error = how
    this.#close()
  }

  /** Under a key, for a worker that dies before this job is over leaves it to be done once more. */
  async #putOff(delivery_id: string, due_at: Date): Promise<void> {
    const payload = { endpoint_id: this.endpoint_id, delivery_ids: [delivery_id] }
    try {
      await this.run.ctx.enqueue(deliverWebhook, { payload, lane: this.endpoint_id, key: delivery_id, due_at })
    } catch (error) {
      this.#error = error as Error
    }
    this.#close()
  }

  #close(): void {
    if (--this.#open === 0) this.run.end(this.id, this.#outcome())
  }

  #outcome(): JobOutcome | Error {
    if (this.#error) return this.#error
    if (this.#comes_back) return { again_at: this.run.ctx.now() }
    if (this.#again_at) return { again_at: this.#again_at }
    return this.#is_deleted ? 'ended' : 'done'
  }
}
