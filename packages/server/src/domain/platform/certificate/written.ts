import { part, type Sql } from '../../../kernel/db.ts'
import type { Distrust, Distrusted } from '../../distrust.ts'
import { writtenInDistrust } from '../empresa/written-rows.ts'

/** The certificates that were put into custody in distrust, of an account that is taken back. */
export function distrustedCertificates(sql: Sql, account_id: string, distrust: Distrust): Promise<Distrusted> {
  return writtenInDistrust(sql, part`certificate`, account_id, distrust)
}
