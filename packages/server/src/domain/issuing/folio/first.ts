import { FOLIOS } from '../../../catalog/limits.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { enqueueRequest } from './request.ts'
import { tiposWithoutFolios } from './store.ts'

/** Of some tipos, those that never had folios of the empresa's own. */
export function lacksFolios(
  { sql }: Pick<Settling, 'sql'>,
  scope: EmpresaScope,
  tipos: readonly number[],
): Promise<number[]> {
  return tiposWithoutFolios(sql, scope, tipos)
}

/** Asks the SII for the first range of each tipo that never had one; one that is on its way is not asked for twice. */
export async function requestFirstFolios(
  tx: Settling,
  scope: EmpresaScope,
  tipos: readonly number[],
): Promise<number[]> {
  const missing = await tiposWithoutFolios(tx.sql, scope, tipos)
  const emit: Settling['emit'] = (event) => tx.emit({ empresa: { id: scope.empresa_id, rut: scope.rut }, ...event })
  for (const tipo of missing)
    await enqueueRequest({ ...tx, emit }, scope, tipo, { quantity: FOLIOS.requested_by_default }, 'onboarding')
  return missing
}
