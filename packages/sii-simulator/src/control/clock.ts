import { isoStamp } from '../clock.ts'
import { type Answer, json } from '../door.ts'
import type { Simulator } from '../simulator.ts'
import { FIRST_INSTANT, flag, instant, LAST_INSTANT, number, optional, readInput } from './input.ts'
import { ControlRefusal, type ControlRoute } from './route.ts'

const CENTURY = 100 * 365 * 86_400
const MOVE = {
  advance_seconds: optional(number(-CENTURY, CENTURY)),
  now: optional(instant),
  frozen: optional(flag),
}

export const CLOCK_ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/control/clock', handle: (ctx) => clockOf(ctx) },
  {
    method: 'POST',
    path: '/control/clock',
    handle(ctx, { input }) {
      const { advance_seconds, now, frozen } = readInput(input, MOVE)
      if (advance_seconds === null && now === null && frozen === null)
        throw new ControlRefusal('Give advance_seconds, now or frozen.')
      // Instants are whole milliseconds: they are parts of keys.
      const to = Math.round((now ?? ctx.clock.now()) + (advance_seconds ?? 0) * 1_000)
      if (to < FIRST_INSTANT || to > LAST_INSTANT)
        throw new ControlRefusal('advance_seconds must leave the clock between 2000-01-01 and 2050-12-31.')
      ctx.clock.set(to, frozen ?? ctx.clock.isFrozen())
      return clockOf(ctx)
    },
  },
]

function clockOf({ clock }: Simulator): Answer {
  const now = clock.now()
  return json({
    now: new Date(now).toISOString(),
    santiago: isoStamp(now),
    offset_seconds: clock.offset() / 1_000,
    frozen: clock.isFrozen(),
  })
}
