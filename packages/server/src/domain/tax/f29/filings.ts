import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { F29Filing, FilingPath, FilingQuery } from './filing-schema.ts'
import { showFiling } from './filing-show.ts'
import { findFiling, listFilingRows } from './filing-store.ts'

export async function readFiling({ sql, empresa }: EmpresaContext, { filing_id }: FilingPath): Promise<F29Filing> {
  const row = await findFiling(sql, empresa, filing_id)
  if (!row) throw new Problem('f29_filing_not_found')
  return showFiling(row)
}

export async function listFilings(ctx: EmpresaContext, input: FilingQuery): Promise<ListPage<F29Filing>> {
  const { limit: _, cursor: __, ...filters } = input
  const fetch = (page: { before: string | null; take: number }) => listFilingRows(ctx.sql, ctx.empresa, filters, page)
  return pageById('f29_filings', filters, input, fetch, showFiling)
}
