import { part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type AdvanceContext, advanceDocuments } from './advance.ts'
import type { Failure } from './schema.ts'
import type { DocumentRow } from './show.ts'

/** Why a document could not be processed, for programs. A refusal of the SII comes under its own code. */
export const FAILURES = {
  folios_exhausted: 'No folio is left for this tipo_dte: ask for more with POST /folios/requests, then retry.',
  empresa_inactive:
    'The empresa was archived or suspended, or what it signs with left custody or expired, before the document was sent.',
  sii_unreachable: 'The SII did not answer for a day.',
  internal_error: 'Something failed on our side.',
  sii_lost_envelope:
    'The SII took the document and says that it does not have it, as often as it was sent. It is still asked about; somebody has to look into it with the SII.',
  sii_data_differ:
    'The SII has a document under this folio and says that its data are not those it was asked about. It is still asked about; somebody has to look into it with the SII.',
} as const

export function failureOf(code: keyof typeof FAILURES): Failure {
  return { code, message: FAILURES[code] }
}

export interface Failed extends Failure {
  readonly id: string
}

/** Fails documents, each for its own reason; those with the same reason share a statement. */
export async function failDocuments(
  tx: AdvanceContext,
  scope: EmpresaScope,
  failed: readonly Failed[],
): Promise<DocumentRow[]> {
  const reasons = new Map<string, string[]>()
  for (const { id, code, message } of failed) {
    const reason = JSON.stringify({ code, message })
    reasons.set(reason, [...(reasons.get(reason) ?? []), id])
  }
  const rows: DocumentRow[] = []
  for (const [reason, ids] of reasons) {
    const detail = JSON.parse(reason) as Failure
    const set = part`, failure = ${reason}::json`
    const transition = { trigger: 'processing_failed', ids, set, was: { failure: null }, detail: () => detail } as const
    rows.push(...(await advanceDocuments(tx, scope, transition)))
  }
  return rows
}
