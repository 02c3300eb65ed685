/**
 * The acts of people that an auditor asks about years later, and what each means. Who did it is told where it is known: what
 * comes over the API says whom the caller named, which proves nothing about that person.
 */
export const EVIDENCE_ACTS = {
  mandato_signed: 'The mandato was signed; `document` is the text.',
  mandato_revoked: 'The mandato was revoked; `document` is the text that had been signed.',
  certificate_uploaded: 'A certificate entered the custody of the empresa; `document` is its id and fingerprint.',
  credential_stored: 'The password of the certificate that the SII keeps entered custody.',
  step_attested: 'Somebody stated that a step was done, which nothing can probe.',
  step_approved: 'A step of the service was authorised.',
  step_declined: 'A step of the service was not authorised.',
  muestras_revision: 'The printed samples were reviewed; `document` is what was shown.',
  go_live_requested: 'The titular was asked to let the empresa go live.',
  go_live_approved: 'The titular let the empresa go live.',
  go_live_declined: 'The titular did not let the empresa go live.',
  operator_took: 'A person of the operator took a step to carry it out.',
  operator_gave_back: 'A person of the operator gave a step back to the service, which carries it out by itself.',
  operator_restarted: 'A person of the operator had a step begin again.',
  operator_done: 'A person of the operator carried a step out.',
  operator_refused: 'A person of the operator could not carry a step out.',
  sii_confirmed: 'The SII itself showed that a step is done.',
  rut_taken_over: 'Whoever proved to be the taxpayer took its RUT over from another account.',
  link_minted: 'A hosted page was opened for a person.',
  link_revoked: 'A hosted page was closed before it was used.',
} as const
export type EvidenceAct = keyof typeof EVIDENCE_ACTS
export const EVIDENCE_ACT_NAMES = Object.keys(EVIDENCE_ACTS) as EvidenceAct[]

/** The road by which an act reached us. `hosted_page` alone was the person's own hand. */
export const EVIDENCE_VIAS = ['api', 'hosted_page', 'operator', 'sii'] as const
export type EvidenceVia = (typeof EVIDENCE_VIAS)[number]
