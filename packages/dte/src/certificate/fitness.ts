import { accept, type Outcome, refuse } from '../refusal.ts'
import type { OpenedCertificate } from './certificate.ts'
import { claimsToBeCa, maySignDocuments } from './x509.ts'

export type FitnessRule = 'weak_key' | 'key_too_large' | 'not_for_signing'

/** Shorter ones can be broken by whoever pays for it; no CA issues them today (NIST SP 800-131A). */
const MIN_BITS = 2048
/** A signature of a longer key takes a part of a second, and a batch has hundreds. */
const MAX_BITS = 4096

/** Smaller ones have broken schemes of padding again and again, and no CA uses one today (NIST SP 800-56B, FIPS 186-5). */
const MIN_EXPONENT = 65_537n

/** Whether an opened certificate is one to sign tax documents with for years. */
export function checkFitness<T extends Pick<OpenedCertificate, 'key' | 'certificate'>>(
  opened: T,
): Outcome<T, FitnessRule> {
  const { key, certificate } = opened
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < MIN_BITS) return refuse('weak_key', `The key has ${bits} bits; at least ${MIN_BITS} are needed.`)
  const exponent = key.asymmetricKeyDetails?.publicExponent ?? MIN_EXPONENT
  if (exponent < MIN_EXPONENT) {
    return refuse('weak_key', `The public exponent of the key is ${exponent}; at least ${MIN_EXPONENT} is needed.`)
  }
  if (bits > MAX_BITS) return refuse('key_too_large', `The key has ${bits} bits; at most ${MAX_BITS} are taken.`)
  if (claimsToBeCa(certificate) || !maySignDocuments(certificate)) {
    return refuse('not_for_signing', 'The certificate was not issued to sign documents.')
  }
  return accept(opened)
}
