import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { Artifact } from '../../../kernel/schema.ts'
import type { EmpresaContext } from '../../context.ts'
import { readEmisor } from '../../platform/empresa/emisor.ts'
import type { RcvEntry } from '../rcv/schema.ts'
import { showEntry } from '../rcv/show.ts'
import { codeEntry } from './form.ts'
import { entriesBehind } from './lineage-store.ts'
import type { CodePath, F29Proposal, PeriodPath } from './schema.ts'
import { type ProposalWithFiling, showProposal } from './show.ts'
import { findProposal, listProposalRows } from './store.ts'
import { uploadFileName, writeUploadFile } from './upload-file.ts'

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
  return showProposal(await requireProposal(ctx, period), ctx.now())
}

export async function listProposals(ctx: EmpresaContext, input: PageInput): Promise<ListPage<F29Proposal>> {
  const fetch = async (page: { before: string | null; take: number }) =>
    (await listProposalRows(ctx.sql, ctx.empresa, page)).map((row) => ({ id: row.period, row }))
  return pageById(ctx, 'f29_proposals', {}, input, fetch, ({ row }) => showProposal(row, ctx.now()))
}

/** The entries that the last computation added up in a code. */
export async function listEntriesBehind(
  ctx: EmpresaContext,
  { period, code: text, ...page }: CodePath & PageInput,
): Promise<ListPage<RcvEntry>> {
  const code = Number(text)
  if (!codeEntry(code)) throw invalidField('code', `the form has no code ${code} here.`)
  await requireProposal(ctx, period)
  const fetch = (at: { before: string | null; take: number }) =>
    entriesBehind(ctx.sql, ctx.empresa, { period, code }, at)
  return pageById(ctx, 'f29_entries', { period, code }, page, fetch, (row) => showEntry(row))
}

/** The proposal as the file that a person loads at the SII. */
export async function readUploadFile(ctx: EmpresaContext, { period }: PeriodPath): Promise<Artifact> {
  const { codes } = await requireProposal(ctx, period)
  const { rut, legal_name } = await readEmisor(ctx)
  const bytes = writeUploadFile({ rut, legal_name, period }, codes)
  return { media_type: 'text/plain', bytes, filename: uploadFileName({ rut }) }
}
