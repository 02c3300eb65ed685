import type { EmpresaScope } from '../../../../kernel/scope.ts'
import type { Acting } from '../../../context.ts'
import type { JobTransaction } from '../../../job.ts'
import { tellPaid } from '../../payment/tell.ts'
import { deleteMatches, findKeptApart, type NewMatch, writeMatches } from '../match-store.ts'
import { type Matcher, type MatchFacts, type MovementRow, SETTLED } from '../row.ts'
import { findCandidates, type Payee } from './candidates.ts'
import { type Claim, sureOf, withoutRivals } from './score.ts'

function asMatch({ payment_id, candidate }: Claim<Payee>, at: Date): NewMatch {
  const { confidence, reasons, targets } = candidate
  return {
    movement_id: payment_id,
    targets: targets.map(({ id, total }) => ({ id, amount: total })),
    facts: { confidence, reasons, matched_by: 'review', matched_at: at.toISOString() },
  }
}

/** Matches movements to the documents they surely paid. Ambiguous ones, and pairs that somebody took apart, wait for a person. */
export async function applySureMatches(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'emit' | 'addresses'>,
  scope: EmpresaScope,
  movements: readonly MovementRow[],
): Promise<Set<string>> {
  const found = await findCandidates(tx.sql, scope, movements)
  const claims = [...found].flatMap(([payment_id, candidates]) => {
    const candidate = sureOf(candidates)
    return candidate ? [{ payment_id, candidate }] : []
  })
  const apart = await findKeptApart(
    tx.sql,
    scope,
    claims.map(({ payment_id }) => payment_id),
  )
  const wanted = withoutRivals(claims).filter(
    ({ payment_id, candidate }) => !candidate.targets.some(({ id }) => apart.has(`${payment_id} ${id}`)),
  )
  await writeMatches(
    tx.sql,
    scope,
    wanted.map((claim) => asMatch(claim, tx.now())),
  )
  await tellPaid(
    tx,
    scope,
    wanted.flatMap(({ candidate }) => candidate.targets.map(({ id }) => id)),
  )
  return new Set(wanted.map(({ payment_id }) => payment_id))
}

const CERTAIN = 100

/** The facts of a match that somebody settled. */
export function settledBy(matched_by: Matcher, code: keyof typeof SETTLED, at: Date): MatchFacts {
  const reasons = [{ code, message: SETTLED[code] }]
  return { confidence: CERTAIN, reasons, matched_by, matched_at: at.toISOString() }
}

/** Matches a movement to the document that was issued for it; an automatic match goes. */
export async function linkDocument(
  tx: Pick<Acting, 'sql' | 'now' | 'emit' | 'addresses'> & { readonly empresa: EmpresaScope },
  movement_id: string,
  target: { readonly id: string; readonly amount: number },
): Promise<void> {
  await deleteMatches(tx.sql, tx.empresa, [movement_id])
  const facts = settledBy('confirmation', 'issued_for_it', tx.now())
  await writeMatches(tx.sql, tx.empresa, [{ movement_id, targets: [target], facts }])
  await tellPaid(tx, tx.empresa, [target.id])
}
