import { part, type Sql } from '../../../kernel/db.ts'
import {
  type Distrust,
  type Distrusted,
  distrustedOf,
  isChangedInDistrust,
  NAMED,
  type WrittenInDistrust,
} from '../../distrust.ts'
import { joinEmpresa } from '../../platform/empresa/sql.ts'

/** The branding that was last written in distrust, of an account that is taken back. */
export async function distrustedBranding(sql: Sql, account_id: string, distrust: Distrust): Promise<Distrusted> {
  const rows = await sql<WrittenInDistrust & { total: number }>`
    select b.empresa_id, b.mode, e.legal_name, count(*) over () as total from branding b ${joinEmpresa('b')}
    where b.account_id = ${account_id} and ${isChangedInDistrust(part`b.written_at`, part`b.written_by`, distrust)}
    order by b.written_at desc, b.empresa_id limit ${NAMED}`
  return distrustedOf(rows)
}
