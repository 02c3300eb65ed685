import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { Closed, Email, MultiLine } from '../../../kernel/schema.ts'
import type { DocumentStatus } from '../document/schema.ts'

// One schema for both forms, so that a refusal names the rule that was broken and the place in the list.
const To = Type.Unsafe<string | string[]>({
  ...Email,
  type: ['string', 'array'],
  items: Email,
  minItems: 1,
  maxItems: CEILINGS.send_recipients,
  description:
    'One address or up to ten. Left out: the e-mail on the document, or else the contacts of its receptor that have ' +
    'not opted out.',
})

export const SendDocument = Closed({
  to: Type.Optional(To),
  message: Type.Optional(
    MultiLine(CEILINGS.send_message_chars, {
      description: 'Words of your own for the reader, in the language of the letter.',
    }),
  ),
})
export type SendDocument = Static<typeof SendDocument>

const SENDABLE: readonly DocumentStatus[] = ['sent', 'accepted', 'reparo']

/**
 * Whether a document may be mailed: the receptor can rely on it, or will be able to. Before it is sent it has no force,
 * and one that was rejected or annulled would be paid by mistake.
 */
export function isSendable(status: DocumentStatus): boolean {
  return SENDABLE.includes(status)
}

/** Why a letter was not delivered. A closed set: programs branch on it. */
export type LetterFailure =
  /** The mail server of the recipient will never accept it. */
  | 'refused'
  /** No attempt succeeded. */
  | 'undeliverable'
  /** The recipient asked for no mail while it waited. */
  | 'opted_out'
  /** The document was annulled while it waited. */
  | 'document_not_sendable'
