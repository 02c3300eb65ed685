import { part, type Sql } from '../../../kernel/db.ts'
import type { Distrust, Distrusted } from '../../distrust.ts'
import { writtenInDistrust } from '../empresa/written-rows.ts'

/** The SFG credentials that were stored in distrust, of an account that is taken back. */
export function distrustedCredentials(sql: Sql, account_id: string, distrust: Distrust): Promise<Distrusted> {
  return writtenInDistrust(sql, part`sfg_credential`, account_id, distrust)
}
