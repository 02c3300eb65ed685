import { MODES } from '../../catalog/modes.ts'
import type { EmpresaContext } from '../../kernel/context.ts'
import { Problem } from '../../kernel/problem.ts'
import { dropJobsOf } from '../../kernel/queue.ts'
import { showEmpresa } from './show.ts'
import { eraseEmpresa, lockEmpresa } from './store.ts'

/** A sandbox empresa goes with everything under it. What happened to it stays in the ledger. */
export async function deleteEmpresa(ctx: EmpresaContext): Promise<null> {
  if (!MODES[ctx.account.mode].deletable) throw new Problem('empresa_delete_not_allowed')
  const row = await lockEmpresa(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  await dropJobsOf(ctx.sql, ctx.empresa)
  await eraseEmpresa(ctx.sql, ctx.empresa)
  ctx.emit({ type: 'empresa.deleted', object: showEmpresa(row) })
  return null
}
