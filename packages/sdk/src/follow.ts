import { type Checkpoint, memoryCheckpoint } from './checkpoint.ts'
import { CheckpointError, type TimbreError } from './errors.ts'
import type { Event, EventOf, EventType } from './generated/events.ts'
import type { EventsResource } from './generated/resources/events.ts'
import type { CallOptions } from './shapes.ts'
import { sleep } from './sleep.ts'
import { isOutage } from './wait.ts'

/** A type, a family of them, or all. */
export type EventPattern = EventType | `${string}.*` | '*'

/** The events that a list of patterns lets through. */
export type Matching<Pattern extends EventPattern> = {
  [P in Pattern]: P extends EventType
    ? EventOf<P>
    : P extends `${infer Family}.*`
      ? EventOf<Extract<EventType, `${Family}.${string}`>>
      : Event
}[Pattern]

export interface FollowOptions<Pattern extends EventPattern = '*'> extends Pick<CallOptions, 'signal' | 'timeout'> {
  /**
   * Where to begin when the checkpoint is empty: after this event, at the `beginning` of the ledger (12 months), or with
   * what happens from `now` on. Default: `now`.
   */
  readonly after?: string | undefined
  readonly types?: readonly Pattern[] | undefined
  readonly empresa_rut?: string | undefined
  /** Keeps the place. An event counts as handled when the loop asks for the next one. Default: in memory. */
  readonly checkpoint?: Checkpoint | undefined
  /** Milliseconds between looks when nothing is new. Default: 2,000. */
  readonly interval?: number | undefined
  /** Told when the service is away, with how long it will be until the next look. */
  readonly onOutage?: ((error: TimbreError, wait: number) => void) | undefined
  /** Told when everything that had happened so far was given. */
  readonly onCaughtUp?: (() => void) | undefined
}

const PAGE = 100
const FIRST_OUTAGE_MS = 1_000
const LONGEST_OUTAGE_MS = 30_000

function matches(patterns: readonly string[] | undefined, type: string): boolean {
  if (patterns === undefined || patterns.length === 0) return true
  return patterns.some(
    (one) => one === '*' || one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))),
  )
}

/**
 * Every event of the ledger in its order, from a checkpoint on, for as long as the loop lasts. The ledger is read forward
 * only, so that nothing is skipped; an event whose handling was cut short comes again, with the same id. All of it is read,
 * and what the caller does not want is left out here: a place that moved on with rare events alone would grow too old.
 */
export async function* follow<Pattern extends EventPattern = '*'>(
  events: EventsResource,
  options: FollowOptions<Pattern> = {},
): AsyncGenerator<Matching<Pattern>, void, undefined> {
  const { signal, types, empresa_rut, checkpoint = memoryCheckpoint(), interval = 2_000 } = options
  const call: CallOptions = { signal, timeout: options.timeout, maxRetries: 0 }
  const list = (query: Filter) => throughOutages(() => readOn(events, { limit: PAGE, ...query }, call), options)
  const isWanted = (event: Event) =>
    matches(types, event.type) && (empresa_rut === undefined || event.empresa?.rut === empresa_rut)

  const from = (await checkpoint.load()) ?? options.after ?? NOW
  const known = new Set<string>()
  let after = from
  if (from === NOW || from === BEGINNING) {
    after = yield* standOn({ list, from, known, checkpoint, interval, signal }, (event) =>
      isWanted(event) ? (event as Matching<Pattern>) : null,
    )
  }
  for (;;) {
    const page = await list({ after })
    for (const event of page.data) {
      if (!known.delete(event.id) && isWanted(event)) yield event as Matching<Pattern>
      after = event.id
      await checkpoint.save(after)
    }
    if (page.has_more && page.data.length > 0) continue
    options.onCaughtUp?.()
    await sleep(interval, signal)
  }
}

const NOW = 'now'
/** Also what a checkpoint holds while there is no event to stand on. */
const BEGINNING = 'beginning'

type Filter = NonNullable<Parameters<EventsResource['list']>[0]>

interface Standing {
  readonly list: (
    query: Filter,
  ) => Promise<{ readonly data: readonly Event[]; readonly has_more: boolean; readonly next_cursor: string | null }>
  readonly from: string
  /** Filled with what the caller is not told of once more. */
  readonly known: Set<string>
  readonly checkpoint: Checkpoint
  readonly interval: number
  readonly signal: AbortSignal | undefined
}

/**
 * Finds an event to read on from. A transaction that began before another may commit after it, and takes its place in front:
 * the oldest event that is seen may not stay the oldest. The service reads forward only as far as nothing can come in
 * between, so an event stands firm once something was read behind it. Until then the whole of a young ledger is looked at
 * again, and what is new in it is given at once.
 */
async function* standOn<Wanted>(
  { list, from: asked, known, checkpoint, interval, signal }: Standing,
  wanted: (event: Event) => Wanted | null,
): AsyncGenerator<Wanted, string, undefined> {
  let from = asked
  let stand: Event | undefined
  for (let first = true; ; first = false) {
    const { seen, whole } = await lookBack(list, from)
    // A window that has moved on keeps the event that it began with.
    if (stand === undefined || whole) stand = seen.at(-1)
    await checkpoint.save(stand === undefined || from === BEGINNING ? BEGINNING : stand.id)
    if (first && from === NOW) for (const { id } of seen) known.add(id)
    // Whatever comes into an empty ledger is new, were it more than a page at once.
    if (seen.length === 0) from = BEGINNING
    const is_firm = stand !== undefined && (await list({ after: stand.id, limit: 1 })).data.length > 0
    for (const event of is_firm ? [stand as Event] : seen.reverse()) {
      if (known.has(event.id)) continue
      known.add(event.id)
      const told = wanted(event)
      if (told !== null) yield told
    }
    if (is_firm) return (stand as Event).id
    await sleep(interval, signal)
  }
}

/** What there is, newest first: all of it from the beginning, a page of it from now on. */
async function lookBack(list: Standing['list'], from: string): Promise<{ seen: Event[]; whole: boolean }> {
  const seen: Event[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await list(cursor === null ? {} : { cursor })
    seen.push(...page.data)
    cursor = page.has_more ? page.next_cursor : null
    if (cursor === null || from !== BEGINNING) return { seen, whole: !page.has_more }
  }
}

async function readOn(events: EventsResource, query: Filter, call: CallOptions) {
  try {
    return await events.list(query, call)
  } catch (error) {
    if ((error as TimbreError).code !== 'invalid_cursor') throw error
    throw new CheckpointError({
      code: 'checkpoint_unknown',
      message: `The ledger has no event ${query.after} for this key.`,
      hint:
        'It is of another account or mode, beyond the empresas of this key, or older than 12 months. Use the key that it was ' +
        'saved with, or delete the checkpoint to begin with what happens from now on.',
      cause: error,
    })
  }
}

/** Reads until it works. The wait grows to half a minute, for a server that comes back is wanted soon. */
async function throughOutages<T>(
  read: () => Promise<T>,
  { signal, onOutage }: FollowOptions<EventPattern>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (!isOutage(error)) throw error
      const backoff = Math.min(LONGEST_OUTAGE_MS, FIRST_OUTAGE_MS * 2 ** attempt) * (0.5 + Math.random() / 2)
      const wait = Math.max(backoff, (error.retryAfter ?? 0) * 1000)
      onOutage?.(error, wait)
      await sleep(wait, signal)
    }
  }
}
