import type { Layout } from './layout.ts'
import { parseRow } from './parse-row.ts'
import { refusedFile } from './refusal.ts'
import type { SheetRow } from './sheet.ts'

/** A movement as it was parsed, with the balance that the bank shows beside it. */
interface Step {
  readonly amount: number
  readonly balance: number | null
}

interface Agreement {
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
function compareBalances(steps: readonly Step[]): Agreement {
  const best = ({ as_read, reversed }: Agreement) => Math.max(as_read, reversed)
  const [oldest, newest] = [count(steps, false), count(steps, true)]
  return best(newest) > best(oldest) ? newest : oldest
}

/** A layout whose signs were checked. */
export interface CheckedLayout {
  readonly layout: Layout
  readonly balance_check: 'agrees' | 'disagrees' | 'absent'
}

const AGREES = 0.8

/** Checks signs against the running balance, and turns them where a single column of amounts means the opposite. */
export function checkBalance(layout: Layout, sample: readonly SheetRow[]): CheckedLayout {
  const lines = sample.flatMap((row) => {
    const read = parseRow(row, layout)
    return typeof read === 'object' ? [read.line] : []
  })
  const { steps, as_read, reversed } = compareBalances(lines)
  if (steps === 0) return { layout, balance_check: 'absent' }
  if (as_read >= steps * AGREES) return { layout, balance_check: 'agrees' }
  const one_column = layout.sign_rule === 'negative_is_out' || layout.sign_rule === 'positive_is_out'
  if (one_column && reversed >= steps * AGREES) {
    const sign_rule = layout.sign_rule === 'negative_is_out' ? 'positive_is_out' : 'negative_is_out'
    return { layout: { ...layout, sign_rule }, balance_check: 'agrees' }
  }
  const alike = lines.every(({ amount }) => amount > 0) || lines.every(({ amount }) => amount < 0)
  if (one_column && alike && steps >= 3) {
    throw refusedFile(
      `the amounts of "${layout.columns.amount?.name}" carry no sign, and the balance beside them goes up and down: ` +
        'export it with a column of cargos and one of abonos',
    )
  }
  return { layout, balance_check: 'disagrees' }
}
