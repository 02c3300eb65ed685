import { type AccountMark, isSameAccount } from './account-mark.ts'

/** A movement as it is held against those of others that tell of the same account. */
export interface Told extends AccountMark {
  readonly id: string
  /** Who tells it: cartolas know each other's lines, so all of them are one. */
  readonly feed: string
  readonly bank_account: string
  readonly post_date: string
  readonly amount: number
  readonly currency: string
  readonly words: string
  /** Those who tell it too already: nobody tells one movement twice. */
  readonly behind: readonly string[]
}

/** Why a movement is taken for another one, or why nobody can tell. */
export const TWIN_REASONS = {
  same_words: 'The same account, day, amount and words.',
  same_day_and_amount: 'The same account, day and amount, as often as the other source tells it.',
  counts_differ: 'The same account, day and amount, but the sources tell it a different number of times.',
  account_unknown: 'The same day and amount, but it is not told whether the account is the same.',
  other_day: 'The same account and amount a few days apart.',
  both_matched: 'Both are matched to documents.',
  changed: 'They were the same until the bank changed one of them.',
  said: 'Somebody said so.',
} as const
export type TwinReason = keyof typeof TWIN_REASONS

export interface Twin {
  readonly id: string
  readonly of: string
  readonly certain: boolean
  readonly reason: TwinReason
}

type Apart = (one: string, other: string) => boolean

/** What is left to be paired on both sides, and what was found. */
interface Board {
  readonly found: Twin[]
  readonly taken: Set<string>
  readonly apart: Apart
}

const left = (all: readonly Told[], { taken }: Board) => all.filter(({ id }) => !taken.has(id))

function pair(board: Board, one: Told, other: Told, certain: boolean, reason: TwinReason): void {
  board.taken.add(one.id)
  if (certain) board.taken.add(other.id)
  board.found.push({ id: one.id, of: other.id, certain, reason })
}

/** Each with the first of the others that fits and is free. */
function pairWhere(board: Board, ours: readonly Told[], theirs: readonly Told[], twin: Omit<Twin, 'id' | 'of'>): void {
  for (const one of ours) {
    const other = left(theirs, board).find(
      ({ id, words }) => !board.apart(one.id, id) && (twin.reason !== 'same_words' || words === one.words),
    )
    if (other) pair(board, one, other, twin.certain, twin.reason)
  }
}

/** Those of one account, day and amount. Where both tell as many, which is which does not matter: each is one of them. */
function pairAlike(board: Board, ours: readonly Told[], theirs: readonly Told[]): void {
  pairWhere(board, ours, theirs, { certain: true, reason: 'same_words' })
  const [rest, others] = [left(ours, board), left(theirs, board)]
  const certain = rest.length === others.length
  pairWhere(board, rest, others, { certain, reason: certain ? 'same_day_and_amount' : 'counts_differ' })
}

const DAY_MS = 86_400_000
/** Banks count on another day than they tell: so many days apart it may still be the same. */
export const NEAR_DAYS = 3

const near = (one: Told, other: Told) =>
  Math.abs(Date.parse(one.post_date) - Date.parse(other.post_date)) <= NEAR_DAYS * DAY_MS

function groups<K>(all: readonly Told[], keyOf: (one: Told) => K): Map<K, Told[]> {
  const found = new Map<K, Told[]>()
  for (const one of all) {
    const group = found.get(keyOf(one))
    if (group) group.push(one)
    else found.set(keyOf(one), [one])
  }
  return found
}

/** Accounts of one source that both could be the one that is meant. */
function areSeveral(theirs: readonly Told[]): boolean {
  return new Set(theirs.map(({ bank_account }) => bank_account)).size > 1
}

const without = (all: readonly Told[], feed: string) => all.filter(({ behind }) => !behind.includes(feed))

function pairAccount(board: Board, account: readonly Told[], others: readonly Told[]): void {
  const [first] = account as readonly [Told, ...Told[]]
  for (const [feed, told] of groups(others, (one) => one.feed)) {
    const [ours, theirs] = [without(account, feed), without(told, first.feed)]
    const same = theirs.filter((one) => isSameAccount(first, one) === 'yes')
    const alike = areSeveral(same) ? [] : same
    const unsure = theirs.filter((one) => isSameAccount(first, one) === 'maybe').concat(areSeveral(same) ? same : [])
    for (const [post_date, day] of groups(left(ours, board), (one) => one.post_date)) {
      const on = (all: readonly Told[]) => left(all, board).filter((one) => one.post_date === post_date)
      pairAlike(board, day, on(alike))
      pairWhere(board, left(day, board), on(unsure), { certain: false, reason: 'account_unknown' })
    }
    for (const one of left(ours, board)) {
      const [other, ...more] = left(alike, board).filter((them) => near(one, them) && !board.apart(one.id, them.id))
      if (other && more.length === 0) pair(board, one, other, false, 'other_day')
    }
  }
}

/**
 * Which movements of one source another one tells too. Only what is certain is put together; of what cannot be told it
 * is said that it cannot.
 */
export function findTwins(ours: readonly Told[], others: readonly Told[], apart: Apart): Twin[] {
  const board: Board = { found: [], taken: new Set(), apart }
  const money = ({ amount, currency }: Told) => `${amount} ${currency}`
  const theirs = groups(others, money)
  for (const [key, same] of groups(ours, money)) {
    const rivals = theirs.get(key)
    if (!rivals) continue
    for (const account of groups(same, ({ bank_account }) => bank_account).values()) pairAccount(board, account, rivals)
  }
  return board.found
}
