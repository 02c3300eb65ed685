import { addDays } from '@timbre/dte/values'
import type { Sql } from '../../../../kernel/db.ts'
import type { EmpresaScope } from '../../../../kernel/scope.ts'
import type { JobContext } from '../../../job.ts'
import type { ReviewOrder } from '../jobs.ts'
import { findArrived, findPeriod } from '../match/find-targets.ts'
import { type Payment, rutsOf, WINDOW } from '../match/score.ts'
import { listUnmatched, reopenReviews, reopenSome } from '../review-store.ts'

/** Documents that arrived since movements were reviewed: the days they concern, and which movements they may explain. */
interface Arrivals {
  readonly from: string
  readonly to: string
  explains(payment: Payment): boolean
}

/** Documents by their ids, and whole months of the register; null where nothing arrived. */
async function findArrivals(
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
    // Several documents of one party may add up to a payment, so naming the party is enough for another review.
    explains: (payment) => totals.has(Math.abs(payment.amount)) || rutsOf(payment).some((rut) => ruts.has(rut)),
  }
}

const PAGE = 5_000

async function reopenAll(ctx: JobContext, scope: EmpresaScope): Promise<void> {
  let reopened = PAGE
  while (reopened === PAGE) reopened = await ctx.transact((tx) => reopenSome(tx.sql, scope, PAGE))
}

/** Has movements reviewed again that were reviewed before the documents they may have paid arrived. */
export async function reopenMovements(
  ctx: JobContext,
  scope: EmpresaScope,
  orders: readonly ReviewOrder[],
): Promise<void> {
  if (orders.some(({ everything }) => everything)) return reopenAll(ctx, scope)
  const ids = [...new Set(orders.flatMap(({ arrived = [] }) => arrived))]
  const periods = [...new Set(orders.flatMap(({ period }) => period ?? []))]
  const arrivals = await findArrivals(ctx.sql, scope, { ids, periods })
  if (!arrivals) return
  for (let after: string | null = ''; after !== null; ) {
    const page = await listUnmatched(ctx.sql, scope, arrivals, { after, take: PAGE })
    const reopened = page.filter((one) => arrivals.explains(one)).map(({ id }) => id)
    if (reopened.length > 0) await ctx.transact((tx) => reopenReviews(tx.sql, scope, reopened))
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null)
  }
}
