import type { Entry, Outcomes } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { readAutomationSettings } from '../../issuing/automation-settings/automation-settings.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { applySure, followDocuments, releaseMatches } from '../match/apply.ts'
import type { MovementRow } from '../match/row.ts'
import { suggestFor, withdrawDocumented } from '../suggestion/find.ts'
import { withdrawAbout } from '../suggestion/withdraw.ts'
import type { ReviewOrder } from './jobs.ts'
import { lockUnreviewed, noteReviewed, wordsOfTwins } from './store.ts'
import { wakeMovements } from './wake.ts'

const PAGE = 2_000

const idsOf = (rows: readonly MovementRow[]) => rows.map(({ id }) => id)

/** What its bank took back pays nothing, and what it changed pays no longer what was guessed. */
async function release(tx: JobTransaction, scope: EmpresaScope, rows: readonly MovementRow[]): Promise<void> {
  const removed = rows.filter(({ removed_at }) => removed_at !== null)
  const guessed = rows.filter(({ removed_at, match }) => removed_at === null && match?.matched_by === 'review')
  await releaseMatches(tx.sql, scope, idsOf([...removed.filter(({ match }) => match !== null), ...guessed]))
  await withdrawAbout(tx, scope, idsOf(removed), 'movement_removed')
}

/**
 * One page in one transaction: a crash leaves it as it was, and the next run looks at it again. Gives where the next
 * page begins; null when there is none.
 */
async function reviewPage(tx: JobTransaction, scope: EmpresaScope, after: string): Promise<string | null> {
  const rows = await lockUnreviewed(tx.sql, scope, { after, take: PAGE })
  if (rows.length === 0) return null
  await release(tx, scope, rows)
  const loose = rows.filter(
    ({ removed_at, match }) => removed_at === null && (match === null || match.matched_by === 'review'),
  )
  const settings = await readAutomationSettings({ sql: tx.sql, empresa: scope })
  const matched = settings.apply_movement_matches ? await applySure(tx, scope, loose) : new Set<string>()
  // What was suggested before its document arrived is answered by it.
  await withdrawAbout(tx, scope, [...matched], 'movement_matched')
  const spent = loose.filter(({ id, amount }) => amount < 0 && !matched.has(id))
  const twins = await wordsOfTwins(tx.sql, scope, spent)
  await suggestFor(
    tx,
    scope,
    spent.map((row) => ({ ...row, twin_words: twins.get(row.id) ?? null })),
  )
  await noteReviewed(tx.sql, scope, idsOf(rows), tx.now())
  return rows.length < PAGE ? null : (rows.at(-1)?.id ?? null)
}

async function matchesUnasked({ sql }: JobContext, empresa: EmpresaScope): Promise<boolean> {
  return (await readAutomationSettings({ sql, empresa })).apply_movement_matches
}

export async function runReview(ctx: JobContext, entries: readonly Entry<ReviewOrder>[]): Promise<Outcomes> {
  const orders = entries.map(({ payload }) => payload)
  const all_done: Outcomes = new Map()
  const empresa = await empresaOfJob(ctx)
  if (!empresa) return all_done
  const { scope } = empresa
  await ctx.transact((tx) => followDocuments(tx.sql, scope))
  if (await matchesUnasked(ctx, scope)) await wakeMovements(ctx, scope, orders)
  for (let after: string | null = ''; after !== null; ) {
    const place: string = after
    after = await ctx.transact((tx) => reviewPage(tx, scope, place))
  }
  await ctx.transact((tx) => withdrawDocumented(tx, scope))
  return all_done
}
