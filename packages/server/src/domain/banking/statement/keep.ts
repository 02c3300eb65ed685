import { createHash } from 'node:crypto'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { importStatement } from './jobs.ts'
import type { ReadOptions } from './read.ts'
import { findByContent, insertStatement } from './store.ts'
import type { UnderstoodFile } from './understand.ts'

/** A file and what was understood of it, before anything is written. */
export interface Prepared {
  readonly bytes: Buffer
  readonly options: ReadOptions
  readonly read: UnderstoodFile
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Keeps a file with what was understood of it; the job that is given back brings its movements in. */
export async function keepStatement(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>,
  scope: EmpresaScope,
  { bytes, options, read }: Prepared,
): Promise<string> {
  const id = newId('statement')
  const filename = options.filename ?? null
  const statement = { id, filename, content_hash: hashOf(bytes), created_at: tx.now(), ...read }
  await insertStatement(tx.sql, scope, statement, { bytes, options })
  // One cartola of an empresa at a time: what two of them share is written once without their waiting for each other.
  const { empresa_id } = scope
  return tx.enqueue(importStatement, { payload: { statement_id: id }, key: id, empresa_id, lane: empresa_id })
}

/** Whether these very bytes were uploaded before. */
export async function hasStatement(sql: Sql, scope: EmpresaScope, bytes: Buffer): Promise<boolean> {
  return (await findByContent(sql, scope, hashOf(bytes))) !== null
}
