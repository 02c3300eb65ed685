import { type ExplanationCode, MEANINGS, type Meaning } from '@timbre/dte/values'

const ACTS: Readonly<Record<Meaning['act'], string>> = {
  document: 'Correct the document and issue it again',
  empresa: 'Correct the record of the empresa, here or at the SII, and try again',
  service: 'It is ours to solve; tell us the id of the document if it stays',
  sii: 'It is for the SII to solve; what can be repeated is repeated by itself',
  none: 'Nothing has to be done',
}

const words = (code: string) => code.replace(/^sii_/, '').replaceAll('_', ' ')

/**
 * The codes under which a refusal of the SII is explained on a document, a cesión or a job. There the explanation speaks
 * Chilean Spanish to the person who has to act; here a program reads what kind of refusal it is.
 */
export const SII_ANSWERS = Object.fromEntries(
  Object.entries(MEANINGS as Readonly<Record<ExplanationCode, Meaning>>).map(([code, { field, act, retriable }]) => [
    code,
    {
      type: 'sii_error' as const,
      status: 502,
      message: `The SII answered, in our words: ${words(code)}.`,
      hint: `${ACTS[act]}${field === null ? '' : ` (\`${field}\`)`}. The \`explanation\` beside it says the rest.`,
      ...(retriable && { retry_after_seconds: 60 }),
    },
  ]),
) as Readonly<Record<ExplanationCode, AnswerEntry>>

export interface AnswerEntry {
  readonly type: 'sii_error'
  readonly status: number
  readonly message: string
  readonly hint: string
  readonly retry_after_seconds?: number
}
