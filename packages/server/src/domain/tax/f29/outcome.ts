import type { Static } from 'typebox'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { OperatorContext } from '../../context.ts'
import type { F29Filing, FilingOutcome, OperatorFilingPath } from './filing-schema.ts'
import { showFiling } from './filing-show.ts'
import { findFiling } from './filing-store.ts'
import { type FilingFacts, moveFiling } from './move-filing.ts'

function factsOf({ outcome, folio, message }: FilingOutcome): FilingFacts {
  if (outcome === 'accepted') {
    if (folio === undefined) throw invalidField('folio', 'an accepted declaration has one.')
    if (message !== undefined) throw invalidField('message', 'an accepted declaration has none.')
    return { folio }
  }
  if (message === undefined) throw invalidField('message', 'say why it failed.')
  if (folio !== undefined) throw invalidField('folio', 'a declaration that failed has none.')
  return { failure: { code: 'operator_failed', message } }
}

/** What came of a declaration that a person filed. */
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
  const row = await moveFiling(ctx, ctx.empresa, filing, input.outcome, facts)
  if (!row) throw settled
  return showFiling(row)
}
