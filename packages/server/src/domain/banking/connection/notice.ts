import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BankNotice } from '../../../ports/bank.ts'
import type { JobTransaction } from '../../job.ts'
import { heedNotice } from './jobs.ts'
import { findNoticed } from './sync-store.ts'

export interface Concerned {
  readonly scope: EmpresaScope
  readonly connection_id: string
}

/** Whose connections a notice is about; none when it says nothing to us. */
export async function concernedBy(sql: Sql, provider: string, notice: BankNotice): Promise<Concerned[]> {
  if (notice.kind === 'other' || (notice.link_id === null && notice.account_id === null)) return []
  const found = await findNoticed(sql, provider, notice)
  return found.map(({ id, ...scope }) => ({ connection_id: id, scope }))
}

/** Has a notice heeded later: whoever sends it waits for no bank. The same notice twice is heeded once at a time. */
export async function keepNotice(
  tx: Pick<JobTransaction, 'enqueue'>,
  { connection_id, scope }: Concerned,
  notice: BankNotice,
): Promise<void> {
  await tx.enqueue(heedNotice, {
    payload: { connection_id, notice },
    key: `${connection_id}:${notice.id}`,
    empresa_id: scope.empresa_id,
    lane: connection_id,
  })
}
