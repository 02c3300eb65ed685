import { DAY_MS } from '@timbre/dte/values'
import { namesFolio, namesParty, rutsIn } from './words.ts'

/** Money that moved, in whole pesos whichever way it went. */
export interface Payment {
  readonly post_date: string
  readonly amount: number
  readonly description: string
  readonly counterparty_rut: string | null
  readonly counterparty_name: string | null
}

/** A document that a payment may be for. The total of a nota de crédito is negative. */
export interface Payable {
  readonly id: string
  readonly folio: number | null
  readonly date: string
  readonly total: number
  readonly rut: string | null
  readonly name: string | null
}

export const REASONS = {
  amount: 'The amount is the total of the document.',
  sum: 'The amount is the sum of these documents.',
  rut: 'The movement names the RUT of the document.',
  other_rut: 'The movement names another RUT than the document.',
  folio: 'The description names the folio.',
  name: 'The movement names the other side of the document.',
  part_of_name: 'The movement names part of the other side of the document.',
  soon_after: 'It moved within thirty days of the document.',
  later: 'It moved within sixty days of the document.',
} as const
export type ReasonCode = keyof typeof REASONS

// An amount alone never reaches 75, and no two hints do unless one of them says who it was.
const POINTS: Readonly<Record<ReasonCode, number>> = {
  amount: 40,
  sum: 35,
  rut: 35,
  other_rut: -30,
  folio: 20,
  name: 20,
  part_of_name: 12,
  soon_after: 10,
  later: 5,
}
const BEYOND_AMOUNT: readonly ReasonCode[] = ['rut', 'folio', 'name', 'part_of_name']

/** From here on a candidate may be applied automatically. */
const SURE = 75
const WORTH_SHOWING = 30
/** How far ahead of the next one it must be. */
const MARGIN = 5

export interface Reason {
  readonly code: ReasonCode
  readonly message: string
}

export interface Candidate<P extends Payable = Payable> {
  readonly targets: readonly P[]
  /** 0 to 100. */
  readonly confidence: number
  readonly reasons: readonly Reason[]
}

/** Days before and after a document within which its payment is looked for. */
export const WINDOW = { ahead: 5, after: 180 } as const

function daysAfter(post_date: string, date: string): number {
  return (Date.parse(post_date) - Date.parse(date)) / DAY_MS
}

function isWithin(post_date: string, { date }: Pick<Payable, 'date'>): boolean {
  const days = daysAfter(post_date, date)
  return days >= -WINDOW.ahead && days <= WINDOW.after
}

const wordsOf = ({ description, counterparty_name }: Payment) => `${description} ${counterparty_name ?? ''}`

// Needed for every document that a payment is compared with, and parsed once.
const named = new WeakMap<Payment, readonly string[]>()

/** The RUTs that a movement names. */
export function rutsOf(payment: Payment): readonly string[] {
  const known = named.get(payment)
  if (known) return known
  const written = rutsIn(wordsOf(payment))
  const ruts = payment.counterparty_rut === null ? written : [...new Set([payment.counterparty_rut, ...written])]
  named.set(payment, ruts)
  return ruts
}

function partyReasons(payment: Payment, { rut, name }: Payable): ReasonCode[] {
  const is_named = rut !== null && rutsOf(payment).includes(rut)
  const match = name === null ? null : namesParty(wordsOf(payment), name)
  return [
    ...(is_named ? (['rut'] as const) : []),
    // Only the RUT from the bank itself is certain.
    ...(!is_named && rut !== null && payment.counterparty_rut !== null ? (['other_rut'] as const) : []),
    ...(match === 'whole' ? (['name'] as const) : []),
    ...(match === 'part' ? (['part_of_name'] as const) : []),
  ]
}

function dateReasons(payment: Payment, newest: string): ReasonCode[] {
  const days = daysAfter(payment.post_date, newest)
  if (days < 0) return []
  return days <= 30 ? ['soon_after'] : days <= 60 ? ['later'] : []
}

function score<P extends Payable>(payment: Payment, targets: readonly P[]): Candidate<P> {
  const [first] = targets as readonly [P, ...P[]]
  const newest = [...targets].sort(byDate).at(-1)?.date ?? first.date
  const folios = targets.every(({ folio }) => folio !== null && namesFolio(payment.description, folio))
  const codes: ReasonCode[] = [
    targets.length === 1 ? 'amount' : 'sum',
    ...partyReasons(payment, first),
    ...(folios ? (['folio'] as const) : []),
    ...dateReasons(payment, newest),
  ]
  const points = codes.reduce((sum, code) => sum + POINTS[code], 0)
  return {
    targets,
    confidence: Math.max(0, Math.min(100, points)),
    reasons: codes.map((code) => ({ code, message: REASONS[code] })),
  }
}

interface Summand {
  readonly total: number
}

/** From each place on, the most and the least that the rest of a list can add. */
function reachOf(all: readonly Summand[]): { readonly most: number[]; readonly least: number[] } {
  const [most, least] = [[0], [0]]
  for (const { total } of all.toReversed()) {
    most.unshift((most[0] ?? 0) + Math.max(0, total))
    least.unshift((least[0] ?? 0) + Math.min(0, total))
  }
  return { most, least }
}

/** Sets of two or more whose sum is the amount; no more than two, since two are already one too many to choose from. */
function sumsTo<S extends Summand>(amount: number, all: readonly S[]): S[][] {
  const found: S[][] = []
  const chosen: S[] = []
  const { most, least } = reachOf(all)
  const search = (from: number, missing: number): void => {
    if (missing === 0 && chosen.length > 1) found.push([...chosen])
    for (let i = from; i < all.length && found.length < 2; i++) {
      // The rest can no longer reach the amount, or must exceed it.
      if (missing > (most[i] as number) || missing < (least[i] as number)) return
      chosen.push(all[i] as S)
      search(i + 1, missing - (all[i] as S).total)
      chosen.pop()
    }
  }
  search(0, amount)
  return found
}

const GROUP_MOST = 12

const byDate = (a: Payable, b: Payable) => (a.date === b.date ? (a.id < b.id ? -1 : 1) : a.date < b.date ? -1 : 1)

function groupsOf<P extends Payable>(payment: Payment, payables: readonly P[]): Candidate<P>[] {
  return rutsOf(payment).flatMap((rut) => {
    const theirs = payables.filter((one) => one.rut === rut).sort(byDate)
    return sumsTo(payment.amount, theirs.slice(0, GROUP_MOST)).map((targets) => score(payment, targets))
  })
}

/** Candidates of a payment, surest first: a document of its very amount, or several of one party that add up to it. */
export function candidatesFor<P extends Payable>(payment: Payment, payables: readonly P[]): Candidate<P>[] {
  const near = payables.filter((one) => isWithin(payment.post_date, one))
  const alone = near.filter(({ total }) => total === payment.amount).map((one) => score(payment, [one]))
  return [...alone, ...groupsOf(payment, near)]
    .filter(({ confidence }) => confidence >= WORTH_SHOWING)
    .sort((a, b) => b.confidence - a.confidence || byDate(a.targets[0] as P, b.targets[0] as P))
}

/** The candidate that may be applied automatically: sure, for more than its amount, and clearly ahead of any other. */
export function sureOf<P extends Payable>(candidates: readonly Candidate<P>[]): Candidate<P> | null {
  const [best, next] = candidates
  if (!best || best.confidence < SURE) return null
  if (next && best.confidence - next.confidence < MARGIN) return null
  return best.reasons.some(({ code }) => BEYOND_AMOUNT.includes(code)) ? best : null
}

export interface Claim<P extends Payable = Payable> {
  readonly payment_id: string
  readonly candidate: Candidate<P>
}

/** Of payments that claim the same document, the clearly surest one keeps it; where none is, nobody does. */
export function withoutRivals<P extends Payable>(claims: readonly Claim<P>[]): Claim<P>[] {
  const byTarget = new Map<string, Claim<P>[]>()
  for (const claim of claims) {
    for (const { id } of claim.candidate.targets) byTarget.set(id, [...(byTarget.get(id) ?? []), claim])
  }
  const wins = (claim: Claim<P>) =>
    claim.candidate.targets.every(({ id }) =>
      (byTarget.get(id) ?? []).every(
        (other) => other === claim || claim.candidate.confidence - other.candidate.confidence >= MARGIN,
      ),
    )
  return claims.filter(wins)
}
