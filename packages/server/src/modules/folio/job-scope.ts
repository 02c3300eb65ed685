import type { EmpresaScope } from '../../kernel/context.ts'
import type { JobContext } from '../../kernel/job.ts'

/** The empresa a job of this module was made for, by whoever was admitted to it. */
export function jobScope({ account_id, mode, empresa_id }: JobContext, rut: string): EmpresaScope {
  if (account_id === null || mode === null || empresa_id === null) throw new Error('this job works for an empresa')
  return { account_id, mode, empresa_id, rut }
}
