import { part, type Sql } from '../../../kernel/db.ts'
import type { Distrust, Distrusted } from '../../distrust.ts'
import { writtenInDistrust } from '../../platform/empresa/written-rows.ts'

/** The branding that was last written in distrust, of an account that is taken back. */
export function distrustedBranding(sql: Sql, account_id: string, distrust: Distrust): Promise<Distrusted> {
  return writtenInDistrust(sql, part`branding`, account_id, distrust)
}
