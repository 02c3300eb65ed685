import { MAIL } from '../../catalog/limits.ts'

const MINUTE_MS = 60_000

/** How many connections came from each address and each site in this minute. */
export class Arrivals {
  readonly #clock: () => number
  readonly #counts = new Map<string, number>()
  #minute = 0

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Counts one, and says whether it is not too many. */
  count(network: string, site: string): boolean {
    const minute = Math.floor(this.#clock() / MINUTE_MS)
    if (minute !== this.#minute) this.#counts.clear()
    this.#minute = minute
    const { address: address_most, site: site_most } = MAIL.connections_a_minute
    const counts = [this.#add(`address ${network}`) <= address_most, this.#add(`site ${site}`) <= site_most]
    return counts.every((fits) => fits)
  }

  #add(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return count
  }
}
