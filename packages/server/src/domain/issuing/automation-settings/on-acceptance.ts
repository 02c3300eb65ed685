import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import { NOMINA } from '../contribuyente/sql.ts'
import { findOnAcceptance, type OnAcceptance } from './store.ts'

/**
 * What an empresa lets us do with each document that is accepted. It is asked of every one of them and seldom changes, so it is
 * cached until a switch is turned or another list of the SII is loaded.
 */
export async function onAcceptance(
  { sql, cache }: Pick<BaseContext, 'sql' | 'cache'>,
  scope: EmpresaScope,
): Promise<OnAcceptance> {
  const { empresa_id } = scope
  const load = () => findOnAcceptance(sql, scope)
  const known = await cache.get(`on acceptance|${empresa_id}`, load, () => [empresa_id, NOMINA])
  return known as OnAcceptance
}
