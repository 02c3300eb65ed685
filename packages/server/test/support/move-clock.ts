import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

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

/** Moves the test clock and waits until it stands: a slow machine answers `advancing`, and goes on by itself. */
export async function moveClock(world: World, key: string, change: ClockChange): Promise<Clock> {
  const query = change.empresa_rut ? `?empresa_rut=${change.empresa_rut}` : ''
  let sent = await world.post(CLOCK, { key, body: change })
  for (; sent.status === 200; sent = await world.get(`${CLOCK}${query}`, { key })) {
    if (sent.body.status === 'ready') return sent.body
    await sleep(25)
  }
  throw new Error(`the clock does not move: ${sent.text}`)
}
