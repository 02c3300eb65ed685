import type { IdKind } from '../../../catalog/ids.ts'
import { type Fragment, part } from '../../../kernel/db.ts'
import { idFloor } from '../../../kernel/id.ts'

/** What was made before an instant, since one, or ever. */
export type Made = { readonly before: Date } | { readonly since: Date } | 'ever'

/** The condition on `id`. The time in an id is real time: a test clock does not make anything younger. */
export function isMade(kind: IdKind, made: Made): Fragment {
  if (made === 'ever') return part`true`
  return 'since' in made ? part`id >= ${idFloor(kind, made.since)}` : part`id < ${idFloor(kind, made.before)}`
}
