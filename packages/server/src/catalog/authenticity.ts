interface ReasonEntry {
  /**
   * 3: something of it is false, and only the word of a person brought it here. 2: anybody could have made it. 1: its signer is known to an accredited CA, or it cannot be told by the
   * document alone. A document takes the place of another only when its gravest reason is the lighter one.
   */
  readonly weight: 1 | 2 | 3
  readonly when: string
}

/** Why a received document is not proven to be its emisor's. Codes never change their meaning. */
export const AUTHENTICITY_REASONS = {
  certificate_self_signed: { weight: 2, when: 'The certificate of its signer was made with its own key.' },
  issuer_unknown: { weight: 2, when: 'No CA known here issued the certificate of its signer.' },
  issuer_unproven: {
    weight: 2,
    when: 'The certificate names a CA known here, whose keys did not sign it, or which was not valid then.',
  },
  signing_time_unproven: {
    weight: 2,
    when: 'It does not say when it was signed, or says a time after its arrival or before its timbre.',
  },
  certificate_expired_since: { weight: 2, when: 'The certificate had expired when the document arrived here.' },
  signer_not_emisor: {
    weight: 1,
    when: 'Somebody else than the emisor signed it: a person authorised at the SII may, and the document does not tell.',
  },
  signer_unnamed: { weight: 1, when: 'The certificate carries no RUT.' },
  timbre_text_mismatch: { weight: 2, when: 'The timbre names another receptor or another first item.' },
  totals_mismatch: { weight: 2, when: 'Its amounts do not follow from its lines.' },
  line_amount_mismatch: { weight: 2, when: 'A line is not its quantity times its price.' },
  totals_unchecked: { weight: 1, when: 'Its amounts could not be held against its lines.' },
  other_content_set_aside: {
    weight: 1,
    when: 'Another document came under its number later, no better proven, and was set aside.',
  },
  signature_false: { weight: 3, when: 'Its signature, or that of its timbre, is not true.' },
  certificate_not_valid: { weight: 3, when: 'The certificate of its signer was not valid when it signed.' },
  timbre_of_another: { weight: 3, when: 'Its timbre speaks of another document.' },
  released_from_quarantine: { weight: 3, when: 'It was set aside, and a person released it.' },
  not_checked: { weight: 2, when: 'It arrived before these checks were made.' },
} as const satisfies Record<string, ReasonEntry>

export type AuthenticityReason = keyof typeof AUTHENTICITY_REASONS
export const AUTHENTICITY_REASON_CODES = Object.keys(AUTHENTICITY_REASONS) as AuthenticityReason[]
export const AUTHENTICITY_STATUSES = ['verified', 'unproven'] as const

/** How much a document lacks: 0 when it is verified. */
export function doubtOf(reasons: readonly AuthenticityReason[]): number {
  return Math.max(0, ...reasons.map((reason) => AUTHENTICITY_REASONS[reason].weight))
}
