import { Turns } from './turns.ts'

interface Waiting {
  readonly owner: string
  readonly begin: () => void
}

/** A few places for work that costs much at a time: owners who wait for one take turns. */
export class Places {
  readonly #places: number
  readonly #waiting: Waiting[] = []
  readonly #turns = new Turns()
  #taken = 0

  constructor(places: number) {
    this.#places = places
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#places) this.#take({ owner })
    else await new Promise<void>((begin) => this.#waiting.push({ owner, begin }))
    try {
      return await work()
    } finally {
      this.#taken--
      const [next] = this.#waiting.splice(Math.max(0, this.#turns.next(this.#waiting, new Set())), 1)
      if (next) {
        this.#take(next)
        next.begin()
      }
    }
  }

  #take(one: Pick<Waiting, 'owner'>): void {
    this.#taken++
    this.#turns.took(one)
  }
}

interface Step {
  readonly rank: number
  readonly begin: () => void
}

/**
 * A few steps in each turn of the event loop, whoever takes them: what many do at once leaves room for everything else.
 * Those of the lowest rank go first, and of those alike the one that came first.
 */
export class LoopTurns {
  readonly #steps: number
  readonly #waiting: Step[] = []
  /** What is left of this turn; null while nobody counts. */
  #left: number | null = null

  constructor(steps: number) {
    this.#steps = steps
  }

  async take(rank = 0): Promise<void> {
    if (this.#left === null) this.#open()
    if (this.#left === 0) return new Promise<void>((begin) => this.#waiting.push({ rank, begin }))
    this.#left = (this.#left ?? 1) - 1
  }

  #open(): void {
    this.#left = this.#steps
    setImmediate(() => this.#next())
  }

  #next(): void {
    this.#left = null
    if (this.#waiting.length === 0) return
    this.#open()
    const first = this.#waiting.toSorted((a, b) => a.rank - b.rank).slice(0, this.#steps)
    this.#left = this.#steps - first.length
    for (const step of first) {
      this.#waiting.splice(this.#waiting.indexOf(step), 1)
      step.begin()
    }
  }
}
