import { part, type Sql } from '../../../kernel/db.ts'
import {
  type Distrust,
  type Distrusted,
  distrustedOf,
  isChangedInDistrust,
  NAMED,
  type Writer,
  type WrittenInDistrust,
} from '../../distrust.ts'
import type { EmpresaRow } from './row.ts'
import { DELETED } from './sql.ts'

/** Notes who made or changed an empresa. */
export async function noteWriter(
  sql: Sql,
  { account_id, id }: Pick<EmpresaRow, 'account_id' | 'id'>,
  { by, at }: Writer,
): Promise<void> {
  await sql`update empresa set written_by = ${by}, written_at = ${at} where account_id = ${account_id} and id = ${id}`
}

/** The empresas that were made or last changed in distrust, of an account that is taken back. */
export async function distrustedEmpresas(sql: Sql, account_id: string, distrust: Distrust): Promise<Distrusted> {
  const rows = await sql<WrittenInDistrust & { total: number }>`
    select id as empresa_id, mode, legal_name, count(*) over () as total from empresa
    where account_id = ${account_id} and mode <> ${DELETED}
      and ${isChangedInDistrust(part`written_at`, part`written_by`, distrust)}
    order by written_at desc, id limit ${NAMED}`
  return distrustedOf(rows)
}
