import { CODES } from './codes.ts'
import type { ExplanationCode } from './copy.ts'
import { compose, type Explanation, explain, type SiiAnswer } from './explain.ts'

/** The SII's last word on a document that it observed or refused. */
export interface SettledAnswer {
  readonly outcome: 'reparo' | 'rejected'
  /** Of the document, or of the envelope that it came in. */
  readonly estado: string
  /** What it found, where it names it. */
  readonly finding: string | null
  readonly glosa: string
}

/** Meanings of something that goes on, or that is not about a document: untrue of one that is settled. */
const NOT_SETTLED: ReadonlySet<ExplanationCode> = new Set([
  'sii_received',
  'sii_in_progress',
  'sii_processed',
  'sii_accepted',
  'sii_unknown_answer',
  'sii_unavailable',
  'sii_query_invalid',
  'session_expired',
  'folio_not_received',
  'file_lost',
  'file_truncated',
  'envelope_not_found',
  'envelope_already_received',
])

/** Their words are those of a refusal: untrue of a document that is valid. */
const REFUSALS: ReadonlySet<ExplanationCode> = new Set([
  'information_invalid',
  'information_inconsistent',
  'sii_rejected',
])

/** States that say that it was judged, and nothing of why: the counters of an envelope, and a folio that never came in. */
const SILENT_STATES: readonly string[] = ['EPR', 'FAU', 'DOK']

const WITHOUT_REASON = { rejected: 'sii_rejected_without_reason', reparo: 'sii_observed_without_reason' } as const
const OTHER_REASON = { rejected: 'sii_rejected', reparo: 'sii_observed_other' } as const

/** Explains how a document ended. Whatever it says holds for good: nothing of it will be asked or sent again. */
export function explainSettled({ outcome, estado, finding, glosa }: SettledAnswer): Explanation {
  const answer: SiiAnswer =
    finding === null
      ? { source: sourceOf(estado), code: estado, text: glosa }
      : { source: 'validation', code: finding, text: glosa }
  const found = explain(answer)
  const is_true = !NOT_SETTLED.has(found.code) && !(outcome === 'reparo' && REFUSALS.has(found.code))
  if (is_true) {
    return found.outcome === outcome ? found : compose(found.code, outcome, answer, found.field)
  }
  const is_silent = finding === null && (SILENT_STATES.includes(estado) || glosa.trim() === '')
  return compose((is_silent ? WITHOUT_REASON : OTHER_REASON)[outcome], outcome, answer)
}

const sourceOf = (estado: string) =>
  estado in CODES.envio ? 'envio' : estado in CODES.documento ? 'documento' : ('boleta' as const)
