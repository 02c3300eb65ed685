import { part, type Sql } from '../../../kernel/db.ts'
import type { Distrust, Distrusted } from '../../distrust.ts'
import { writtenInDistrust } from '../../platform/empresa/written-rows.ts'

/** The settings that were last written in distrust, of an account that is taken back. */
export function distrustedSettings(sql: Sql, account_id: string, distrust: Distrust): Promise<Distrusted> {
  return writtenInDistrust(sql, part`automation_settings`, account_id, distrust)
}
