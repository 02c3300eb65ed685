import { createHash } from 'node:crypto'
import { santiagoDate } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { InspectedStatement, StatementOptions } from '../../../ports/statements.ts'
import type { EmpresaContext } from '../../context.ts'
import type { JobTransaction } from '../../job.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { importStatement } from './jobs.ts'
import type { StatementPreview, Understood, UploadStatement } from './schema.ts'
import { findByContent, insertStatement } from './store.ts'

/** A file that was inspected and not yet saved. */
export interface InspectedUpload {
  readonly bytes: Buffer
  readonly options: StatementOptions
  readonly inspected: InspectedStatement<Understood>
}

/** Parses the whole file outside any transaction: what cannot be imported is refused at once. */
export async function inspectUpload(ctx: EmpresaContext, input: UploadStatement): Promise<InspectedUpload> {
  const bytes = Buffer.from(input.file, 'base64')
  const { filename, bank_account, positive_is } = input
  const options = { filename, bank_account, positive_is, today: santiagoDate(ctx.now()) }
  const { account_id } = ctx.empresa
  const inspected = await ctx.ports.statements.inspect<Understood>(account_id, bytes, options)
  return { bytes, options, inspected }
}

/** Shows what would be imported. */
export async function previewStatement(ctx: EmpresaContext, { inspected }: InspectedUpload): Promise<StatementPreview> {
  const { converted: _, ...shown } = inspected
  return { object: 'statement_preview', mode: ctx.empresa.mode, ...shown }
}

export async function uploadStatement(ctx: EmpresaContext, upload: InspectedUpload): Promise<Job> {
  return readJob(ctx, { job_id: await saveStatement(ctx, ctx.empresa, upload) })
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Saves a file with the result of its inspection, and enqueues the job that imports its movements. */
export async function saveStatement(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>,
  scope: EmpresaScope,
  { bytes, options, inspected }: InspectedUpload,
): Promise<string> {
  const id = newId('statement')
  const filename = options.filename ?? null
  const { converted, ...found } = inspected
  const statement = { id, filename, content_hash: hashOf(bytes), created_at: tx.now(), ...found }
  await insertStatement(tx.sql, scope, statement, { bytes: converted ? Buffer.from(converted) : bytes, options })
  // One cartola of an empresa at a time: what two of them share is written once, and neither waits for the other.
  const { empresa_id } = scope
  return tx.enqueue(importStatement, { payload: { statement_id: id }, key: id, empresa_id, lane: empresa_id })
}

/** Whether these very bytes were uploaded before. */
export async function hasStatement(sql: Sql, scope: EmpresaScope, bytes: Buffer): Promise<boolean> {
  return (await findByContent(sql, scope, hashOf(bytes))) !== null
}
