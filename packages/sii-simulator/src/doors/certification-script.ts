import { CERTIFICATION_DOOR } from '../certification/declare.ts'
import { type Answer, type DoorRequest, html } from '../door.ts'
import { refusalPage } from '../portal/page.ts'
import type { Simulator } from '../simulator.ts'
import { occasionOf } from '../weather/occasion.ts'

/** A script may have the SII refuse an act of the certification, in the words of the script; nothing is done then. */
export function refusedAct(ctx: Simulator, door: string, request: DoorRequest): Answer | null {
  const [script] = ctx.scripts.take({ ...occasionOf(door, request), family: CERTIFICATION_DOOR }, ['step_refuse'])
  if (script === undefined) return null
  return html(refusalPage(script.finding?.glosa ?? 'En este momento no es posible atender su solicitud'))
}
