import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { MailRefused } from '../../../ports/mail.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob, type JobEmpresa } from '../../platform/empresa/of-job.ts'
import { recordUsage } from '../../platform/usage/record.ts'
import { optedOutOf } from '../counterparty/recipients.ts'
import { findDocument } from '../document/read.ts'
import { type DocumentRow, showDocument } from '../document/show.ts'
import { type Addressed, SEND_ATTEMPTS, type Sending } from './jobs.ts'
import { attachmentsOf, handOver, writeLetter } from './letter.ts'
import type { LetterFailure } from './schema.ts'
import { isSendable } from './sendable.ts'
import { endedLetters, endLetter } from './store.ts'

export async function runDeliverDocument(ctx: JobContext, sending: Sending): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  const document = empresa && (await findDocument(ctx.sql, empresa.scope, sending.document_id))
  if (!empresa || !document) return 'done'
  const left = await deliver(ctx, empresa, document, sending)
  if (left) throw left
  return { done: await outcomeOf(ctx, empresa, sending) }
}

/** Tries every letter that has not come to an end. Gives an error when one of them should be tried again. */
async function deliver(
  ctx: JobContext,
  empresa: JobEmpresa,
  document: DocumentRow,
  sending: Sending,
): Promise<Error | null> {
  const { scope } = empresa
  const ids = sending.letters.map(({ id }) => id)
  const ended = new Set((await endedLetters(ctx.sql, scope, ids)).map(({ id }) => id))
  const open = sending.letters.filter(({ id }) => !ended.has(id))
  if (open.length === 0) return null
  const end = (letter: Addressed, failure: LetterFailure | null) => record(ctx, empresa, sending, letter, failure)
  if (!isSendable(document.status)) {
    for (const letter of open) await end(letter, 'document_not_sendable')
    return null
  }
  // Asked again: a letter may have waited for hours.
  const refusing = await optedOutOf(
    ctx.sql,
    scope,
    open.map(({ to }) => to),
  )
  const files = once(() => attachmentsOf(ctx, empresa, document.id))
  let trouble: Error | null = null
  for (const letter of open) {
    const sealed = { ...letter, message: sending.message }
    const send = async () => handOver(ctx, empresa, writeLetter(empresa, document, sealed, await files()))
    const failure = refusing.has(letter.to) ? 'opted_out' : await attempt(ctx, send)
    if (failure instanceof Error) trouble = failure
    else await end(letter, failure)
  }
  return trouble
}

/** Made for the first letter that needs it, and the same for the others. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make()
    return made
  }
}

/** How one letter ended, or the error that stands in its way for now. On the last try every error is an end. */
async function attempt(ctx: JobContext, send: () => Promise<void>): Promise<LetterFailure | Error | null> {
  try {
    await send()
    return null
  } catch (error) {
    if (error instanceof MailRefused) return 'refused'
    if (ctx.attempt >= SEND_ATTEMPTS) return 'undeliverable'
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Written before the next letter is tried: whatever happens then, this one is never sent again. */
async function record(
  ctx: JobContext,
  { scope }: JobEmpresa,
  { document_id }: Sending,
  { id, to }: Addressed,
  failure: LetterFailure | null,
): Promise<void> {
  const { job_id } = ctx
  await ctx.transact(async (tx) => {
    const at = tx.now()
    if (!(await endLetter(tx.sql, scope, { id, document_id, job_id, recipient: to, failure }, at))) return
    const row = await findDocument(tx.sql, scope, document_id)
    if (!row) return
    tx.emit({
      type: failure === null ? 'document.emailed' : 'document.email_failed',
      object: showDocument(row, tx.addresses),
      empresa: { id: scope.empresa_id, rut: scope.rut },
      detail: { to, job_id, ...(failure !== null && { reason: failure }) },
    })
    if (failure !== null) return
    const used = { empresa: scope, kind: 'document_emailed', quantity: 1, at } as const
    await recordUsage(tx.sql, [{ ...used, tipo_dte: row.tipo_dte, subject_id: document_id }])
  })
}

/** What the job tells of its letters. It failed only if nobody took one. */
async function outcomeOf(ctx: JobContext, { scope }: JobEmpresa, { document_id, letters }: Sending): Promise<object> {
  const ids = letters.map(({ id }) => id)
  const ended = new Map((await endedLetters(ctx.sql, scope, ids)).map((row) => [row.id, row.failure]))
  const told = letters.map(({ id, to }) => ({ to, sent: ended.get(id) === null, reason: ended.get(id) ?? null }))
  if (told.some(({ sent }) => sent)) return { document_id, recipients: told }
  const why = told.map(({ to, reason }) => `${to}: ${reason}`).join(', ')
  throw new GiveUp('recipients_refused', `Nobody took the letter (${why}).`)
}
