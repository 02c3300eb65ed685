/**
 * Why the SII gives or annuls no folios, as a program may branch on it. The SII has no codes for it, only sentences
 * (PROTOCOLS 10): the sentence is told before the advice, word for word.
 *
 * `mended_by` says what may change the answer. After `time` the same request may be granted; what a `person` has to mend
 * is not asked for again by the service itself.
 */
export const FOLIO_REFUSALS = {
  not_authorised: {
    advice:
      'The SII gives folios by what was used before: issue with those that are left, ask for fewer, or see what is pending in the taxpayer’s account at sii.cl.',
    mended_by: 'time',
  },
  no_activity_verification: {
    advice: 'The taxpayer has to ask for the verificación de actividades at the SII, then ask for folios again.',
    mended_by: 'person',
  },
  company_not_authorised: {
    advice: 'The taxpayer is not authorised to issue electronic documents in this environment: see it at sii.cl.',
    mended_by: 'person',
  },
  user_not_authorised: {
    advice:
      'The holder of the certificate is not a user of the taxpayer: the representante legal enrols them at sii.cl.',
    mended_by: 'person',
  },
  no_permission: {
    advice:
      'The holder of the certificate lacks the permission for this act: the representante legal grants it at sii.cl, for this environment.',
    mended_by: 'person',
  },
  visit_required: {
    advice: 'The taxpayer has to go to its office of the SII; no request helps before that.',
    mended_by: 'person',
  },
  max_exceeded: {
    advice: 'Ask for fewer: the SII gives at most what the sentence says.',
    mended_by: 'time',
  },
  tipo_not_enabled: {
    advice: 'The taxpayer may not stamp this tipo yet; the sentence lists those that it may. Enable it at sii.cl.',
    mended_by: 'person',
  },
  already_authorised: {
    advice: 'The range was given before; it is obtained again by asking once more.',
    mended_by: 'time',
  },
  range_not_offered: {
    advice:
      'The SII offers this range to nobody but the person who stamped it, and not once a document of it was received.',
    mended_by: 'person',
  },
  stamped_by_another: {
    advice:
      'Only the person who stamped folios may annul them: that person does it at sii.cl, or its certificate is put into custody for the act.',
    mended_by: 'person',
  },
  range_annulled: {
    advice: 'The range was annulled before.',
    mended_by: 'person',
  },
  folio_received: {
    advice: 'The SII has received a document with one of these folios: what it received can no longer be annulled.',
    mended_by: 'person',
  },
  other: {
    advice: 'Nobody has seen this sentence before: it says all that is known.',
    mended_by: 'time',
  },
} as const satisfies Readonly<Record<string, { readonly advice: string; readonly mended_by: 'time' | 'person' }>>

export type FolioRefusalReason = keyof typeof FOLIO_REFUSALS

export const FOLIO_REFUSAL_REASONS = Object.keys(FOLIO_REFUSALS) as FolioRefusalReason[]
