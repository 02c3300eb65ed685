import { BLOCKS, type BlockName } from './copy.ts'
import type { BlockedCode, BlockedReason } from './schema.ts'

/** The code that a program branches on, for each sentence that a person reads. */
const CODES: Readonly<Record<BlockName, BlockedCode>> = {
  sii_unreachable: 'sii_unreachable',
  sii_propagation: 'sii_propagation',
  tipos_not_authorised: 'sii_propagation',
  folios_pending: 'sii_propagation',
  folios_refused: 'requirement_unmet',
  user_not_authorised: 'requirement_unmet',
  certificate_missing: 'requirement_unmet',
  emitter_not_authorised: 'requirement_unmet',
  resolucion_claim: 'resolucion_claim',
  approval_declined: 'approval_declined',
  operator_refused: 'operator_refused',
  sii_reviewing: 'sii_review',
  sii_refused: 'sii_refused',
  preflight_failed: 'preflight_failed',
  inputs_missing: 'requirement_unmet',
  emisor_incomplete: 'requirement_unmet',
  operator_restarted: 'operator_refused',
}

/** What the SII asks for first, by the key a program knows it under. */
const KEYS: Readonly<Partial<Record<BlockName, string>>> = {
  user_not_authorised: 'usuario_autorizado',
  certificate_missing: 'certificate',
  emitter_not_authorised: 'emisor',
  folios_refused: 'folios',
  inputs_missing: 'inputs',
  emisor_incomplete: 'emisor',
}

export function blockedReason(
  name: BlockName,
  since: Date,
  before: BlockedReason | null,
  details: Readonly<Record<string, unknown>> = {},
): BlockedReason {
  const code = CODES[name]
  const same = before?.code === code && before.message === BLOCKS[name].message
  return {
    code,
    ...BLOCKS[name],
    details: { ...(KEYS[name] !== undefined && { key: KEYS[name] }), ...details },
    since: same ? before.since : since.toISOString(),
  }
}
