import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { Closed, Email, Text } from '../../../kernel/schema.ts'

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
    Text(CEILINGS.send_message_chars, {
      description: 'Words of your own for the reader, in the language of the letter.',
    }),
  ),
})
export type SendDocument = Static<typeof SendDocument>

/** Why a letter was not taken. A closed set: programs branch on it. */
export type LetterFailure =
  /** The mail server of the recipient will never take it. */
  | 'refused'
  /** Nobody took it, however often it was tried. */
  | 'undeliverable'
  /** The recipient asked for no mail while it waited. */
  | 'opted_out'
  /** The document was annulled while it waited. */
  | 'document_not_sendable'
