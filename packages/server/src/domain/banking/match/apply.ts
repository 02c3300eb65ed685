import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { findCandidates, type Payee } from './find-candidates.ts'
import type { MovementRow } from './row.ts'
import { type Claim, sureOf, withoutRivals } from './score.ts'
import { deleteMatches, followArrivals, keptApart, type NewMatch, writeMatches } from './store.ts'

function asMatch({ payment_id, candidate }: Claim<Payee>, at: Date): NewMatch {
  const { confidence, reasons, targets } = candidate
  return {
    movement_id: payment_id,
    targets: targets.map(({ id, total }) => ({ id, amount: total })),
    facts: { confidence, reasons, matched_by: 'review', matched_at: at.toISOString() },
  }
}

/** Matches movements to what they surely paid; what is ambiguous, or was taken apart before, waits for somebody. */
export async function applySure(
  tx: Pick<JobTransaction, 'sql' | 'now'>,
  scope: EmpresaScope,
  movements: readonly MovementRow[],
): Promise<Set<string>> {
  const found = await findCandidates(tx.sql, scope, movements)
  const claims = [...found].flatMap(([payment_id, candidates]) => {
    const candidate = sureOf(candidates)
    return candidate ? [{ payment_id, candidate }] : []
  })
  const apart = await keptApart(
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
  return new Set(wanted.map(({ payment_id }) => payment_id))
}

/** What pays an entry of the register pays the document of it, once that is here. */
export function followDocuments(sql: Sql, scope: EmpresaScope): Promise<void> {
  return followArrivals(sql, scope)
}

/** Takes movements and what they pay apart, without remembering it: what changed may belong together after all. */
export async function releaseMatches(sql: Sql, scope: EmpresaScope, movement_ids: readonly string[]): Promise<void> {
  await deleteMatches(sql, scope, movement_ids)
}
