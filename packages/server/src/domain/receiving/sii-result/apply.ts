import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Fault, InspectedResult } from '../../../ports/inspection.ts'
import { type FindingContext, recordFindings } from '../../issuing/document/sii-findings.ts'

/**
 * Takes the result e-mail of the SII to the documents that it speaks of. It is not signed, and its sender is whoever
 * wrote the address: it is believed for what the empresa sent under its track id, and there it only adds words. Gives
 * why it was not taken: then it is kept as it came.
 */
export async function applyResult(
  tx: FindingContext,
  scope: EmpresaScope,
  { result }: InspectedResult,
): Promise<Fault | null> {
  const aside = (message: string): Fault => ({ reason: 'exchange_answer', message })
  const { emisor_rut, track_id } = result
  if (emisor_rut !== scope.rut) return aside(`It is a result of the SII for ${emisor_rut}, not for ${scope.rut}.`)
  if (await recordFindings(tx, scope, result)) return null
  return aside(`It is a result of the SII for the envelope ${track_id}, and none was sent under it.`)
}
