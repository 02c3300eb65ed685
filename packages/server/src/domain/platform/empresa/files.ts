import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import type { JobContext } from '../../job.ts'
import { dropArtifacts } from './jobs.ts'
import { findEmpresa } from './store.ts'

/** The folder of the files printed for an empresa. */
export function folderOf({ account_id, empresa_id }: Pick<EmpresaScope, 'account_id' | 'empresa_id'>): string {
  return `${account_id}/${empresa_id}`
}

/**
 * Stores a file printed for an empresa. Its folder may have been deleted while it was printed: one that is put back
 * into it after that goes again. Where the deletion commits later, so does the job that empties the folder.
 */
export async function storeFile(
  ctx: Pick<BaseContext, 'sql' | 'ports'>,
  scope: EmpresaScope,
  key: string,
  bytes: Uint8Array,
): Promise<void> {
  await ctx.ports.artifacts.put(key, bytes)
  if (!(await findEmpresa(ctx.sql, scope))) await ctx.ports.artifacts.drop(folderOf(scope))
}

/** Called in the transaction that deletes an empresa: its files are deleted once that has committed. */
export async function requestFileDeletion(ctx: Pick<BaseContext, 'enqueue'>, scope: EmpresaScope): Promise<void> {
  await ctx.enqueue(dropArtifacts, { payload: { folder: folderOf(scope) }, empresa_id: null, real_time: true })
}

export async function deleteArtifacts(ctx: JobContext, { folder }: { folder: string }): Promise<JobOutcome> {
  await ctx.ports.artifacts.drop(folder)
  return 'done'
}
