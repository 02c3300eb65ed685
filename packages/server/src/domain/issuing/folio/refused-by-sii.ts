import { FOLIO_REFUSALS } from '../../../catalog/folio-refusals.ts'
import { GiveUp } from '../../../kernel/job.ts'
import type { FolioRefusal } from '../../../ports/sii.ts'

/** A refusal of the SII as its job tells it: the SII's own words, then what somebody can do, and the reason in a word. */
export function refusedBySii(
  code: 'folios_refused' | 'folios_not_annulled',
  { sentence, reason, advice = FOLIO_REFUSALS[reason].advice }: FolioRefusal,
): GiveUp {
  return new GiveUp(code, `${sentence} – ${advice}`, { reason })
}
