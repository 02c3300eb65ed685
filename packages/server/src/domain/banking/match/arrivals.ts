import { addDays } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type Payment, rutsOf, WINDOW } from './score.ts'
import { findArrived, findPeriod } from './target-store.ts'

/** What arrived since movements were looked at: which days it concerns, and which movements it may explain. */
export interface Arrivals {
  readonly from: string
  readonly to: string
  explains(payment: Payment): boolean
}

/** Documents by their ids, and whole months of the register. Null where nothing arrived. */
export async function arrivalsOf(
  sql: Sql,
  scope: EmpresaScope,
  { ids, periods }: { readonly ids: readonly string[]; readonly periods: readonly string[] },
): Promise<Arrivals | null> {
  const arrived = [...(await findArrived(sql, scope, ids)), ...(await findPeriod(sql, scope, periods))]
  const dates = arrived.map(({ date }) => date).sort()
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined) return null
  const totals = new Set(arrived.map(({ total }) => total))
  const ruts = new Set(arrived.flatMap(({ rut }) => rut ?? []))
  return {
    from: addDays(first, -WINDOW.ahead),
    to: addDays(last, WINDOW.after),
    // Several documents of one party may add up to a payment, so naming the party is enough to look again.
    explains: (payment) => totals.has(Math.abs(payment.amount)) || rutsOf(payment).some((rut) => ruts.has(rut)),
  }
}
