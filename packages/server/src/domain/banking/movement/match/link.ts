import type { EmpresaScope } from '../../../../kernel/scope.ts'
import type { Acting } from '../../../context.ts'
import { deleteMatches, writeMatches } from '../match-store.ts'
import { type Matcher, type MatchFacts, SETTLED } from '../row.ts'

const CERTAIN = 100

/** The facts of a match that somebody settled. */
export function settledBy(matched_by: Matcher, code: keyof typeof SETTLED, at: Date): MatchFacts {
  const reasons = [{ code, message: SETTLED[code] }]
  return { confidence: CERTAIN, reasons, matched_by, matched_at: at.toISOString() }
}

/** Matches a movement to the document that was issued for it; an automatic match goes. */
export async function linkDocument(
  tx: Pick<Acting, 'sql' | 'now'> & { readonly empresa: EmpresaScope },
  movement_id: string,
  target: { readonly id: string; readonly amount: number },
): Promise<void> {
  await deleteMatches(tx.sql, tx.empresa, [movement_id])
  const facts = settledBy('confirmation', 'issued_for_it', tx.now())
  await writeMatches(tx.sql, tx.empresa, [{ movement_id, targets: [target], facts }])
}
