import type { ReadEvents } from './task-store.ts'

/** What is kept at hand at most: some six hundred documents. What is kept for longer has to be moved by the collector of garbage. */
const MOST_BYTES = 1 << 20

/**
 * Reads an event once for all endpoints that it goes to, as long as they take it at about the same time. An event never changes, so
 * that nothing has to be announced.
 */
export function openEventShelf(read: ReadEvents, most_bytes = MOST_BYTES): ReadEvents {
  const kept = new Map<string, Uint8Array>()
  let bytes = 0

  function keep(id: string, body: Uint8Array): void {
    kept.set(id, body)
    bytes += body.length
    for (const [oldest, { length }] of kept) {
      if (bytes <= most_bytes) return
      kept.delete(oldest)
      bytes -= length
    }
  }

  return async (ids) => {
    const found = new Map<string, Uint8Array>()
    const missing: string[] = []
    for (const id of ids) {
      const body = kept.get(id)
      if (body) found.set(id, body)
      else missing.push(id)
    }
    if (missing.length === 0) return found
    for (const [id, body] of await read(missing)) {
      found.set(id, body)
      // Another read may have brought it meanwhile.
      if (!kept.has(id)) keep(id, body)
    }
    return found
  }
}
