export interface Bounds {
  /** Of everybody in one pool together. */
  readonly pool_bytes: number
  /** Of one owner in it. */
  readonly owner_bytes: number
  /** An owner takes only while twice as much stays free as it holds then: so a newcomer finds room, whatever the others hold. */
  readonly shared?: true
}

export interface InHand {
  /** Counts so many more, or none: then it says whose bound they would have passed. */
  grow(bytes: number): 'owner' | 'pool' | null
  /** What was counted is gone, however often this is called. */
  release(): void
}

/**
 * The bytes of strangers that this process holds in memory, by whose they are. They are counted before they are there:
 * a thousand who send slowly must not fill the memory between them.
 */
export class BytesInHand {
  readonly #held = new Map<string, number>()

  hold(pool: string, owner: string, { pool_bytes, owner_bytes, shared }: Bounds): InHand {
    const names = { owner: `${pool}|${owner}`, pool }
    let own = 0
    const add = (bytes: number) => {
      own += bytes
      for (const name of Object.values(names)) this.#add(name, bytes)
    }
    return {
      grow: (bytes) => {
        const held = this.of(names.owner)
        const free = pool_bytes - this.of(pool) - bytes
        if (held + bytes > owner_bytes) return 'owner'
        if (free < 0) return 'pool'
        if (shared && 2 * (held + bytes) > free) return held > 0 ? 'owner' : 'pool'
        add(bytes)
        return null
      },
      release: () => add(-own),
    }
  }

  /** What is held under a name; 0 once all of it was released. */
  of(name: string): number {
    return this.#held.get(name) ?? 0
  }

  #add(name: string, bytes: number): void {
    const held = this.of(name) + bytes
    if (held > 0) this.#held.set(name, held)
    else this.#held.delete(name)
  }
}
