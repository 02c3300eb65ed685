import type { Sql } from '../../../kernel/db.ts'
import { deleteEndedClaims } from './store.ts'

/** Pages that nobody used in time, and those that were used: nothing refers to them. */
export function forgetEndedClaims(sql: Sql, now: Date): Promise<void> {
  return deleteEndedClaims(sql, now)
}
