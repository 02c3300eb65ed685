import { newId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext, EmpresaContext } from '../../context.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { onAcceptance } from '../automation-settings/on-acceptance.ts'
import { requireDocument } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import type { DocumentRow } from '../document/show.ts'
import { type DocumentMailing, deliverDocument } from './jobs.ts'
import { chooseRecipients, recipientsOf } from './recipients.ts'
import { isSendable, type SendDocument } from './schema.ts'

type SendContext = Pick<BaseContext, 'sql' | 'cache' | 'enqueue'>

function mailingOf(document_id: string, to: readonly string[], message: string | null = null): DocumentMailing {
  return { document_id, message, letters: to.map((one) => ({ id: newId('letter'), to: one })) }
}

export async function sendDocument(ctx: EmpresaContext, input: DocumentPath & SendDocument): Promise<Job> {
  const row = await requireDocument(ctx, input)
  if (!isSendable(row.status)) throw new Problem('document_not_sendable', { details: { status: row.status } })
  const to = await recipientsOf(ctx.sql, ctx.empresa, row, input)
  const payload = mailingOf(row.id, to, input.message ?? null)
  // A key makes the job a row at once, so that it can be shown.
  const job_id = await ctx.enqueue(deliverDocument, { payload, key: newId('letter'), lane: row.empresa_id })
  return readJob(ctx, { job_id })
}

/** Enqueues one mailing a document, for those that have a recipient who wants mail. */
async function requestSends(tx: SendContext, scope: EmpresaScope, rows: readonly DocumentRow[]): Promise<void> {
  const sendable = rows.filter(({ status }) => isSendable(status))
  const chosen = await chooseRecipients(tx.sql, scope, sendable)
  for (const { id } of sendable) {
    const to = chosen.get(id)?.to ?? []
    if (to.length === 0) continue
    const { empresa_id } = scope
    await tx.enqueue(deliverDocument, { payload: mailingOf(id, to), empresa_id, lane: empresa_id })
  }
}

/** Mails accepted documents to their receptors, where the empresa turned that on. */
export async function sendAccepted(tx: SendContext, scope: EmpresaScope, rows: readonly DocumentRow[]): Promise<void> {
  if (rows.length === 0) return
  const { mails } = await onAcceptance(tx, scope)
  if (mails) await requestSends(tx, scope, rows)
}
