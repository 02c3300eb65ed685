import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import {
  type Distrust,
  type Distrusted,
  distrustedOf,
  isChangedInDistrust,
  NAMED,
  type WrittenInDistrust,
} from '../../distrust.ts'
import { joinEmpresa } from './sql.ts'

/**
 * What empresas have one of, by its table, that was last written in distrust, of an account that is taken back. The
 * table says who wrote a row and when, in `written_by` and `written_at`.
 */
export async function writtenInDistrust(
  sql: Sql,
  table: Fragment,
  account_id: string,
  distrust: Distrust,
): Promise<Distrusted> {
  const rows = await sql<WrittenInDistrust & { total: number }>`
    select w.empresa_id, w.mode, e.legal_name, count(*) over () as total from ${table} w ${joinEmpresa('w')}
    where w.account_id = ${account_id} and ${isChangedInDistrust(part`w.written_at`, part`w.written_by`, distrust)}
    order by w.written_at desc, w.empresa_id limit ${NAMED}`
  return distrustedOf(rows)
}
