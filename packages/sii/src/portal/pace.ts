import type { SiiService } from '../hosts.ts'
import type { Wire } from '../wire.ts'

/** www1 and www4 answer with a captcha when asked faster than once a second (PROTOCOLS 9). */
const INTERVAL_MS = 1_000
const PACED: ReadonlySet<SiiService> = new Set(['portal', 'mipyme'])

/**
 * Who gives turns, in the order in which they are asked for. Processes share one: the SII counts the requests of all of
 * them together.
 */
export interface TurnStore {
  /** Takes the next turn of a service, at least so long after the one before, and tells how many milliseconds it is away. */
  take(service: string, interval_ms: number): Promise<number>
}

/** Turns of one process. */
export function memoryTurns(now: () => Date = () => new Date()): TurnStore {
  const free_at = new Map<string, number>()
  return {
    async take(service, interval_ms) {
      const at = now().getTime()
      const turn = Math.max(at, free_at.get(service) ?? 0)
      free_at.set(service, turn + interval_ms)
      return turn - at
    },
  }
}

/** Waits for the turn of a request. */
export type Pace = (service: SiiService) => Promise<void>

export function openPace({ sleep }: Pick<Wire, 'sleep'>, turns: TurnStore, interval_ms = INTERVAL_MS): Pace {
  return async (service) => {
    if (!PACED.has(service)) return
    const wait_ms = await turns.take(service, interval_ms)
    if (wait_ms > 0) await sleep(wait_ms)
  }
}
