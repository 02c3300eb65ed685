import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import type { JobContext } from '../../job.ts'
import { dropArtifacts } from './jobs.ts'

/** The folder of the files printed for an empresa. */
export function folderOf({ account_id, empresa_id }: Pick<EmpresaScope, 'account_id' | 'empresa_id'>): string {
  return `${account_id}/${empresa_id}`
}

/** Called in the transaction that deletes an empresa: its files are deleted once that has committed. */
export async function requestFileDeletion(ctx: Pick<BaseContext, 'enqueue'>, scope: EmpresaScope): Promise<void> {
  await ctx.enqueue(dropArtifacts, { payload: { folder: folderOf(scope) }, empresa_id: null, real_time: true })
}

export async function deleteArtifacts(ctx: JobContext, { folder }: { folder: string }): Promise<JobOutcome> {
  await ctx.ports.artifacts.drop(folder)
  return 'done'
}
