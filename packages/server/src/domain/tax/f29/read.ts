import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { RcvEntry } from '../rcv/schema.ts'
import { showEntry } from '../rcv/show.ts'
import { codeEntry } from './codes.ts'
import { entriesWith } from './lineage-store.ts'
import type { ProposalWithFiling } from './row.ts'
import type { CodePath, F29Proposal, PeriodPath } from './schema.ts'
import { showProposal } from './show.ts'
import { findProposal, listProposalRows } from './store.ts'

export async function requireProposal(
  { sql, empresa }: Pick<EmpresaContext, 'sql' | 'empresa'>,
  period: string,
): Promise<ProposalWithFiling> {
  const row = await findProposal(sql, empresa, period)
  if (!row) throw new Problem('f29_proposal_not_found')
  return row
}

export async function hasProposal(
  { sql, empresa }: Pick<EmpresaContext, 'sql' | 'empresa'>,
  period: string,
): Promise<boolean> {
  return (await findProposal(sql, empresa, period)) !== null
}

export async function readProposal(ctx: EmpresaContext, { period }: PeriodPath): Promise<F29Proposal> {
  return showProposal(await requireProposal(ctx, period))
}

export async function listProposals(ctx: EmpresaContext, input: PageInput): Promise<ListPage<F29Proposal>> {
  const fetch = async (page: { before: string | null; take: number }) =>
    (await listProposalRows(ctx.sql, ctx.empresa, page)).map((row) => ({ id: row.period, row }))
  return pageById('f29_proposals', {}, input, fetch, ({ row }) => showProposal(row))
}

/** The entries that a code was made of when it was last computed. */
export async function listEntriesBehind(
  ctx: EmpresaContext,
  { period, code: told, ...page }: CodePath & PageInput,
): Promise<ListPage<RcvEntry>> {
  const code = Number(told)
  if (!codeEntry(code)) throw invalidField('code', `the form has no code ${code} here.`)
  await requireProposal(ctx, period)
  const fetch = (at: { before: string | null; take: number }) => entriesWith(ctx.sql, ctx.empresa, { period, code }, at)
  return pageById('f29_entries', { period, code }, page, fetch, (row) => showEntry(row))
}
