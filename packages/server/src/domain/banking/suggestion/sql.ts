import { type Fragment, part } from '../../../kernel/db.ts'

/** Whether a document was issued for a movement. */
export function isConfirmed(movement_id: Fragment): Fragment {
  return part`exists (select 1 from suggestion s where s.movement_id = ${movement_id} and s.status = 'confirmed')`
}

/** True if the movement has a suggestion that is no longer open: that decision must be kept. */
export function isSettled(movement_id: Fragment): Fragment {
  return part`exists (select 1 from suggestion s where s.movement_id = ${movement_id} and s.status <> 'open')`
}
