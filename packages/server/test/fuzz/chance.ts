// What a seed decides.

import { type Chance, openChance } from '../faults/chance.ts'

/** Draws from one seed: the same seed sends the same requests. */
export class Draw {
  readonly #chance: Chance

  constructor(seed: number) {
    this.#chance = openChance(seed)
  }

  /** A draw of its own for each case, so that what one case draws moves no other. */
  fork(): Draw {
    return new Draw(Math.floor(this.#chance() * 2 ** 31))
  }

  below(count: number): number {
    return Math.floor(this.#chance() * count)
  }

  often(share: number): boolean {
    return this.#chance() < share
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}
