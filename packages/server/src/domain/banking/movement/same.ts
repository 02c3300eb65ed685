import type { Sql } from '../../../kernel/db.ts'
import { noteTwins, showAgain } from './duplicate-store.ts'
import type { MovementScope } from './row.ts'

/** Hides a movement behind another one, because somebody said that they are the same. */
export async function takeForOne(
  sql: Sql,
  scope: MovementScope,
  { id, of }: { readonly id: string; readonly of: string },
  at: Date,
): Promise<void> {
  await noteTwins(sql, scope, [{ id, of, certain: true, reason: 'said' }], at)
}

/** Shows a movement by itself again. */
export function separate(sql: Sql, scope: MovementScope, id: string, at: Date): Promise<void> {
  return showAgain(sql, scope, id, at)
}
