import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Acting } from '../../context.ts'
import { type Matcher, type MatchFacts, SETTLED } from './row.ts'
import { deleteMatches, writeMatches } from './store.ts'

const SURELY = 100

/** The match of a movement as somebody settled it. */
export function settledBy(matched_by: Matcher, code: keyof typeof SETTLED, at: Date): MatchFacts {
  const reasons = [{ code, message: SETTLED[code] }]
  return { confidence: SURELY, reasons, matched_by, matched_at: at.toISOString() }
}

/** Ties a movement to the document that was issued for it; whatever was guessed about it before goes. */
export async function linkTo(
  tx: Pick<Acting, 'sql' | 'now'> & { readonly empresa: EmpresaScope },
  movement_id: string,
  target: { readonly id: string; readonly amount: number },
): Promise<void> {
  await deleteMatches(tx.sql, tx.empresa, [movement_id])
  const facts = settledBy('confirmation', 'issued_for_it', tx.now())
  await writeMatches(tx.sql, tx.empresa, [{ movement_id, targets: [target], facts }])
}
