/** A movement as it was parsed, with the balance that the bank shows beside it. */
export interface Step {
  readonly amount: number
  readonly balance: number | null
}

export interface Agreement {
  /** How many steps from one balance to the next could be checked. */
  readonly steps: number
  /** How many of them follow from the amounts as they were read, and how many if every sign were the other one. */
  readonly as_read: number
  readonly reversed: number
}

function count(steps: readonly Step[], newest_first: boolean): Agreement {
  const order = newest_first ? [...steps].reverse() : steps
  let before: number | null = null
  let moved = 0
  const found = { steps: 0, as_read: 0, reversed: 0 }
  for (const { amount, balance } of order) {
    moved += amount
    if (balance === null) continue
    if (before !== null) {
      found.steps++
      if (balance - before === moved) found.as_read++
      if (before - balance === moved) found.reversed++
    }
    before = balance
    moved = 0
  }
  return found
}

/** Compares balances with amounts, oldest or newest first, whichever fits better. A bank may show one balance a day only. */
export function compareBalances(steps: readonly Step[]): Agreement {
  const best = ({ as_read, reversed }: Agreement) => Math.max(as_read, reversed)
  const [oldest, newest] = [count(steps, false), count(steps, true)]
  return best(newest) > best(oldest) ? newest : oldest
}
