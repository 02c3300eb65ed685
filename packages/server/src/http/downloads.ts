import { Readable } from 'node:stream'
import { DOWNLOADS } from '../catalog/limits.ts'
import { Problem } from '../kernel/problem.ts'
import type { AccountScope } from '../kernel/scope.ts'

/** The files that this process is writing at the moment, by whose they are. */
export class Downloads {
  readonly #running = new Map<string, number>()

  /** Takes a place, or refuses at once; what it gives puts the place back, however often it is called. */
  take({ account_id, mode }: AccountScope): () => void {
    const full = this.#count(account_id) >= DOWNLOADS.per_account || this.#count(mode) >= DOWNLOADS.per_mode
    if (full) throw new Problem('service_unavailable', { message: 'Too many exports are being downloaded.' })
    this.#add(account_id, 1)
    this.#add(mode, 1)
    let taken = true
    return () => {
      if (!taken) return
      taken = false
      this.#add(account_id, -1)
      this.#add(mode, -1)
    }
  }

  #count(name: string): number {
    return this.#running.get(name) ?? 0
  }

  #add(name: string, by: number): void {
    const count = this.#count(name) + by
    if (count > 0) this.#running.set(name, count)
    else this.#running.delete(name)
  }
}

export interface Guard {
  /** Throws when the caller may not have the next part any more. */
  readonly allowed: () => Promise<void>
  /** Throws when the file ended before its time. */
  readonly whole: () => Promise<void>
  readonly release: () => void
}

/**
 * The parts of a file, each of them guarded. No generator: one that nobody began to read runs no `finally`, and would
 * hold its place for ever.
 */
export function guarded(stream: AsyncIterable<Uint8Array>, { allowed, whole, release }: Guard) {
  const source = stream[Symbol.asyncIterator]()
  const close = async () => {
    try {
      await source.return?.()
    } finally {
      release()
    }
    return { done: true, value: undefined } as const
  }
  const parts: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => parts,
    async next() {
      try {
        const part = await source.next()
        await (part.done ? whole() : allowed())
        if (part.done) release()
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
 * nothing of it for a minute, and when it lasts longer than any honest reader needs.
 */
export function downloadBody(stream: AsyncIterable<Uint8Array>): Readable {
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
  const overlong = setTimeout(breakOff('the file takes too long'), DOWNLOADS.longest_ms).unref()
  return body
}
