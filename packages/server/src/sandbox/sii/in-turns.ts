import { setImmediate as turn } from 'node:timers/promises'

const A_TURN = 500

/** Does something with each of many, and lets the process answer others in between. */
export async function inTurns<T>(all: readonly T[], work: (one: T, index: number) => unknown): Promise<void> {
  for (let at = 0; at < all.length; at += A_TURN) {
    for (const [i, one] of all.slice(at, at + A_TURN).entries()) work(one, at + i)
    await turn()
  }
}
