import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { Document } from '../document/schema.ts'

const addressed = (to: unknown) => [to].flat().map((address) => quoted(String(address)))

/** The e-mail that a document carries; undefined where the caller may not read the document. */
const ownEmail = (document: unknown) => (document as Pick<Document, 'receptor'> | null)?.receptor.email

function whereTo(to: unknown, document: unknown): string {
  if (to !== undefined) return addressed(to).join(', ')
  const own = ownEmail(document)
  return typeof own === 'string' ? `${quoted(own)}, el correo que lleva el documento` : 'su receptor'
}

/**
 * A letter cannot be called back. An address that the caller names is shown first, and so is one that came with the document:
 * an agent may have put it there. The contacts of the receptor are the address book, where each took two steps.
 */
export const mailsTo: Irreversible<{ readonly status: string }> = {
  when: {
    told: 'With `to`, and where the document carries an e-mail of its own,',
    reads: 'documents.get',
    holds: ({ to }, document) => to !== undefined || ownEmail(document) !== null,
  },
  says: (_, { to }, document) =>
    `Se va a enviar el documento por correo a ${whereTo(to, document)}. Un correo enviado no se puede recuperar.`,
  shows: () => ({}),
}
