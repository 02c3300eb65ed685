import type { BaseContext, EmpresaScope } from '../../kernel/context.ts'
import { defineJob } from '../../kernel/job.ts'
import { folderOf } from './print.ts'

/** Takes away what was kept for an empresa that is gone. */
export const dropArtifacts = defineJob<{ folder: string }>({
  name: 'artifact.drop',
  leaves_no_trace: true,
  async run(ctx, { folder }) {
    await ctx.ports.artifacts.drop(folder)
    return 'done'
  },
})

/** Called in the transaction that deletes an empresa: its files go once it is certain that it is gone. */
export async function dropArtifactsOf(ctx: Pick<BaseContext, 'enqueue'>, scope: EmpresaScope): Promise<void> {
  await ctx.enqueue(dropArtifacts, { payload: { folder: folderOf(scope) }, empresa_id: null, real_time: true })
}
