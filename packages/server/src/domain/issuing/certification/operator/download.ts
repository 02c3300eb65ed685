import { Problem } from '../../../../kernel/problem.ts'
import type { Artifact } from '../../../../kernel/schema.ts'
import type { OperatorContext } from '../../../context.ts'
import { contentOf, findFile } from '../file-store.ts'

/** A name that a header takes as it is. */
const plain = (name: string) => name.replace(/[^\w.-]/g, '_')

/** A file of a certification, for a person of ours who hands it to the SII; none where it was not signed yet. */
export async function downloadFile(ctx: OperatorContext, { file_id }: { file_id: string }): Promise<Artifact> {
  const file = await findFile(ctx.sql, ctx.empresa, file_id)
  const bytes = file && (await contentOf(ctx.sql, ctx.empresa, file_id))
  if (!bytes) throw new Problem('certification_file_not_found')
  return { media_type: 'application/octet-stream', bytes, filename: plain(file.file_name) }
}
