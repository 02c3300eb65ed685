import { addMonths } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { ReceivedRow } from './show.ts'
import { listInPeriod } from './store.ts'

/**
 * What suppliers issued to an empresa in a month (`YYYY-MM`), oldest first. With its status, its receipt and its
 * claims each row tells in which part of the RCV it stands.
 */
export async function receivedIn(sql: Sql, scope: EmpresaScope, period: string): Promise<ReceivedRow[]> {
  const from = `${period}-01`
  return listInPeriod(sql, scope, { from, before: addMonths(from, 1) })
}
