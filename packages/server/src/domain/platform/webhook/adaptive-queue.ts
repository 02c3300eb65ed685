/** Runs an item. True when it went well, false when it failed, null when there was nothing to run. */
export type Step<Item> = (item: Item) => Promise<boolean> | null

export interface Width {
  /** How many run at a time before anything is known of how they go, and at most. */
  readonly first: number
  readonly most: number
}

/**
 * Runs items in the order in which they were added, concurrently: `first` at a time until one went well, then `most`, and one
 * by one after a failure, until one goes well again.
 */
export class AdaptiveQueue<Item> {
  readonly #step: Step<Item>
  readonly #most: number
  readonly #onMove: () => void
  readonly #waiting: Item[] = []
  #limit: number
  #running = 0

  /** `onMove` is told whenever items left the line: more may be added. */
  constructor(step: Step<Item>, { first, most }: Width, onMove: () => void = () => undefined) {
    this.#step = step
    this.#most = most
    this.#limit = first
    this.#onMove = onMove
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.length
  }

  get idle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0
  }

  add(items: readonly Item[]): void {
    for (const item of items) this.#waiting.push(item)
    this.#next()
  }

  /** One at a time until one goes well: there was trouble before. */
  restrain(): void {
    this.#limit = 1
  }

  #next(): void {
    while (this.#running < this.#limit && this.#waiting.length > 0) this.#start(this.#waiting.shift() as Item)
    this.#onMove()
  }

  #start(item: Item): void {
    const running = this.#step(item)
    if (running === null) return
    this.#running++
    void running.then((went_well) => {
      this.#running--
      this.#limit = went_well ? this.#most : 1
      this.#next()
    })
  }
}
