/** Numbers that look drawn and are the same for the same seed: a simulation planned again is the same simulation. */
export class Choice {
  #state: number

  constructor(seed: string) {
    let state = 0x811c9dc5
    for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193)
    this.#state = state
  }

  /** From 0 up to, and without, `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }

  of<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }
}
