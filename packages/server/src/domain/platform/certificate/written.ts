import { part, type Sql } from '../../../kernel/db.ts'
import {
  type Distrust,
  type Distrusted,
  distrustedOf,
  isChangedInDistrust,
  NAMED,
  type WrittenInDistrust,
} from '../../distrust.ts'
import { joinEmpresa } from '../empresa/sql.ts'

/** The certificates that were put into custody in distrust, of an account that is taken back. */
export async function distrustedCertificates(sql: Sql, account_id: string, distrust: Distrust): Promise<Distrusted> {
  const rows = await sql<WrittenInDistrust & { total: number }>`
    select c.empresa_id, c.mode, e.legal_name, count(*) over () as total from certificate c ${joinEmpresa('c')}
    where c.account_id = ${account_id} and ${isChangedInDistrust(part`c.written_at`, part`c.written_by`, distrust)}
    order by c.written_at desc, c.empresa_id limit ${NAMED}`
  return distrustedOf(rows)
}
