import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { RcvRow } from './row.ts'
import { entriesInPeriod, findSync } from './store.ts'
import { type RcvSync, showSync } from './sync-block.ts'

/** Every entry of a period that the SII still shows, purchases and sales, oldest first. */
export function entriesOf(sql: Sql, scope: EmpresaScope, period: string): Promise<RcvRow[]> {
  return entriesInPeriod(sql, scope, period)
}

/** How the mirror of a period stands: when it was read last, and what could not be read. */
export async function syncOf(sql: Sql, scope: EmpresaScope, period: string): Promise<RcvSync> {
  return showSync(scope, period, await findSync(sql, scope, period))
}
