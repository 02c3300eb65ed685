import { MODES } from '../../../catalog/modes.ts'
import { Problem } from '../../../kernel/problem.ts'
import { deleteJobsOf } from '../../../kernel/queue.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Acting, EmpresaContext } from '../../context.ts'
import { dropFilesOf } from './files.ts'
import type { EmpresaRow } from './row.ts'
import { showEmpresa } from './show.ts'
import { eraseEmpresa, lockEmpresa } from './store.ts'

/** Takes away everything that is an empresa's, and tells of it. */
export async function eraseWhole(ctx: Acting, scope: EmpresaScope, row: EmpresaRow): Promise<void> {
  await deleteJobsOf(ctx.sql, scope)
  await eraseEmpresa(ctx.sql, scope)
  await dropFilesOf(ctx, scope)
  ctx.emit({ type: 'empresa.deleted', object: showEmpresa(row), empresa: { id: row.id, rut: row.rut } })
}

/** A sandbox empresa goes with everything under it. What happened to it stays in the ledger. */
export async function deleteEmpresa(ctx: EmpresaContext): Promise<null> {
  if (!MODES[ctx.account.mode].deletable) throw new Problem('empresa_delete_not_allowed')
  const row = await lockEmpresa(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  await eraseWhole(ctx, ctx.empresa, row)
  return null
}
