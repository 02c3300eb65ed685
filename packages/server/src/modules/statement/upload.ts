import { createHash } from 'node:crypto'
import { santiagoDate } from '@timbre/dte/values'
import type { EmpresaContext } from '../../kernel/context.ts'
import { newId } from '../../kernel/id.ts'
import { type Job, readJob } from '../job/operations.ts'
import { importStatement } from './job.ts'
import type { ReadOptions } from './read.ts'
import type { StatementPreview, UploadStatement } from './schema.ts'
import { insertStatement } from './store.ts'
import { type UnderstoodFile, understandFile } from './understand.ts'

/** A file and what was understood of it, before anything is written. */
export interface Prepared {
  readonly bytes: Buffer
  readonly options: ReadOptions
  readonly read: UnderstoodFile
}

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

/** Keeps the file with what was understood of it; a job brings its movements in. */
export async function uploadStatement(ctx: EmpresaContext, input: UploadStatement & Prepared): Promise<Job> {
  const { bytes, options, read } = input
  const id = newId('statement')
  const content_hash = createHash('sha256').update(bytes).digest('hex')
  const statement = { id, filename: input.filename ?? null, content_hash, created_at: ctx.now(), ...read }
  await insertStatement(ctx.sql, ctx.empresa, statement, { bytes, options })
  // One cartola of an empresa at a time: what two of them share is written once without their waiting for each other.
  const lane = ctx.empresa.empresa_id
  const job_id = await ctx.enqueue(importStatement, { payload: { statement_id: id }, key: id, lane })
  return readJob(ctx, { job_id })
}
