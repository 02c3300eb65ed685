import { sealedPayloads } from '../../../kernel/sealed-payloads.ts'
import { sendLetter } from './jobs.ts'
import { letterOwner } from './send.ts'

export const sealedLetters = sealedPayloads('letters in the queue', sendLetter, ({ letter_id }) =>
  letterOwner(letter_id),
)
