import { DAY_MS } from '@timbre/dte/values'
import type { InspectedAnswer } from '../../../ports/inspection.ts'
import { instantOf } from '../received-document/deadline.ts'

export interface SignatureVerdict {
  readonly signature: 'verified' | 'unproven'
  readonly signer_rut: string | null
}

/** The clocks of two computers may be a day apart, time zones forgotten. */
const SLACK_MS = DAY_MS

/**
 * What the true signature of an answer is worth. Null when its certificate contradicts it: not valid when it signed.
 * A person signs for most taxpayers and no file tells who may, so the signer's RUT is shown and not compared.
 */
export function verdictOn(
  { answer, signer, issuer }: Pick<InspectedAnswer, 'answer' | 'signer' | 'issuer'>,
  received_at: Date,
): SignatureVerdict | null {
  const signed = answer.signed_at === undefined ? null : instantOf(answer.signed_at)
  const signer_rut = signer?.rut ?? null
  if (!signer) return { signature: 'unproven', signer_rut }
  const [from, until] = [new Date(signer.valid_from), new Date(signer.valid_until)]
  if (signed && (signed < from || signed > until)) return null
  const timely = signed !== null && signed.getTime() <= received_at.getTime() + SLACK_MS && received_at <= until
  const proven =
    issuer.issuer === 'proven' &&
    issuer.windows.some((window) => signed && window.from <= signed && signed <= window.until)
  return { signature: timely && proven ? 'verified' : 'unproven', signer_rut }
}
