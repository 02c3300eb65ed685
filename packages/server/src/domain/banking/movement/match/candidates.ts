import { addDays } from '@timbre/dte/values'
import type { Sql } from '../../../../kernel/db.ts'
import type { EmpresaScope } from '../../../../kernel/scope.ts'
import { type Direction, directionOf, type MovementRow, PESO } from '../row.ts'
import { findUnpaidDocuments, findUnpaidPurchases, type Search } from './find-targets.ts'
import { type Candidate, candidatesFor, type Payable, type Payment, rutsOf, WINDOW } from './score.ts'
import { documentDirectionOf, isCreditNote, type Target } from './target.ts'

/** A target as it is scored: notas de crédito are negative. */
export type Payee = Payable & { readonly target: Target }

const paymentOf = (row: MovementRow) => ({ ...row, amount: Math.abs(row.amount) })

function searchFor(payments: readonly Payment[]): Search {
  const dates = payments.map(({ post_date }) => post_date).sort()
  return {
    from: addDays(dates[0] ?? '', -WINDOW.after),
    to: addDays(dates.at(-1) ?? '', WINDOW.ahead),
    amounts: [...new Set(payments.map(({ amount }) => amount))],
    ruts: [...new Set(payments.flatMap(rutsOf))],
  }
}

function asPayee(target: Target): Payee {
  const { id, folio, date, rut, name } = target
  return { id, folio, date, rut, name, total: isCreditNote(target) ? -target.total : target.total, target }
}

/** Everything unpaid whose money goes one way, and the notas de crédito against it. */
async function payees(sql: Sql, scope: EmpresaScope, direction: Direction, payments: readonly Payment[]) {
  const search = searchFor(payments)
  const ours = await findUnpaidDocuments(sql, scope, search)
  const theirs = direction === 'out' ? await findUnpaidPurchases(sql, scope, search) : []
  return [...ours, ...theirs]
    .filter((one) => (documentDirectionOf(one) === direction) !== isCreditNote(one))
    .map(asPayee)
}

function grouped<K>(all: readonly Payee[], keyOf: (one: Payee) => K): Map<K, Payee[]> {
  const groups = new Map<K, Payee[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

// Of hundreds of documents of one amount only those that something else points at are scored.
const MANY = 50

function narrowed(payment: Payment, alike: readonly Payee[]): readonly Payee[] {
  if (alike.length <= MANY) return alike
  const ruts = new Set(rutsOf(payment))
  const numbers = new Set((payment.description.match(/\d+/g) ?? []).map(Number))
  return alike.filter(({ rut, folio }) => ruts.has(rut ?? '') || numbers.has(folio ?? -1))
}

/** Candidates of each of many movements, with a few statements for all of them however many they are. */
export async function findCandidates(
  sql: Sql,
  scope: EmpresaScope,
  movements: readonly MovementRow[],
): Promise<Map<string, Candidate<Payee>[]>> {
  const found = new Map<string, Candidate<Payee>[]>()
  for (const direction of ['in', 'out'] as const) {
    const rows = movements.filter((row) => row.currency === PESO && row.amount !== 0 && directionOf(row) === direction)
    if (rows.length === 0) continue
    const payments = rows.map(paymentOf)
    const all = await payees(sql, scope, direction, payments)
    const byAmount = grouped(all, ({ total }) => total)
    const byRut = grouped(all, ({ rut }) => rut)
    for (const payment of payments) {
      const near = narrowed(payment, byAmount.get(payment.amount) ?? [])
      const same = rutsOf(payment).flatMap((rut) => byRut.get(rut) ?? [])
      found.set(payment.id, candidatesFor(payment, [...new Set([...near, ...same])]))
    }
  }
  return found
}
