import { isoStamp } from '../clock.ts'
import { type Answer, json } from '../door.ts'
import type { Simulator } from '../simulator.ts'
import { optionalInstant, optionalNumber } from './input.ts'
import { ControlRefusal, type ControlRoute } from './route.ts'

export const CLOCK_ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/control/clock', handle: (ctx) => clockOf(ctx) },
  {
    method: 'POST',
    path: '/control/clock',
    handle(ctx, { input }) {
      const seconds = optionalNumber(input, 'advance_seconds')
      const instant = optionalInstant(input, 'now')
      if (seconds === null && instant === null) throw new ControlRefusal('Give advance_seconds or now.')
      if (instant !== null) ctx.clock.set(instant)
      if (seconds !== null) ctx.clock.advance(seconds * 1_000)
      return clockOf(ctx)
    },
  },
]

function clockOf({ clock }: Simulator): Answer {
  const now = clock.now()
  return json({ now: new Date(now).toISOString(), santiago: isoStamp(now), offset_seconds: clock.offset() / 1_000 })
}
