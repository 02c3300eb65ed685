import { createHash } from 'node:crypto'

/** Numbers that look like chance and are the same for the same words, always. */
export class Chance {
  #state: number

  constructor(...words: readonly string[]) {
    this.#state = createHash('sha256').update(words.join('|')).digest().readUInt32BE(0)
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    // Mulberry32, which is enough for a story.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return least + (((mixed ^ (mixed >>> 14)) >>> 0) % (most - least + 1))
  }

  oneOf<T>(these: readonly T[]): T {
    return these[this.between(0, these.length - 1)] as T
  }
}
