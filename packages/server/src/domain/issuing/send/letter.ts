import { MODES } from '../../../catalog/modes.ts'
import { GiveUp } from '../../../kernel/job.ts'
import { type Attachment, type Letter, MailRefused } from '../../../ports/mail.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { findVerifiedEmail } from '../../platform/account/lookup.ts'
import type { JobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { composeLetter } from '../../platform/mail/compose.ts'
import { readPdf, readXml } from '../artifact/read.ts'
import type { DocumentRow } from '../document/show.ts'
import { ENVELOPE_FILE, envelopeAttachment, isExchanged } from '../exchange/envelope.ts'
import { documentLetter } from './copy.ts'

/**
 * The PDF and the XML of a document, and the envelope that the receptor's program takes in. Never the cedible copy: that
 * one is the emitter's to cede.
 */
export async function attachmentsOf(ctx: JobContext, empresa: JobEmpresa, row: DocumentRow): Promise<Attachment[]> {
  const reading = { sql: ctx.sql, ports: ctx.ports, empresa: empresa.scope }
  const document_id = row.id
  const files = [await readPdf(reading, { document_id, cedible: false }), await readXml(reading, { document_id })]
  const envelope = isExchanged(row, empresa.scope.rut) ? await envelopeOrNone(ctx, empresa, row) : []
  return [...files.map(({ filename, media_type, bytes }) => ({ filename, media_type, bytes })), ...envelope]
}

/** Where it cannot be signed now, the person gets the rest. */
async function envelopeOrNone(ctx: JobContext, empresa: JobEmpresa, row: DocumentRow): Promise<Attachment[]> {
  try {
    return [await envelopeAttachment(ctx, empresa, row)]
  } catch (error) {
    if (error instanceof GiveUp || error instanceof SiiUnreachable) return []
    throw error
  }
}

export function writeLetter(
  { row: empresa }: JobEmpresa,
  document: DocumentRow,
  letter: {
    readonly id: string
    readonly to: string
    readonly message: string | null
    readonly watermark: string | null
  },
  attachments: readonly Attachment[],
): Letter {
  const { id, ...words } = letter
  const enveloped = attachments.some(({ filename }) => filename.startsWith(ENVELOPE_FILE))
  return {
    id,
    ...composeLetter(documentLetter(empresa, document, { ...words, enveloped })),
    from_name: document.draft.emisor.legal_name,
    ...(empresa.contact_email !== null && { reply_to: empresa.contact_email }),
    attachments,
  }
}

/** In the sandbox letters to such a mailbox are refused, so that a refusal can be tested. */
const BOUNCES = /^bounce@/

/**
 * Hands a letter to the mail server. A sandbox must not become a way to write to strangers, and nobody is sent what only a
 * simulator accepted: there only the verified address of the account gets mail. Letters to anybody else are dropped, unless no mail leaves this machine at all.
 */
export async function mailLetter(ctx: JobContext, { scope }: JobEmpresa, letter: Letter): Promise<void> {
  const { mail } = ctx.ports
  if (!MODES[scope.mode].mails_strangers || !ctx.ports.sii[scope.mode].tax_effect) {
    if (BOUNCES.test(letter.to)) throw new MailRefused('550 no such mailbox in the sandbox')
    if (!mail.stays_here && letter.to !== (await findVerifiedEmail(ctx.sql, scope.account_id))) return
  }
  await mail.send(letter)
}
