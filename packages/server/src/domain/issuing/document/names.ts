import type { Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'

/** What a person knows a document by. */
export interface DocumentName {
  readonly id: string
  readonly tipo_dte: number
  readonly folio: number | null
  readonly total: number
}

/** The names of some documents of an account, whichever its empresas. */
export function nameDocuments(sql: Sql, account: AccountScope, ids: readonly string[]): Promise<DocumentName[]> {
  return sql<DocumentName>`
    select id, tipo_dte, folio, total from document
    where id = any(${ids}::text[]) and account_id = ${account.account_id} and mode = ${account.mode}`
}
