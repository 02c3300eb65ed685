import { addMonths } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { ReceivedRow } from './show.ts'
import { listInPeriod } from './store.ts'

/**
 * The documents that suppliers issued to an empresa in a month (`YYYY-MM`), oldest first. The status, the receipt and
 * the claims of a row decide in which part of the RCV it stands.
 */
export async function receivedIn(sql: Sql, scope: EmpresaScope, period: string): Promise<ReceivedRow[]> {
  const from = `${period}-01`
  return listInPeriod(sql, scope, { from, before: addMonths(from, 1) })
}
