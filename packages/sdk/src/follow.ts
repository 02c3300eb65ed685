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
 * only, so that nothing is skipped; an event whose handling was cut short comes again, with the same id.
 */
export async function* follow<Pattern extends EventPattern = '*'>(
  events: EventsResource,
  options: FollowOptions<Pattern> = {},
): AsyncGenerator<Matching<Pattern>, void, undefined> {
  const { signal, types, checkpoint = memoryCheckpoint(), interval = 2_000 } = options
  const call: CallOptions = { signal, timeout: options.timeout, maxRetries: 0 }
  const filter = { limit: PAGE, empresa_rut: options.empresa_rut, type: types?.length === 1 ? types[0] : undefined }
  const patient = <T>(read: () => Promise<T>) => throughOutages(read, options)

  const loaded = await checkpoint.load()
  const start = await startOf(events, filter, options, loaded ?? options.after ?? 'now', patient)
  // Where it begins is a place too: a restart before the first event misses none.
  if (loaded === null && start.after !== undefined) await checkpoint.save(start.after)
  const known = new Set(start.known)
  let after = start.after
  for (;;) {
    const place = after
    if (place === undefined) {
      // Nothing has ever happened here, so there is no event to read on from: the first ones are its beginning.
      await sleep(interval, signal)
      const begun = await beginning(events, filter, call, patient)
      if (begun === undefined) continue
      after = begun.id
      if (matches(types, begun.type)) yield begun as Matching<Pattern>
      await checkpoint.save(begun.id)
      continue
    }
    const page = await patient(() => readOn(events, { ...filter, after: place }, call))
    let passed: string | undefined
    for (const event of page.data) {
      after = event.id
      passed = event.id
      if (known.delete(event.id) || !matches(types, event.type)) continue
      yield event as Matching<Pattern>
      await checkpoint.save(event.id)
      passed = undefined
    }
    if (passed !== undefined) await checkpoint.save(passed)
    if (page.has_more) continue
    options.onCaughtUp?.()
    await sleep(interval, signal)
  }
}

type Patient = <T>(read: () => Promise<T>) => Promise<T>
type Filter = NonNullable<Parameters<EventsResource['list']>[0]>

/** Where to read on from, and which events after that place the caller is not told of. */
interface Start {
  readonly after: string | undefined
  readonly known: readonly string[]
}

async function startOf(
  events: EventsResource,
  filter: Filter,
  options: FollowOptions<EventPattern>,
  from: string,
  patient: Patient,
): Promise<Start> {
  const call: CallOptions = { signal: options.signal, timeout: options.timeout, maxRetries: 0 }
  if (from === 'beginning') return { after: undefined, known: [] }
  if (from !== 'now') return { after: from, known: [] }
  // A transaction that began before the newest event may commit after it, and takes its place in front of it. So we read on
  // from an older one, and leave out what was there already.
  const { data } = await patient(async () => events.list(filter, call))
  return { after: data.at(-1)?.id, known: data.map(({ id }) => id) }
}

/** The oldest event there is. */
async function beginning(
  events: EventsResource,
  filter: Filter,
  call: CallOptions,
  patient: Patient,
): Promise<Event | undefined> {
  let oldest: Event | undefined
  let cursor: string | undefined
  do {
    const page = await patient(async () => events.list({ ...filter, cursor }, call))
    oldest = page.data.at(-1) ?? oldest
    cursor = page.has_more ? (page.next_cursor ?? undefined) : undefined
  } while (cursor !== undefined)
  return oldest
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
