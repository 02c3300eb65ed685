import type { LastingObject } from '../../../catalog/lasting.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { Distrust } from '../../distrust.ts'
import { type DistrustedChange, listDistrusted, listStanding, type Standing } from './store.ts'

export { type DistrustedChange, deleteOldChanges, type Standing } from './store.ts'

/** All that was left behind in distrust, of an account that is taken back. */
export function distrustedChanges(sql: Sql, account_id: string, distrust: Distrust): Promise<DistrustedChange[]> {
  return listDistrusted(sql, account_id, distrust)
}

/** Of one kind, what stands as it was left in distrust. */
export function standingInDistrust(
  sql: Sql,
  account_id: string,
  object: LastingObject,
  distrust: Distrust,
): Promise<Standing[]> {
  return listStanding(sql, account_id, object, distrust)
}
