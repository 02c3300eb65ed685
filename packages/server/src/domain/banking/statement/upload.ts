import { santiagoDate } from '@timbre/dte/values'
import type { EmpresaContext } from '../../context.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { keepStatement, type Prepared } from './keep.ts'
import type { StatementPreview, UploadStatement } from './schema.ts'
import { understandFile } from './understand.ts'

/** Reads the whole file outside any transaction: what cannot be imported is refused at once. */
export async function prepareUpload(ctx: EmpresaContext, input: UploadStatement): Promise<Prepared> {
  const bytes = Buffer.from(input.file, 'base64')
  const { filename, bank_account, positive_is } = input
  const options = { filename, bank_account, positive_is, today: santiagoDate(ctx.now()) }
  return { bytes, options, read: await understandFile(bytes, options) }
}

/** Shows what would be imported. */
export async function previewStatement(ctx: EmpresaContext, { read }: Prepared): Promise<StatementPreview> {
  return { object: 'statement_preview', mode: ctx.empresa.mode, ...read }
}

export async function uploadStatement(ctx: EmpresaContext, prepared: Prepared): Promise<Job> {
  return readJob(ctx, { job_id: await keepStatement(ctx, ctx.empresa, prepared) })
}
