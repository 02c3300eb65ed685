import { advance } from '../../../kernel/advance.ts'
import type { EmpresaContext } from '../../context.ts'
import { endSubscription } from '../subscription/record.ts'
import { empresaMachine } from './machine.ts'
import { previousAttributes } from './previous.ts'
import type { EmpresaRow } from './row.ts'
import type { Empresa } from './schema.ts'
import { showEmpresa } from './show.ts'

/** Emission and billing stop, history stays. There is no way back. */
export async function archiveEmpresa(ctx: EmpresaContext, before: EmpresaRow): Promise<Empresa> {
  const { row } = await advance<EmpresaRow, typeof empresaMachine>(
    ctx.sql,
    empresaMachine,
    ctx.empresa,
    before.id,
    'archived',
  )
  await endSubscription(ctx, ctx.empresa)
  const after = showEmpresa(row)
  const previous_attributes = previousAttributes(showEmpresa(before), after) ?? {}
  ctx.emit({ type: 'empresa.archived', object: after, previous_attributes })
  return after
}
