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

/** The settings that were last written in distrust, of an account that is taken back. */
export async function distrustedSettings(sql: Sql, account_id: string, distrust: Distrust): Promise<Distrusted> {
  const rows = await sql<WrittenInDistrust & { total: number }>`
    select s.empresa_id, s.mode, e.legal_name, count(*) over () as total from automation_settings s ${joinEmpresa('s')}
    where s.account_id = ${account_id} and ${isChangedInDistrust(part`s.written_at`, part`s.written_by`, distrust)}
    order by s.written_at desc, s.empresa_id limit ${NAMED}`
  return distrustedOf(rows)
}
