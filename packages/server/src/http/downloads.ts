import { Readable } from 'node:stream'
import { DOWNLOADS } from '../catalog/limits.ts'
import { systemNow } from '../kernel/clock.ts'
import { Problem } from '../kernel/problem.ts'
import type { AccountScope } from '../kernel/scope.ts'

/** The place of a file that is being sent. */
export interface Place {
  /** Aborts when the place is given to somebody else. */
  readonly lost: AbortSignal
  /** Whether the next step is the reader's: a part is ready that it does not take. */
  waitsForReader(waits: boolean): void
  /** Puts the place back, however often it is called. */
  release(): void
}

interface Taken extends AccountScope {
  readonly giveUp: AbortController
  /** Since when its reader takes nothing; null while we are the ones who work. */
  idle_since: number | null
}

/** The files that this process is writing at the moment, by whose they are. */
export class Downloads {
  readonly #taken = new Set<Taken>()
  readonly #now: () => number

  constructor(now: () => number = systemNow) {
    this.#now = now
  }

  /** Takes a place, or refuses at once. Where all are taken, the reader who waited longest before taking more loses its own. */
  take({ account_id, mode }: AccountScope): Place {
    const own = this.#count((one) => one.account_id === account_id)
    if (own >= DOWNLOADS.per_account || !this.#makeRoom(mode)) {
      throw new Problem('service_unavailable', { message: 'Too many exports are being downloaded.' })
    }
    const place: Taken = { account_id, mode, giveUp: new AbortController(), idle_since: null }
    this.#taken.add(place)
    return {
      lost: place.giveUp.signal,
      waitsForReader: (waits) => {
        place.idle_since = waits ? this.#now() : null
      },
      release: () => void this.#taken.delete(place),
    }
  }

  #count(which: (one: Taken) => boolean): number {
    return [...this.#taken].filter(which).length
  }

  #makeRoom(mode: AccountScope['mode']): boolean {
    const all = [...this.#taken].filter((one) => one.mode === mode)
    if (all.length < DOWNLOADS.per_mode) return true
    const idleOf = ({ idle_since }: Taken) => (idle_since === null ? 0 : this.#now() - idle_since)
    const slowest = all.reduce((one, other) => (idleOf(other) > idleOf(one) ? other : one))
    if (idleOf(slowest) < DOWNLOADS.idle_ms) return false
    this.#taken.delete(slowest)
    slowest.giveUp.abort()
    return true
  }
}

export interface Guard {
  /** Throws when the caller may not have the next part any more. */
  readonly allowed: () => Promise<void>
  /** Throws when the file ended before its time. */
  readonly whole: () => Promise<void>
  readonly place: Place
}

/** A file in parts; it is broken off when its place is lost. */
export interface GuardedParts extends AsyncIterableIterator<Uint8Array> {
  readonly lost: AbortSignal
}

/**
 * The parts of a file, each of them guarded. No generator: one that nobody began to read runs no `finally`, and would
 * hold its place for ever.
 */
export function guarded(stream: AsyncIterable<Uint8Array>, { allowed, whole, place }: Guard): GuardedParts {
  const source = stream[Symbol.asyncIterator]()
  const close = async () => {
    try {
      await source.return?.()
    } finally {
      place.release()
    }
    return { done: true, value: undefined } as const
  }
  const parts: GuardedParts = {
    lost: place.lost,
    [Symbol.asyncIterator]: () => parts,
    async next() {
      place.waitsForReader(false)
      try {
        const part = await source.next()
        await (part.done ? whole() : allowed())
        if (part.done) place.release()
        else place.waitsForReader(true)
        return part
      } catch (error) {
        await close().catch(() => undefined)
        throw error
      }
    },
    return: close,
  }
  return parts
}

/**
 * A file on its way out. It breaks off, so that nobody takes a part for the whole, when it fails, when its reader takes
 * nothing of it for a minute, or for seconds while others wait for its place, and when it lasts longer than any honest
 * reader needs.
 */
export function downloadBody(stream: AsyncIterable<Uint8Array> & { readonly lost?: AbortSignal }): Readable {
  const source = stream[Symbol.asyncIterator]()
  const body = new Readable({
    read() {
      stalled.refresh()
      source.next().then(
        ({ done, value }) => void body.push(done ? null : value),
        (error: Error) => void body.destroy(error),
      )
    },
    destroy(error, done) {
      clearTimeout(stalled)
      clearTimeout(overlong)
      // Whatever is still being read ends by itself; the connection does not wait for it.
      Promise.resolve(source.return?.()).catch(() => undefined)
      done(error)
    },
  })
  const breakOff = (why: string) => () => void body.destroy(new Error(why))
  const stalled = setTimeout(breakOff('nobody takes the file'), DOWNLOADS.stalled_ms).unref()
  stream.lost?.addEventListener('abort', breakOff('others wait for the place of a file that nobody takes'))
  const overlong = setTimeout(breakOff('the file takes too long'), DOWNLOADS.longest_ms).unref()
  return body
}
