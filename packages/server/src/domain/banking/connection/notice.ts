import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BankNotice } from '../../../ports/bank.ts'
import type { JobTransaction } from '../../job.ts'
import { applyNotice } from './jobs.ts'
import { findNoticed } from './store.ts'

export interface ConcernedConnection {
  readonly scope: EmpresaScope
  readonly connection_id: string
}

/** The connections that a notice is about; none when it says nothing to us. */
export async function findConcerned(sql: Sql, provider: string, notice: BankNotice): Promise<ConcernedConnection[]> {
  if (notice.kind === 'other' || (notice.link_id === null && notice.account_id === null)) return []
  const found = await findNoticed(sql, provider, notice)
  return found.map(({ id, ...scope }) => ({ connection_id: id, scope }))
}

/** Enqueues a notice: the provider's request must not wait for a bank. The same notice twice is applied once at a time. */
export async function enqueueNotice(
  tx: Pick<JobTransaction, 'enqueue'>,
  { connection_id, scope }: ConcernedConnection,
  notice: BankNotice,
): Promise<void> {
  await tx.enqueue(applyNotice, {
    payload: { connection_id, notice },
    key: `${connection_id}:${notice.id}`,
    empresa_id: scope.empresa_id,
    lane: connection_id,
  })
}
