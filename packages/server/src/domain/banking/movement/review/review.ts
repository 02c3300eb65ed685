import type { Entry, Outcomes } from '../../../../kernel/job.ts'
import type { EmpresaScope } from '../../../../kernel/scope.ts'
import { readAutomationSettings } from '../../../issuing/automation-settings/automation-settings.ts'
import type { JobContext, JobTransaction } from '../../../job.ts'
import { jobEmpresa } from '../../../platform/empresa/job-empresa.ts'
import { tellPaid } from '../../payment/tell.ts'
import { withdrawFor } from '../../suggestion/settle.ts'
import { createSuggestions, withdrawDocumented } from '../../suggestion/suggest.ts'
import type { ReviewOrder } from '../jobs.ts'
import { applySureMatches } from '../match/apply.ts'
import { deleteMatches, repointToDocuments } from '../match-store.ts'
import { lockUnreviewed, markReviewed, textsOfDuplicates } from '../review-store.ts'
import type { MovementRow } from '../row.ts'
import { reopenMovements } from './reopen.ts'

const PAGE = 2_000

const idsOf = (rows: readonly MovementRow[]) => rows.map(({ id }) => id)

/** A movement that its bank took back pays nothing, and one that it changed loses its automatic match. */
async function release(tx: JobTransaction, scope: EmpresaScope, rows: readonly MovementRow[]): Promise<void> {
  const removed = rows.filter(({ removed_at }) => removed_at !== null)
  const guessed = rows.filter(({ removed_at, match }) => removed_at === null && match?.matched_by === 'review')
  await deleteMatches(tx.sql, scope, idsOf([...removed.filter(({ match }) => match !== null), ...guessed]))
  await withdrawFor(tx, scope, idsOf(removed), 'movement_removed')
}

/**
 * Reviews one page in one transaction: after a crash the next run reviews it again. Gives where the next page begins;
 * null when there is none.
 */
async function reviewPage(tx: JobTransaction, scope: EmpresaScope, after: string): Promise<string | null> {
  const rows = await lockUnreviewed(tx.sql, scope, { after, take: PAGE })
  if (rows.length === 0) return null
  await release(tx, scope, rows)
  const unmatched = rows.filter(
    ({ removed_at, match }) => removed_at === null && (match === null || match.matched_by === 'review'),
  )
  const settings = await readAutomationSettings({ sql: tx.sql, empresa: scope })
  const matched = settings.apply_movement_matches ? await applySureMatches(tx, scope, unmatched) : new Set<string>()
  // The document has arrived: a suggestion to issue one is obsolete.
  await withdrawFor(tx, scope, [...matched], 'movement_matched')
  const spent = unmatched.filter(({ id, amount }) => amount < 0 && !matched.has(id))
  const originals = await textsOfDuplicates(tx.sql, scope, spent)
  await createSuggestions(
    tx,
    scope,
    spent.map((row) => ({ ...row, duplicate_text: originals.get(row.id) ?? null })),
  )
  await markReviewed(tx.sql, scope, idsOf(rows), tx.now())
  return rows.length < PAGE ? null : (rows.at(-1)?.id ?? null)
}

async function appliesMatches({ sql }: JobContext, empresa: EmpresaScope): Promise<boolean> {
  return (await readAutomationSettings({ sql, empresa })).apply_movement_matches
}

/** Handles the review job: everything that waits in the lane of an empresa is one review. */
export async function reviewPending(ctx: JobContext, entries: readonly Entry<ReviewOrder>[]): Promise<Outcomes> {
  const orders = entries.map(({ payload }) => payload)
  const all_done: Outcomes = new Map()
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return all_done
  const { scope } = empresa
  await ctx.transact(async (tx) => tellPaid(tx, scope, await repointToDocuments(tx.sql, scope)))
  if (await appliesMatches(ctx, scope)) await reopenMovements(ctx, scope, orders)
  for (let after: string | null = ''; after !== null; ) {
    const place: string = after
    after = await ctx.transact((tx) => reviewPage(tx, scope, place))
  }
  await ctx.transact((tx) => withdrawDocumented(tx, scope))
  return all_done
}
