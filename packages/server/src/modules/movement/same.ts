import type { Sql } from '../../kernel/db.ts'
import type { MovementScope } from './record.ts'
import { noteTwins, pointTo, showAgain } from './twin-store.ts'

/** Hides a movement behind another one, because somebody said that they are the same. */
export async function takeForOne(
  sql: Sql,
  scope: MovementScope,
  { id, of }: { readonly id: string; readonly of: string },
  at: Date,
): Promise<void> {
  await noteTwins(sql, scope, [{ id, of, certain: true, reason: 'said' }], at)
}

/** What is hidden behind a movement that is about to be hidden itself goes behind the one that stays. */
export function rejoin(sql: Sql, scope: MovementScope, from: string, to: string): Promise<void> {
  return pointTo(sql, scope, from, to)
}

/** Shows a movement by itself again. */
export function separate(sql: Sql, scope: MovementScope, id: string, at: Date): Promise<void> {
  return showAgain(sql, scope, id, at)
}
