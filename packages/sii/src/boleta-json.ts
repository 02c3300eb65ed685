import { type AnswerFault, drift, refused, refusedToken } from './failure.ts'
import { parseJson } from './storable.ts'
import { unexpected } from './weather.ts'
import type { SiiAnswer } from './wire.ts'

/** Track ids have up to 15 digits and are no numbers: quoted before they are read as such. */
const TRACK_ID = /("trackid"\s*:\s*)(\d+)/gi

/**
 * The JSON object of an answer of the boleta API. Its errors are plain text: 400 and 401 with a token that it does not
 * take, 404 for what it does not know, yet or at all.
 */
export function readJson(answer: SiiAnswer, repeatable = true): Readonly<Record<string, unknown>> {
  const { status, kind, text } = answer
  if (kind !== 'json') throw refuseText(answer, repeatable)
  let value: unknown
  try {
    value = parseJson(text.replace(TRACK_ID, '$1"$2"'))
  } catch {
    throw drift('well-formed JSON', `HTTP ${status}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw drift('JSON object')
  if (status === 401) throw refusedToken('HTTP 401', text.slice(0, 300))
  return value as Record<string, unknown>
}

function refuseText(answer: SiiAnswer, repeatable: boolean): AnswerFault {
  const { status, kind, text } = answer
  if (kind !== 'text' || status < 400 || status >= 500 || status === 401 || status === 429) {
    return unexpected(answer, 'JSON', repeatable)
  }
  const words = text.replace(/\s+/g, ' ').trim().slice(0, 300)
  if (/\btoken\b|autentic/i.test(words)) return refusedToken(`HTTP ${status}`, words)
  return refused(`HTTP ${status}`, words, status === 404 ? 'later' : 'never')
}
