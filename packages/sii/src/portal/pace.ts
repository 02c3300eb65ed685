import type { SiiService } from '../hosts.ts'
import type { Wire } from '../wire.ts'

/** www1 and www4 answer with a captcha when asked faster than once a second (PROTOCOLS 9). */
const INTERVAL_MS = 1_000
const PACED: ReadonlySet<SiiService> = new Set(['portal', 'mipyme'])

/** Waits for the turn of a request. Turns are given in the order they are asked for, in this process. */
export type Pace = (service: SiiService) => Promise<void>

export function openPace({ now, sleep }: Pick<Wire, 'now' | 'sleep'>, interval_ms = INTERVAL_MS): Pace {
  const free_at = new Map<SiiService, number>()
  return async (service) => {
    if (!PACED.has(service)) return
    const at = now().getTime()
    const turn = Math.max(at, free_at.get(service) ?? 0)
    free_at.set(service, turn + interval_ms)
    if (turn > at) await sleep(turn - at)
  }
}
