import { DAY_MS } from '@timbre/dte/values'
import { type AccountMark, isSameAccount } from '../ingest/account.ts'

/** A movement as it is compared with those of other sources of the same account. */
export interface Compared extends AccountMark {
  readonly id: string
  /** Its source: all cartolas are one, since equal lines have equal keys. */
  readonly feed: string
  readonly bank_account: string
  readonly post_date: string
  readonly amount: number
  readonly currency: string
  readonly words: string
  /** Sources whose duplicate of it is known already: no source holds one movement twice. */
  readonly behind: readonly string[]
}

/** Why a movement counts as a duplicate, or why nobody can be certain. */
export const DUPLICATE_REASONS = {
  same_words: 'The same account, day, amount and words.',
  same_day_and_amount: 'The same account, day and amount, as often as the other source tells it.',
  counts_differ: 'The same account, day and amount, but the sources tell it a different number of times.',
  account_unknown: 'The same day and amount, but it is not told whether the account is the same.',
  other_day: 'The same account and amount a few days apart.',
  both_matched: 'Both are matched to documents.',
  changed: 'They were the same until the bank changed one of them.',
  said: 'Somebody said so.',
} as const
export type DuplicateReason = keyof typeof DUPLICATE_REASONS

export interface Duplicate {
  readonly id: string
  readonly of: string
  readonly certain: boolean
  readonly reason: DuplicateReason
}

type KeptApart = (one: string, other: string) => boolean

/** The duplicates found so far, and the movements that are paired. */
interface Pairing {
  readonly found: Duplicate[]
  readonly taken: Set<string>
  readonly apart: KeptApart
}

const left = (all: readonly Compared[], { taken }: Pairing) => all.filter(({ id }) => !taken.has(id))

function pair(pairing: Pairing, one: Compared, other: Compared, certain: boolean, reason: DuplicateReason): void {
  pairing.taken.add(one.id)
  if (certain) pairing.taken.add(other.id)
  pairing.found.push({ id: one.id, of: other.id, certain, reason })
}

/** Each with the first of the others that fits and is free. */
function pairWhere(
  pairing: Pairing,
  ours: readonly Compared[],
  theirs: readonly Compared[],
  duplicate: Omit<Duplicate, 'id' | 'of'>,
): void {
  for (const one of ours) {
    const other = left(theirs, pairing).find(
      ({ id, words }) => !pairing.apart(one.id, id) && (duplicate.reason !== 'same_words' || words === one.words),
    )
    if (other) pair(pairing, one, other, duplicate.certain, duplicate.reason)
  }
}

/** Pairs movements of one account, day and amount. Where both sources hold as many, which is which does not matter. */
function pairAlike(pairing: Pairing, ours: readonly Compared[], theirs: readonly Compared[]): void {
  pairWhere(pairing, ours, theirs, { certain: true, reason: 'same_words' })
  const [rest, others] = [left(ours, pairing), left(theirs, pairing)]
  const certain = rest.length === others.length
  pairWhere(pairing, rest, others, { certain, reason: certain ? 'same_day_and_amount' : 'counts_differ' })
}

/** Sources may date one movement differently: so many days apart it may still be the same. */
export const NEAR_DAYS = 3

const near = (one: Compared, other: Compared) =>
  Math.abs(Date.parse(one.post_date) - Date.parse(other.post_date)) <= NEAR_DAYS * DAY_MS

function groups<K>(all: readonly Compared[], keyOf: (one: Compared) => K): Map<K, Compared[]> {
  const found = new Map<K, Compared[]>()
  for (const one of all) {
    const group = found.get(keyOf(one))
    if (group) group.push(one)
    else found.set(keyOf(one), [one])
  }
  return found
}

/** Whether one source has several accounts that could be the one in question. */
function areSeveral(theirs: readonly Compared[]): boolean {
  return new Set(theirs.map(({ bank_account }) => bank_account)).size > 1
}

const without = (all: readonly Compared[], feed: string) => all.filter(({ behind }) => !behind.includes(feed))

function pairAccount(pairing: Pairing, account: readonly Compared[], others: readonly Compared[]): void {
  const [first] = account as readonly [Compared, ...Compared[]]
  for (const [feed, all] of groups(others, (one) => one.feed)) {
    const [ours, theirs] = [without(account, feed), without(all, first.feed)]
    const same = theirs.filter((one) => isSameAccount(first, one) === 'yes')
    const alike = areSeveral(same) ? [] : same
    const unsure = theirs.filter((one) => isSameAccount(first, one) === 'maybe').concat(areSeveral(same) ? same : [])
    for (const [post_date, day] of groups(left(ours, pairing), (one) => one.post_date)) {
      const on = (all: readonly Compared[]) => left(all, pairing).filter((one) => one.post_date === post_date)
      pairAlike(pairing, day, on(alike))
      pairWhere(pairing, left(day, pairing), on(unsure), { certain: false, reason: 'account_unknown' })
    }
    for (const one of left(ours, pairing)) {
      const [other, ...more] = left(alike, pairing).filter((them) => near(one, them) && !pairing.apart(one.id, them.id))
      if (other && more.length === 0) pair(pairing, one, other, false, 'other_day')
    }
  }
}

/**
 * Finds the movements of one source that another one holds too: certain duplicates, which will be hidden, and suspected
 * ones, which a person has to decide about.
 */
export function findDuplicates(ours: readonly Compared[], others: readonly Compared[], apart: KeptApart): Duplicate[] {
  const pairing: Pairing = { found: [], taken: new Set(), apart }
  const money = ({ amount, currency }: Compared) => `${amount} ${currency}`
  const theirs = groups(others, money)
  for (const [key, same] of groups(ours, money)) {
    const rivals = theirs.get(key)
    if (!rivals) continue
    for (const account of groups(same, ({ bank_account }) => bank_account).values())
      pairAccount(pairing, account, rivals)
  }
  return pairing.found
}
