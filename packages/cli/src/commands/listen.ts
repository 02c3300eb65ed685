import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, events as eventsOf } from '@timbre/sdk/core'
import type { Api } from '../api/api.ts'
import { optionsOf } from '../api/connect.ts'
import { explain } from '../api/explain.ts'
import type { Context } from '../command.ts'
import { requireKey } from '../config/settings.ts'
import { CliError } from '../exit.ts'
import { saveCheckpoint } from '../listen/checkpoint.ts'
import { isWanted, type LedgerEvent, matches, patternsOf } from '../listen/event.ts'
import { type Delivery, forward, type Target } from '../listen/forward.ts'
import { lockCheckpoint } from '../listen/lock.ts'
import { openPlace, type Place, placeOf } from '../listen/place.ts'
import { ReplayWatch } from '../listen/replays.ts'
import { Teller } from '../listen/tell.ts'

const LOOK_MS = 3_000
const IDLE_MS = 1_000

export async function run(ctx: Context): Promise<void> {
  const { options } = ctx
  const url = options.flag('print-secret') ? '' : requireUrl(options.text('forward-to'))
  const tries = Number(options.text('tries') ?? 4)
  if (!(Number.isInteger(tries) && tries >= 1 && tries <= 20))
    throw new CliError('usage', '--tries is a number from 1 to 20.')
  const api = await ctx.api()
  const where = await placeOf(api, options.text('checkpoint'))
  const release = await lockCheckpoint(where.file)
  try {
    const place = await openPlace(api, where, { file: options.text('checkpoint'), from: options.text('from') })
    const { secret } = place.checkpoint
    if (options.flag('print-secret')) return ctx.out.result({ secret }, secret)
    await new Listener(ctx, api, place, { url, tries, secret }).listen()
  } finally {
    release()
  }
}

function requireUrl(text: string | undefined): string {
  if (text === undefined) {
    throw new CliError(
      'usage',
      '`timbre listen` needs --forward-to URL.',
      'To only look at events, use `timbre events tail`.',
    )
  }
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && (url.username || url.password)) {
    const remedy = 'Leave them out: your receiver knows a delivery by its signature.'
    throw new CliError('usage', 'The address to forward to holds a user or a password.', remedy)
  }
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new CliError(
    'usage',
    `"${text}" is no address to forward to.`,
    'Write it whole, such as http://127.0.0.1:4242/webhooks.',
  )
}

/** One run of `listen`: the ledger forward, replays beside it, one delivery at a time. */
class Listener {
  readonly #ctx: Context
  readonly #place: Place
  readonly #target: Target
  readonly #replays: ReplayWatch
  readonly #tell: Teller
  readonly #patterns: readonly string[]
  readonly #ended = new AbortController()
  #after: string | null
  /** What ended it from beside the ledger. */
  #failure: CliError | null = null
  /** Deliveries wait for one another: a receiver gets them one by one, in the order of the ledger. */
  #line: Promise<unknown> = Promise.resolve()

  constructor(ctx: Context, api: Api, place: Place, target: Target) {
    this.#ctx = ctx
    this.#place = place
    this.#target = target
    this.#after = place.checkpoint.after
    this.#replays = new ReplayWatch(api, place.checkpoint.deliveries)
    this.#tell = new Teller(ctx.out, place, target)
    this.#patterns = patternsOf(ctx.options.list('events'))
    ctx.signal.addEventListener('abort', () => this.#ended.abort(), { once: true })
  }

  async listen(): Promise<void> {
    this.#tell.begin()
    const watching = this.#watchReplays()
    try {
      await this.#followLedger()
    } catch (error) {
      if (!this.#ended.signal.aborted) throw error
    } finally {
      this.#ended.abort()
      await watching
      this.#tell.end(this.#after)
    }
    if (this.#failure) throw this.#failure
    if (this.#ctx.signal.aborted) throw new CliError('interrupted', 'Interrupted.')
  }

  async #followLedger(): Promise<void> {
    const settings = this.#ctx.settings()
    const client = createClient(optionsOf({ url: settings.url, key: requireKey(settings) }), { events: eventsOf })
    const { signal } = this.#ended
    const ledger = client.events.follow({
      signal,
      interval: IDLE_MS,
      checkpoint: {
        load: async () => this.#after ?? 'beginning',
        save: async (id) => this.#save(id),
      },
      onOutage: (error) => this.#tell.away(error.message),
      onCaughtUp: () => this.#tell.caughtUp(),
    })
    for await (const event of ledger as AsyncIterable<LedgerEvent>) {
      this.#tell.heard(event)
      if (!isWanted(this.#patterns, event.type)) continue
      const done = await this.#deliver({ id: `whd_cli_${event.id.slice('evt_'.length)}`, event }, false)
      // Stopped in the middle: the event is not done with, and the next run begins with it.
      if (done === null) return
      if (done && this.#isLast(event)) {
        this.#save(event.id)
        return
      }
    }
  }

  #isLast({ type }: LedgerEvent): boolean {
    const until = this.#ctx.options.text('until')
    return until !== undefined && matches(until, type)
  }

  #save(after: string | null): void {
    this.#after = after
    const { file, checkpoint } = this.#place
    saveCheckpoint(file, { ...checkpoint, after, done_at: new Date().toISOString(), deliveries: this.#replays.seen })
  }

  #deliver(delivery: Delivery, replay: boolean): Promise<boolean | null> {
    const hooks = {
      signal: this.#ended.signal,
      attempted: this.#tell.attempted(delivery, replay),
      waiting: () => this.#tell.waiting(),
    }
    const sent = this.#line.then(() => forward(this.#target, delivery, hooks))
    this.#line = sent
    return sent
  }

  /** Ends with the ledger. A server that is away is told of there; a key that may not read endpoints has no replays. */
  async #watchReplays(): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      try {
        await this.#lookForReplays()
      } catch (error) {
        const known = explain(error)
        if (known.exit === 'auth') return
        if (known.exit === 'file') {
          this.#failure = known
          this.#ended.abort()
        }
      }
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async #lookForReplays(): Promise<void> {
    const before = JSON.stringify(this.#replays.seen)
    for (const delivery of await this.#replays.look()) {
      const wanted = isWanted(this.#patterns, delivery.event.type)
      if (wanted && (await this.#deliver(delivery, true)) === null) return
      this.#replays.handled(delivery)
    }
    // Also the first look at an endpoint: what is replayed while nobody listens is above it.
    if (JSON.stringify(this.#replays.seen) !== before) this.#save(this.#after)
  }
}
