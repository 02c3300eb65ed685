import { MODES } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import { hastenJobs } from '../../../kernel/queue.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { emitDocuments } from './jobs.ts'

/** Has the queued documents of an empresa sent now, where they waited for somebody who may send them. */
export async function resumeEmission({ sql }: { readonly sql: Sql }, scope: EmpresaScope): Promise<void> {
  if (MODES[scope.mode].needs_custody) await hastenJobs(sql, scope, emitDocuments.name)
}
