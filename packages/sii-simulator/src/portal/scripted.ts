import type { DoorRequest } from '../door.ts'
import type { Simulator } from '../simulator.ts'
import { occasionOf } from '../weather/occasion.ts'
import type { Script, VerdictKind } from '../weather/scripts.ts'

/** The first script of a kind that concerns this request; its turn is spent. */
export function scripted(ctx: Simulator, door: string, request: DoorRequest, kind: VerdictKind): Script | null {
  return ctx.scripts.take(occasionOf(door, request), [kind])[0] ?? null
}
