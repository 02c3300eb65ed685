import { newId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { lockEmisor } from '../../platform/empresa/emisor.ts'
import { lockPeriod } from '../rcv/period-lock.ts'
import type { F29Filing, FileF29 } from './filing-schema.ts'
import { type FilingRow, showFiling } from './filing-show.ts'
import { fileDeclaration } from './jobs.ts'
import { carryOver, propose } from './propose.ts'
import { requireProposal } from './read.ts'
import { amountIn, diffOf, dueIn, type FiledCode, type ProposalWithFiling, valueIn } from './show.ts'
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

/** A declaration that stands is corrected by one that names it, once the SII accepted it. */
function refuseSecond(current: FilingRow | null, rectifies: string | undefined): void {
  if (!current && rectifies !== undefined) throw new Problem('f29_nothing_to_rectify', { param: 'rectifies' })
  if (!current || (current.status === 'accepted' && current.id === rectifies)) return
  throw new Problem('f29_already_filed', { existing_id: current.id })
}

/** The codes as they are filed, each with what the corrected declaration says. */
function filedCodes({ codes }: ProposalWithFiling, corrected: FilingRow | null): FiledCode[] {
  const filed = codes.map(({ code, amount, rate }) => ({ code, amount, rate }))
  if (!corrected) return filed
  const changes = diffOf(corrected.codes, filed)
  if (changes.length === 0) throw new Problem('f29_nothing_to_rectify', { param: 'rectifies' })
  const gone = changes.filter(({ code }) => !filed.some((one) => one.code === code))
  const all = [...filed, ...gone.map(({ code }) => ({ code, amount: 0, rate: null }))]
  return all.map((one) => ({ ...one, before: valueIn(corrected.codes, one.code) }))
}

/**
 * Files the declaration of a period with the figures that were seen, if they still hold, and locks the period: its entries
 * no longer change, unless the filing fails or is rectified.
 */
export async function fileF29(
  ctx: EmpresaContext,
  { period, confirm_total, version: seen_version, rectifies }: FileF29,
): Promise<F29Filing> {
  const { sql, empresa } = ctx
  await lockEmisor(sql, empresa)
  const current = await findCurrentFiling(sql, empresa, period)
  refuseSecond(current, rectifies)
  const seen = await requireProposal(ctx, period)
  const proposal = await propose(ctx, empresa, period)
  refuseUnseen(seen, proposal, seen_version)
  refuseUnfit(proposal, confirm_total)
  const { codes, due_date, version } = proposal
  const row = await insertFiling(sql, empresa, {
    id: newId('f29_filing'),
    period,
    proposal_version: version,
    codes: filedCodes(proposal, current),
    total: amountIn(codes, 91),
    due_date,
    created_at: ctx.now(),
    rectifies: current?.id ?? null,
  })
  await lockPeriod(sql, empresa, period, ctx.now())
  await carryOver(ctx, empresa, period)
  await ctx.enqueue(fileDeclaration, { payload: { filing_id: row.id }, key: row.id })
  return showFiling(row)
}
