import type { Answer } from './door.ts'

/** Raised instead of an answer: the connection is to be cut, after the first half of `partial` where there is one. */
export class NoAnswer extends Error {
  readonly partial: Answer | null

  constructor(partial: Answer | null = null) {
    super('The connection is cut without an answer.')
    this.partial = partial
  }
}
