import { newId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { lockEmisor } from '../../platform/empresa/emisor.ts'
import { lockPeriod } from '../rcv/period-lock.ts'
import type { F29Filing, FileF29 } from './filing-schema.ts'
import { showFiling } from './filing-show.ts'
import { fileDeclaration } from './jobs.ts'
import { propose } from './propose.ts'
import { requireProposal } from './read.ts'
import { amountIn, dueIn, type ProposalWithFiling } from './show.ts'
import { findCurrentFiling, insertFiling } from './store.ts'

function refuseUnfit({ warnings, codes }: ProposalWithFiling, confirm_total: number | undefined): void {
  const blocking = warnings.filter(({ blocks_filing }) => blocks_filing)
  if (blocking.length > 0) throw new Problem('f29_proposal_incomplete', { details: { warnings: blocking } })
  const total = dueIn(codes)
  if (confirm_total !== undefined && confirm_total !== total) {
    throw new Problem('f29_total_mismatch', { param: 'confirm_total', details: { total } })
  }
}

/** What is filed is what could be seen: the version that was there, and with `version` the very one that was looked at. */
function refuseUnseen(seen: ProposalWithFiling, now: ProposalWithFiling, version: number | undefined): void {
  const { codes, diff } = now
  const details = { version: now.version, total_due: dueIn(codes), diff }
  if (now.version !== seen.version) throw new Problem('f29_proposal_changed', { details })
  if (version === undefined || version === now.version) return
  throw new Problem('f29_proposal_changed', { param: 'version', details })
}

/**
 * Files the declaration of a period with the figures that were seen, if they still hold, and locks the period: its entries no longer change,
 * unless the filing fails.
 */
export async function fileF29(
  ctx: EmpresaContext,
  { period, confirm_total, version: seen_version }: FileF29,
): Promise<F29Filing> {
  const { sql, empresa } = ctx
  await lockEmisor(sql, empresa)
  const current = await findCurrentFiling(sql, empresa, period)
  if (current) throw new Problem('f29_already_filed', { existing_id: current.id })
  const seen = await requireProposal(ctx, period)
  const proposal = await propose(ctx, empresa, period)
  refuseUnseen(seen, proposal, seen_version)
  refuseUnfit(proposal, confirm_total)
  const { codes, due_date, version } = proposal
  const row = await insertFiling(sql, empresa, {
    id: newId('f29_filing'),
    period,
    proposal_version: version,
    codes: codes.map(({ code, amount, rate }) => ({ code, amount, rate })),
    total: amountIn(codes, 91),
    due_date,
    created_at: ctx.now(),
  })
  await lockPeriod(sql, empresa, period, ctx.now())
  await ctx.enqueue(fileDeclaration, { payload: { filing_id: row.id }, key: row.id })
  return showFiling(row)
}
