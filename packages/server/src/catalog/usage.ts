/** The kinds of usage and their units. The ledger is reporting only: no plan has a quota. */
export const USAGE_KINDS = {
  document_issued: 'Documents transmitted to the SII.',
  document_emailed: 'Documents mailed to their receptor.',
  document_ceded: 'Documents ceded to a factoring company.',
  document_received: 'Documents received from suppliers.',
  folios_requested: 'Folios asked of the SII.',
} as const

export type UsageKind = keyof typeof USAGE_KINDS
export const USAGE_KIND_NAMES = Object.keys(USAGE_KINDS) as UsageKind[]
