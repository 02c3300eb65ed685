import { type Fragment, part } from '../../../kernel/db.ts'

/** Whether a document was issued for a movement. */
export function isConfirmed(movement_id: Fragment): Fragment {
  return part`exists (select 1 from suggestion s where s.movement_id = ${movement_id} and s.status = 'confirmed')`
}

/** Whether a decision about a movement must be remembered. */
export function isSettled(movement_id: Fragment): Fragment {
  return part`exists (select 1 from suggestion s where s.movement_id = ${movement_id} and s.status <> 'open')`
}
