/** Whose work a connection does. */
export interface Holder {
  readonly account_id: string | null
  readonly mode: string | null
}

interface Line {
  held: number
  /** Set while somebody waits: looks whether the line moves. */
  stall: NodeJS.Timeout | null
  readonly waiting: Waiting[]
}

interface Waiting {
  readonly begin: () => void
  readonly refuse: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** A line moves with every statement of its account: whoever waits for longer stands behind far too many. */
const WAIT_MS = 20_000

/**
 * A line that did not move for this long may stand behind itself: what holds its connections waits for a lock of the very
 * work that waits here. One more is let through each time, while a few connections are left for the others.
 */
const STALL_MS = 500
const LEFT_FOR_OTHERS = 2

/** So much of one account is at work that what it asks for now was not begun in time. No other account notices. */
export class ShareExhausted extends Error {
  constructor() {
    super('the connections that one account may hold were all in use for too long')
    this.name = 'ShareExhausted'
  }
}

/**
 * The connections of a pool, by whose work they do. An account takes one while twice as many are free as it holds: one
 * alone has a third of them, and a newcomer finds one, whatever the others have begun. What it asks for beyond waits
 * in a line of its own, and is refused there; nobody else waits behind it. Test and live are apart.
 */
export class ConnectionShares {
  readonly #size: number
  readonly #wait_ms: number
  readonly #lines = new Map<string, Line>()
  #held = 0

  constructor(size: number, wait_ms = WAIT_MS) {
    this.#size = size
    this.#wait_ms = wait_ms
  }

  /** Work that is nobody's, such as finding out whose a key is, has what is left. */
  async run<T>({ account_id, mode }: Holder, work: () => Promise<T>): Promise<T> {
    if (account_id === null) return work()
    const name = `${mode}|${account_id}`
    const line = this.#lineOf(name)
    if (line.waiting.length === 0 && this.#hasRoom(line)) this.#take(line)
    else await this.#turn(line)
    try {
      return await work()
    } finally {
      line.held--
      this.#held--
      this.#next()
      if (line.held === 0 && line.waiting.length === 0) this.#lines.delete(name)
    }
  }

  #hasRoom({ held }: Line): boolean {
    return 2 * held < this.#size - this.#held
  }

  #take(line: Line): void {
    line.held++
    this.#held++
  }

  #lineOf(name: string): Line {
    const known = this.#lines.get(name)
    if (known) return known
    const line: Line = { held: 0, stall: null, waiting: [] }
    this.#lines.set(name, line)
    return line
  }

  #turn(line: Line): Promise<void> {
    return new Promise((begin, refuse) => {
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(one), 1)
        refuse(new ShareExhausted())
      }, this.#wait_ms).unref()
      const one = { begin, refuse, timer }
      line.waiting.push(one)
      this.#watch(line)
    })
  }

  #watch(line: Line): void {
    line.stall ??= setTimeout(() => {
      line.stall = null
      if (this.#held < this.#size - LEFT_FOR_OTHERS) this.#admit(line)
      if (line.waiting.length > 0) this.#watch(line)
    }, STALL_MS).unref()
  }

  /** It moves: it is looked at anew from now on. */
  #moved(line: Line): void {
    if (line.stall) clearTimeout(line.stall)
    line.stall = null
    if (line.waiting.length > 0) this.#watch(line)
  }

  #admit(line: Line): boolean {
    const one = line.waiting.shift()
    if (!one) return false
    clearTimeout(one.timer)
    this.#take(line)
    one.begin()
    return true
  }

  /** Who holds the fewest goes first. */
  #next(): void {
    const lines = [...this.#lines.values()].filter(({ waiting }) => waiting.length > 0)
    for (const line of lines.sort((one, other) => one.held - other.held)) {
      while (this.#hasRoom(line) && this.#admit(line)) this.#moved(line)
    }
  }
}
