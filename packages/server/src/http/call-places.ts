import { CALLS } from '../catalog/limits.ts'
import { everySecond } from '../kernel/every-second.ts'
import { Problem } from '../kernel/problem.ts'
import type { AccountScope } from '../kernel/scope.ts'
import type { Call } from './call.ts'

interface Line {
  running: number
  readonly waiting: (() => void)[]
  /** Whether a call came since it was last looked at. */
  active: boolean
}

/**
 * The calls that this process executes, by whose they are. An account has its share of the places: all of them while it
 * is alone, fewer the more accounts are calling, and a few always. What it sends beyond waits in a line of its own and
 * delays nobody else. Test and live are apart.
 */
export class CallPlaces {
  readonly #lines = new Map<string, Line>()
  readonly #stop = everySecond(() => this.look())

  /** Runs a call now or in its turn; refuses it where too many of its account wait, or nobody waits for its answer. */
  async run<T>(
    { account_id, mode }: AccountScope,
    call: () => Promise<T>,
    { gone }: Pick<Call, 'gone'> = {},
  ): Promise<T> {
    const line = this.#lineOf(`${mode}|${account_id}`)
    line.active = true
    if (line.running >= this.share) await this.#turn(line)
    else line.running++
    try {
      if (gone?.()) throw new Problem('request_timeout')
      return await call()
    } finally {
      line.running--
      this.#next(line)
    }
  }

  /** How many calls of one account are executed at a time, as many accounts as there are now. */
  get share(): number {
    return Math.max(CALLS.least, Math.floor(CALLS.places / this.#lines.size))
  }

  /** Once a second: whoever has not called since the last look is no longer counted. */
  look(): void {
    for (const [name, line] of this.#lines) {
      if (!line.active && line.running === 0 && line.waiting.length === 0) this.#lines.delete(name)
      line.active = false
    }
  }

  close(): void {
    this.#stop()
  }

  #lineOf(name: string): Line {
    const known = this.#lines.get(name)
    if (known) return known
    const line: Line = { running: 0, waiting: [], active: true }
    this.#lines.set(name, line)
    return line
  }

  #turn(line: Line): Promise<void> {
    if (line.waiting.length >= CALLS.waiting) {
      const message = 'Too many calls of this account are being executed. Send fewer at a time.'
      throw new Problem('rate_limited', { message, retry_after_seconds: CALLS.retry_after_seconds })
    }
    return new Promise((resolve) => line.waiting.push(resolve))
  }

  /** The place is taken here, and the call begins in a turn of the loop of its own: what others sent is read before it. */
  #next(line: Line): void {
    while (line.running < this.share) {
      const begin = line.waiting.shift()
      if (!begin) return
      line.running++
      setImmediate(begin)
    }
  }
}
