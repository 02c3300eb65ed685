import { LANES, type Lane, type StepKey } from '../../src/domain/platform/onboarding/lanes.ts'
import type { World } from './world.ts'

/** Puts a live empresa at a step of its onboarding that waits for a person, as if those before it were done. */
export async function waitAt(world: World, empresa_id: string, lane: Lane, step: StepKey): Promise<void> {
  const keys: readonly StepKey[] = LANES[lane]
  const done = keys.slice(0, keys.indexOf(step))
  await world.db.sql`
    update empresa set emitting_since = null, certificate_until = '2099-01-01', has_sfg_credential = true where id = ${empresa_id}`
  await world.db.sql`
    update onboarding_step set status = case when key = ${step} then 'action_required' when key = any(${done}) then 'completed'
      else 'pending' end, tipos = '{33,34,39,41,46,52,56,61}' where empresa_id = ${empresa_id}`
}
