import type { LastingAct, LastingObject } from '../../../catalog/lasting.ts'
import { systemNow } from '../../../kernel/clock.ts'
import type { Caller } from '../../../kernel/scope.ts'
import type { AccountContext } from '../../context.ts'
import { upsertChange } from './store.ts'

export interface NewLastingChange {
  readonly object: LastingObject
  readonly act: LastingAct
  readonly subject_id: string
  readonly empresa_id: string | null
  readonly label: string | null
  readonly fields: readonly string[]
}

/** Says who left something behind, and when, in real time: a test clock makes nobody's act younger. */
export async function recordLastingChange(
  {
    sql,
    account,
    caller,
  }: Pick<AccountContext, 'sql' | 'account'> & { readonly caller: Pick<Caller, 'credential_id'> },
  change: NewLastingChange,
): Promise<void> {
  const { account_id, mode } = account
  const written = { written_by: caller.credential_id, written_at: new Date(systemNow()) }
  await upsertChange(sql, { account_id, mode, ...change, ...written })
}
