import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { MailRefused } from '../../../ports/mail.ts'
import type { JobContext } from '../../job.ts'
import { type JobEmpresa, jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { composeLetter } from '../../platform/mail/compose.ts'
import { watermarkOf } from '../../watermark.ts'
import { exchangeMailboxOf } from '../contribuyente/exchange-mailbox.ts'
import { optedOutOf } from '../counterparty/lookup.ts'
import { type ExchangeEnd, endExchange } from '../document/advance-exchange.ts'
import { findDocument, findDocumentForUpdate } from '../document/read.ts'
import type { DocumentRow } from '../document/show.ts'
import { mailLetter } from '../send/letter.ts'
import { isSendable } from '../send/schema.ts'
import { exchangeLetter } from './copy.ts'
import { envelopeAttachment } from './envelope.ts'
import { EXCHANGE_ATTEMPTS, type ExchangeCopy } from './jobs.ts'

/** Sends the signed envelope to the mailbox. The receptor's system answers to where suppliers' documents come. */
async function mail(ctx: JobContext, empresa: JobEmpresa, row: DocumentRow, letter: { id: string; to: string }) {
  const { reception_email, contact_email } = empresa.row
  const reply_to = reception_email ?? contact_email
  await mailLetter(ctx, empresa, {
    ...composeLetter(exchangeLetter(row, letter.to, watermarkOf(ctx.ports, row.mode))),
    ...letter,
    from_name: row.draft.emisor.legal_name,
    ...(reply_to !== null && { reply_to }),
    attachments: [await envelopeAttachment(ctx, empresa, row)],
  })
}

/** The failure that ends it, or null when it should be tried again. */
function failureOf(ctx: JobContext, error: unknown): string | null {
  if (error instanceof GiveUp) return error.code
  if (error instanceof MailRefused) return 'refused'
  return ctx.attempt >= EXCHANGE_ATTEMPTS ? 'undeliverable' : null
}

/** How the copy ends. Throws what should be tried again. */
async function attempt(
  ctx: JobContext,
  empresa: JobEmpresa,
  row: DocumentRow,
  letter_id: string,
): Promise<Omit<ExchangeEnd, 'sent_at'>> {
  const to = await exchangeMailboxOf(ctx.sql, row.receptor_rut)
  if (to === null) return { status: 'no_address', to, reason: null }
  if ((await optedOutOf(ctx.sql, empresa.scope, [to])).size > 0) return { status: 'failed', to, reason: 'opted_out' }
  try {
    await mail(ctx, empresa, row, { id: letter_id, to })
    return { status: 'sent', to, reason: null }
  } catch (error) {
    const reason = failureOf(ctx, error)
    if (reason === null) throw error
    return { status: 'failed', to, reason }
  }
}

/** Mails a document to its receptor's exchange mailbox, once. Whatever comes of it, the document stands. */
export async function deliverCopy(ctx: JobContext, { document_id, letter_id }: ExchangeCopy): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  const row = empresa && (await findDocument(ctx.sql, empresa.scope, document_id))
  if (!empresa || !row || row.exchange_status || !isSendable(row.status)) return 'done'
  const end = await attempt(ctx, empresa, row, letter_id)
  await ctx.transact(async (tx) => {
    const locked = await findDocumentForUpdate(tx.sql, empresa.scope, document_id)
    if (!locked || locked.exchange_status) return
    const sent_at = end.status === 'sent' ? tx.now().toISOString() : null
    await endExchange(tx, empresa.scope, locked, { ...end, sent_at })
  })
  return 'done'
}
