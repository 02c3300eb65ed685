import { inStep } from '../../../kernel/in-step.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { JobContext } from '../../job.ts'
import { knownEmisor } from './emisor.ts'
import type { EmpresaRow } from './row.ts'
import { findEmpresas } from './store.ts'

export interface JobEmpresa {
  readonly scope: EmpresaScope
  readonly row: EmpresaRow
}

type Made = Pick<JobContext, 'account_id' | 'mode' | 'empresa_id'>

function tenantOf({ account_id, mode, empresa_id }: Made): Tenant {
  if (account_id === null || mode === null || empresa_id === null) throw new Error('this job works for an empresa')
  return { account_id, mode, empresa_id }
}

/** The empresa a job was made for, as it is now; null when it was deleted since. */
export async function jobEmpresa(ctx: Made & Pick<JobContext, 'sql'>): Promise<JobEmpresa | null> {
  const tenant = tenantOf(ctx)
  return asJobEmpresa(tenant, await inStep(ctx.sql, findEmpresas, tenant))
}

const asJobEmpresa = (tenant: Tenant, row: EmpresaRow | null): JobEmpresa | null =>
  row && { scope: { ...tenant, rut: row.rut }, row }

/**
 * The same as whoever queued the job knew it, where nobody changed it since (`kernel/cache.ts`): for a run that goes by it while all is
 * ordinary, and otherwise reads it.
 */
export async function knownEmpresa(ctx: Made & Pick<JobContext, 'sql' | 'cache'>): Promise<JobEmpresa | null> {
  const tenant = tenantOf(ctx)
  return asJobEmpresa(tenant, await knownEmisor(ctx, tenant, () => inStep(ctx.sql, findEmpresas, tenant)))
}

/** Its scope alone. A job that names the RUT, which never changes, need not look whether the empresa is there: its rows are not. */
export async function jobScope(ctx: Made & Pick<JobContext, 'sql'>, rut?: string): Promise<EmpresaScope | null> {
  return rut === undefined ? ((await jobEmpresa(ctx))?.scope ?? null) : { ...tenantOf(ctx), rut }
}
