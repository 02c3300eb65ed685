import type { Static } from 'typebox'
import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import { brokenRules, Problem, together } from '../../../kernel/problem.ts'
import type { EmpresaContext, OperatorContext } from '../../context.ts'
import { advanceFiling, type FilingFacts } from './advance-filing.ts'
import type { F29Filing, FilingOutcome, FilingPath, FilingQuery, OperatorFilingPath } from './filing-schema.ts'
import { showFiling } from './filing-show.ts'
import { findFiling, listFilingRows } from './store.ts'

export async function readFiling({ sql, empresa }: EmpresaContext, { filing_id }: FilingPath): Promise<F29Filing> {
  const row = await findFiling(sql, empresa, filing_id)
  if (!row) throw new Problem('f29_filing_not_found')
  return showFiling(row)
}

export async function listFilings(ctx: EmpresaContext, input: FilingQuery): Promise<ListPage<F29Filing>> {
  const { limit: _, cursor: __, ...filters } = input
  const fetch = (page: { before: string | null; take: number }) => listFilingRows(ctx.sql, ctx.empresa, filters, page)
  return pageById(ctx, 'f29_filings', filters, input, fetch, showFiling)
}

function factsOf({ outcome, folio, message }: FilingOutcome): FilingFacts {
  if (outcome === 'accepted') {
    if (folio !== undefined && message === undefined) return { folio }
    throw together(
      brokenRules(
        [folio === undefined, 'folio', 'an accepted declaration has one.'],
        [message !== undefined, 'message', 'an accepted declaration has none.'],
      ),
    )
  }
  if (message !== undefined && folio === undefined) return { failure: { code: 'operator_failed', message } }
  throw together(
    brokenRules(
      [message === undefined, 'message', 'say why it failed.'],
      [folio !== undefined, 'folio', 'a declaration that failed has none.'],
    ),
  )
}

/** Settles a filing that the operator filed by hand. */
export async function recordOutcome(
  ctx: OperatorContext,
  input: Static<typeof OperatorFilingPath> & FilingOutcome,
): Promise<F29Filing> {
  if (input.confirm !== true) throw new Problem('confirmation_required')
  const facts = factsOf(input)
  const filing = await findFiling(ctx.sql, ctx.empresa, input.filing_id)
  if (!filing) throw new Problem('f29_filing_not_found')
  const settled = new Problem('f29_filing_settled', { details: { status: filing.status } })
  if (filing.status !== 'awaiting_operator') throw settled
  const row = await advanceFiling(ctx, ctx.empresa, filing, input.outcome, facts)
  if (!row) throw settled
  return showFiling(row)
}
