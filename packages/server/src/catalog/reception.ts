/** Answers the register takes: acceptance, acknowledgement of goods, and claims against the content or the goods. */
export const CLAIM_CODES = ['RCD', 'RFP', 'RFT'] as const
export type ClaimCode = (typeof CLAIM_CODES)[number]
export type RegisterAction = 'ACD' | 'ERM' | ClaimCode

/** Days before the end of the eight at which a document without an answer is warned about. */
export const DEADLINE_WARNING_DAYS = [3, 1] as const

/** Why a file or a document was set aside. */
export const QUARANTINE_REASONS = [
  'not_xml',
  'bad_schema',
  'bad_signature',
  // Contradictions: the certificate was not valid when it signed; the timbre, or the totals, are of another document.
  'certificate_not_valid',
  'timbre_mismatch',
  'totals_mismatch',
  'other_receptor',
  'repeated_other_content',
  'too_large',
  'bomb',
  'no_document',
  // Answers of other taxpayers to documents of the empresa come to the same mailbox, and results of the SII. What cannot
  // be believed of them, or moves no document, is kept; nobody is alarmed.
  'exchange_answer',
] as const
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number]

const MIB = 1024 * 1024

/** Bounds of one mail. Real ones hold an envelope and a PDF: a few hundred kB. */
export const RECEPTION = {
  mail_bytes: 10 * MIB,
  /** Files looked at in one mail, those inside zips included. */
  files: 200,
  /** Files of one mail that are told of one by one when they are set aside. */
  quarantined_apart: 10,
  file_bytes: 10 * MIB,
  unzipped_bytes: 40 * MIB,
  /** XML shrinks to a tenth or a twentieth; what shrinks more is not XML. */
  zip_ratio: 100,
  /** Text that no DTE of ours reaches, for a file that passes every other bound. */
  xml_nodes: 400_000,
  /** Documents that one answer may speak of: as many as an envelope holds (EnvioDTE_v10.xsd). */
  answer_lines: 2_000,
} as const
