import { until } from './until.ts'
import type { Sent, World } from './world.ts'

const CLOCK = '/v1/test_helpers/clock'

interface ClockChange {
  readonly empresa_rut?: string
  readonly frozen_time?: string
  readonly advance?: string
  readonly reset?: true
}

interface Clock {
  readonly status: 'ready' | 'advancing'
  readonly now: string
  readonly frozen_time: string | null
}

function standing({ status, body, text }: Sent): Clock | null {
  if (status !== 200) throw new Error(`the clock does not move: ${text}`)
  return body.status === 'ready' ? body : null
}

/** Moves the test clock and waits until it stands: a slow machine answers `advancing`, and goes on by itself. */
export async function moveClock(world: World, key: string, change: ClockChange): Promise<Clock> {
  const query = change.empresa_rut ? `?empresa_rut=${change.empresa_rut}` : ''
  const at_once = standing(await world.post(CLOCK, { key, body: change }))
  return at_once ?? until('the clock', async () => standing(await world.get(`${CLOCK}${query}`, { key })))
}
