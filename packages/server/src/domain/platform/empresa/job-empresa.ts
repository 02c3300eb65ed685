import { inStep } from '../../../kernel/in-step.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import type { EmpresaRow } from './row.ts'
import { findEmpresas } from './store.ts'

export interface JobEmpresa {
  readonly scope: EmpresaScope
  readonly row: EmpresaRow
}

/** The empresa a job was made for, as it is now; null when it was deleted since. */
export async function jobEmpresa(
  ctx: Pick<JobContext, 'sql' | 'account_id' | 'mode' | 'empresa_id'>,
): Promise<JobEmpresa | null> {
  const { account_id, mode, empresa_id } = ctx
  if (account_id === null || mode === null || empresa_id === null) throw new Error('this job works for an empresa')
  const row = await inStep(ctx.sql, findEmpresas, { account_id, mode, empresa_id })
  return row && { scope: { account_id, mode, empresa_id, rut: row.rut }, row }
}
