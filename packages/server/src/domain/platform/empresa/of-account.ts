import { MODE_NAMES, MODES, type Mode } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { SessionContext } from '../../context.ts'
import { eraseWhole } from './delete.ts'
import type { EmpresaRow } from './row.ts'

const DELETABLE: readonly Mode[] = MODE_NAMES.filter((mode) => MODES[mode].deletable)

/** Whether an account has empresas that only archiving may stop. */
export async function hasActiveEmpresas(sql: Sql, account_id: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }>`
    select exists (
      select 1 from empresa where account_id = ${account_id} and status = 'active' and mode <> all(${DELETABLE}::text[])
    ) as found`
  return row?.found ?? false
}

/** Deletes every sandbox empresa of an account that is being closed; their RUTs become free for others. */
export async function eraseSandboxEmpresas(ctx: SessionContext, account_id: string): Promise<void> {
  const rows = await ctx.sql<EmpresaRow>`
    select * from empresa where account_id = ${account_id} and mode = any(${DELETABLE}::text[]) order by id for update`
  for (const row of rows) {
    const scope = { account_id, mode: row.mode, empresa_id: row.id, rut: row.rut }
    await eraseWhole(ctx.actFor(scope), scope, row)
  }
}
