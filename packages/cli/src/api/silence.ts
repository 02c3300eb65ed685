import { CliError } from '../exit.ts'

export interface Patience {
  /** Milliseconds without an answer after which the person is told. */
  readonly tellMs: number
  /** Milliseconds without an answer after which it is given up, however many attempts they were. */
  readonly giveUpMs: number
}

/** Two attempts: one may have been lost on its way, and a server that was silent to both will not answer a third. */
const USUAL: Patience = { tellMs: 5_000, giveUpMs: 120_000 }

/** Watches over a call to a server that may take connections and never answer. */
export class Silence {
  readonly #url: string
  readonly #note: (text: string) => void
  readonly #patience: Patience
  readonly #controller = new AbortController()
  #timers: NodeJS.Timeout[] = []

  constructor(url: string, note: (text: string) => void, patience: Patience = USUAL) {
    this.#url = url
    this.#note = note
    this.#patience = patience
  }

  /** Aborted when it was given up. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** A `fetch` that is watched until the head of its answer is there: a file may take longer. */
  watch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.#begin()
      const response = await fetch(input, init)
      this.end()
      return response
    }
  }

  /** Goes on where an earlier attempt had no answer either. */
  #begin(): void {
    if (this.#timers.length > 0) return
    const { tellMs, giveUpMs } = this.#patience
    const tell = () => this.#note(`${this.#url} has not answered yet; waiting. Ctrl-C ends it.`)
    this.#timers = [setTimeout(tell, tellMs), setTimeout(() => this.#controller.abort(), giveUpMs)]
  }

  /** Something came, or nobody waits any longer. */
  end(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }

  get error(): CliError {
    return new CliError(
      'unreachable',
      `${this.#url} did not answer within ${this.#patience.giveUpMs / 1000} s.`,
      'Something listens there and says nothing: the server hangs, or it is another program. What was asked for may have been done; look before you repeat it. `timbre doctor` looks at each step.',
      { code: 'timed_out' },
    )
  }
}
