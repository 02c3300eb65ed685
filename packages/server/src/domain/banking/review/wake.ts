import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import { arrivalsOf } from '../match/arrivals.ts'
import type { ReviewOrder } from './jobs.ts'
import { forgetReviews, forgetSome, looseBetween } from './store.ts'

const PAGE = 5_000

async function wakeAll(ctx: JobContext, scope: EmpresaScope): Promise<void> {
  let woken = PAGE
  while (woken === PAGE) woken = await ctx.transact((tx) => forgetSome(tx.sql, scope, PAGE))
}

/** Has movements looked at again that were reviewed before what they may have paid was here. */
export async function wakeMovements(
  ctx: JobContext,
  scope: EmpresaScope,
  orders: readonly ReviewOrder[],
): Promise<void> {
  if (orders.some(({ everything }) => everything)) return wakeAll(ctx, scope)
  const ids = [...new Set(orders.flatMap(({ arrived = [] }) => arrived))]
  const periods = [...new Set(orders.flatMap(({ period }) => period ?? []))]
  const arrivals = await arrivalsOf(ctx.sql, scope, { ids, periods })
  if (!arrivals) return
  for (let after: string | null = ''; after !== null; ) {
    const page = await looseBetween(ctx.sql, scope, arrivals, { after, take: PAGE })
    const woken = page.filter((one) => arrivals.explains(one)).map(({ id }) => id)
    if (woken.length > 0) await ctx.transact((tx) => forgetReviews(tx.sql, scope, woken))
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null)
  }
}
