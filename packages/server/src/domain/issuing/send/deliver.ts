import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { MailRefused } from '../../../ports/mail.ts'
import type { JobContext } from '../../job.ts'
import { type JobEmpresa, jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { recordUsage } from '../../platform/usage/record.ts'
import { watermarkOf } from '../../watermark.ts'
import { optedOutOf } from '../counterparty/lookup.ts'
import { findDocument } from '../document/read.ts'
import { type DocumentRow, showDocument } from '../document/show.ts'
import { type AddressedLetter, type DocumentMailing, SEND_ATTEMPTS } from './jobs.ts'
import { attachmentsOf, mailLetter, writeLetter } from './letter.ts'
import { isSendable, type LetterFailure } from './schema.ts'
import { insertEndedLetter, listEndedLetters } from './store.ts'

export async function deliverLetters(ctx: JobContext, mailing: DocumentMailing): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  const document = empresa && (await findDocument(ctx.sql, empresa.scope, mailing.document_id))
  if (!empresa || !document) return 'done'
  const trouble = await deliver(ctx, empresa, document, mailing)
  if (trouble) throw trouble
  return { done: await outcomeOf(ctx, empresa, mailing) }
}

/** Tries every letter that has not ended. Returns an error when one of them should be tried again. */
async function deliver(
  ctx: JobContext,
  empresa: JobEmpresa,
  document: DocumentRow,
  mailing: DocumentMailing,
): Promise<Error | null> {
  const { scope } = empresa
  const ids = mailing.letters.map(({ id }) => id)
  const ended = new Set((await listEndedLetters(ctx.sql, scope, ids)).map(({ id }) => id))
  const open = mailing.letters.filter(({ id }) => !ended.has(id))
  if (open.length === 0) return null
  const end = (letter: AddressedLetter, failure: LetterFailure | null) => record(ctx, empresa, mailing, letter, failure)
  if (!isSendable(document.status)) {
    for (const letter of open) await end(letter, 'document_not_sendable')
    return null
  }
  // Read again: a letter may have waited for hours.
  const opted_out = await optedOutOf(
    ctx.sql,
    scope,
    open.map(({ to }) => to),
  )
  const files = once(() => attachmentsOf(ctx, empresa, document))
  let trouble: Error | null = null
  for (const letter of open) {
    const written = { ...letter, message: mailing.message, watermark: watermarkOf(ctx.ports, document.mode) }
    const send = async () => mailLetter(ctx, empresa, writeLetter(empresa, document, written, await files()))
    const failure = opted_out.has(letter.to) ? 'opted_out' : await attempt(ctx, send)
    if (failure instanceof Error) trouble = failure
    else await end(letter, failure)
  }
  return trouble
}

/** Runs `make` for the first letter that needs it; the others share the result. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make()
    return made
  }
}

/** How one letter ended, or the error to retry after. On the last attempt every error ends it. */
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

/** Commits before the next letter is tried: whatever happens then, this one is never sent again. */
async function record(
  ctx: JobContext,
  { scope }: JobEmpresa,
  { document_id }: DocumentMailing,
  { id, to }: AddressedLetter,
  failure: LetterFailure | null,
): Promise<void> {
  const { job_id } = ctx
  await ctx.transact(async (tx) => {
    const at = tx.now()
    if (!(await insertEndedLetter(tx.sql, scope, { id, document_id, job_id, recipient: to, failure }, at))) return
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

/** The result of the job. It failed only if no letter was delivered. */
async function outcomeOf(
  ctx: JobContext,
  { scope }: JobEmpresa,
  { document_id, letters }: DocumentMailing,
): Promise<object> {
  const ids = letters.map(({ id }) => id)
  const ended = new Map((await listEndedLetters(ctx.sql, scope, ids)).map((row) => [row.id, row.failure]))
  const recipients = letters.map(({ id, to }) => ({ to, sent: ended.get(id) === null, reason: ended.get(id) ?? null }))
  if (recipients.some(({ sent }) => sent)) return { document_id, recipients }
  const why = recipients.map(({ to, reason }) => `${to}: ${reason}`).join(', ')
  throw new GiveUp('recipients_refused', `Nobody took the letter (${why}).`)
}
