import { randomInt } from 'node:crypto'
import type { Ambiente } from '../hosts.ts'
import type { Simulator } from '../simulator.ts'
import type { Channel } from '../state/types.ts'

/** SII, Manual de Autenticación Automática 1.9: a seed lives two minutes. */
const SEED_LIFE = 2 * 60_000

type World = Pick<Simulator, 'state' | 'clock'>

export function issueSeed(ctx: World, channel: Channel, ambiente: Ambiente): string {
  const now = ctx.clock.now()
  for (const [key, old] of [...ctx.state.seeds.entries('', { limit: 50 })]) {
    if (now - old.made_at > SEED_LIFE) ctx.state.seeds.remove(key)
  }
  const seed = String(randomInt(100_000_000_000, 999_999_999_999))
  ctx.state.seeds.put(seed, { seed, channel, ambiente, made_at: now, used: false })
  return seed
}

/** True once, in time, in the channel and environment that it was given in. */
export function spendSeed(ctx: World, seed: string, channel: Channel, ambiente: Ambiente): boolean {
  const known = ctx.state.seeds.get(seed)
  if (!known || known.channel !== channel || known.ambiente !== ambiente) return false
  ctx.state.seeds.remove(seed)
  return ctx.clock.now() - known.made_at <= SEED_LIFE
}
