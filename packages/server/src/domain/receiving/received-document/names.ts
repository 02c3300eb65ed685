import type { Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'

/** What a person knows a document of a supplier by. */
export interface ReceivedName {
  readonly id: string
  readonly tipo_dte: number
  readonly folio: number
  readonly emisor_name: string
  readonly total: number
}

/** The names of some documents that an account received, whichever its empresas. */
export function nameReceived(sql: Sql, account: AccountScope, ids: readonly string[]): Promise<ReceivedName[]> {
  return sql<ReceivedName>`
    select id, tipo_dte, folio, emisor_name, total from received_document
    where id = any(${ids}::text[]) and account_id = ${account.account_id} and mode = ${account.mode}`
}
