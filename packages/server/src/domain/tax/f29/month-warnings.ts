import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { periodAt } from '../rcv/period.ts'
import { readSync } from '../rcv/sync-status.ts'
import { pendingIn } from './store.ts'
import { type Warning, warning } from './warnings.ts'

/** What the state of the registers and of the month says about a proposal. */
export async function monthWarnings(sql: Sql, scope: EmpresaScope, period: string, now: Date): Promise<Warning[]> {
  const sync = await readSync(sql, scope, period)
  const pending = await pendingIn(sql, scope, period)
  const unread = sync.partial_errors.length
  return [
    ...(sync.last_synced_at === null ? [warning('never_synced')] : []),
    ...(period >= periodAt(now) ? [warning('period_open')] : []),
    ...(pending.count > 0 ? [warning('pending_entries', pending)] : []),
    ...(unread > 0 ? [warning('unreadable_lines', { count: unread })] : []),
  ]
}
