import { MODE_NAMES, MODES, type Mode } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import { deleteJobsOf } from '../../../kernel/queue.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Acting, EmpresaContext, SessionContext } from '../../context.ts'
import { requestFileDeletion } from './files.ts'
import { rutHeldUntil } from './held-rut.ts'
import { purgeRows } from './jobs.ts'
import { BATCH, isLarge } from './purge.ts'
import type { EmpresaRow } from './row.ts'
import { showEmpresa } from './show.ts'
import { DELETED } from './sql.ts'
import { deleteEmpresaRow, holdUnprovenRuts, leaveModes, lockEmpresa } from './store.ts'

/** Deletes an empresa with its jobs, rows and files; where they are very many, they go after it. */
async function deleteWhole(ctx: Acting, scope: EmpresaScope, row: EmpresaRow): Promise<void> {
  const has_few_jobs = await deleteJobsOf(ctx.sql, scope, BATCH)
  if (!has_few_jobs || (await isLarge(ctx.sql, scope))) {
    await leaveModes(ctx.sql, scope)
    const payload = { empresa_id: scope.empresa_id }
    await ctx.enqueue(purgeRows, { payload, key: scope.empresa_id, empresa_id: null, real_time: true })
  } else {
    await deleteEmpresaRow(ctx.sql, scope, scope.mode)
  }
  await requestFileDeletion(ctx, scope)
  ctx.emit({ type: 'empresa.deleted', object: showEmpresa(row, ctx), empresa: { id: row.id, rut: row.rut } })
}

/** A sandbox empresa goes with everything under it. Its events stay in the ledger. */
export async function deleteEmpresa(ctx: EmpresaContext): Promise<null> {
  if (!MODES[ctx.account.mode].deletable) throw new Problem('empresa_delete_not_allowed')
  const row = await lockEmpresa(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  await deleteWhole(ctx, ctx.empresa, row)
  return null
}

const DELETABLE: readonly Mode[] = MODE_NAMES.filter((mode) => MODES[mode].deletable)

/** Whether an account has active empresas that cannot be deleted, only archived: live ones. */
export async function hasActiveEmpresas(sql: Sql, account_id: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }>`
    select exists (
      select 1 from empresa where account_id = ${account_id} and status = 'active'
        and mode <> all(${[...DELETABLE, DELETED]}::text[])
    ) as found`
  return row?.found ?? false
}

/** Deletes every sandbox empresa of an account that is being closed; their RUTs become free for others. */
export async function deleteSandboxEmpresas(ctx: SessionContext, account_id: string): Promise<void> {
  const rows = await ctx.sql<EmpresaRow>`
    select * from empresa where account_id = ${account_id} and mode = any(${DELETABLE}::text[]) order by id for update`
  for (const row of rows) {
    const scope = { account_id, mode: row.mode, empresa_id: row.id, rut: row.rut }
    await deleteWhole(ctx.actFor(scope), scope, row)
  }
}

/** Leaves the RUTs that nothing proved to be those of an account that is being closed to others, in time. */
export async function holdRuts(sql: Sql, account_id: string, now: Date): Promise<void> {
  await holdUnprovenRuts(sql, account_id, rutHeldUntil(now))
}
