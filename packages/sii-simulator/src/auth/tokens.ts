import { randomBytes } from 'node:crypto'
import type { Ambiente } from '../hosts.ts'
import type { Simulator } from '../simulator.ts'
import type { Channel } from '../state/types.ts'

/** Public clients keep a token 50 to 55 minutes and see it die at about 60. */
const TOKEN_LIFE = 60 * 60_000
const FORGOTTEN_AFTER = 2 * TOKEN_LIFE

type World = Pick<Simulator, 'state' | 'clock'>

export function issueToken(ctx: World, rut: string, channel: Channel, ambiente: Ambiente): string {
  const now = ctx.clock.now()
  for (const [key, old] of [...ctx.state.tokens.entries('', { limit: 50 })]) {
    if (now - old.made_at > FORGOTTEN_AFTER) ctx.state.tokens.remove(key)
  }
  const token = randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')
  ctx.state.tokens.put(token, { token, rut, channel, ambiente, made_at: now })
  return token
}

export type Caller = { ok: true; rut: string } | { ok: false; estado: '001' | '002'; glosa: string }

/** Who holds this token. One of the other channel or environment is unknown to this one. */
export function callerOf(ctx: World, token: string, channel: Channel, ambiente: Ambiente): Caller {
  const known = ctx.state.tokens.get(token.trim())
  if (!known || known.channel !== channel || known.ambiente !== ambiente) {
    return { ok: false, estado: '001', glosa: 'TOKEN NO EXISTE' }
  }
  const age = ctx.clock.now() - known.made_at
  // A clock that was set back leaves tokens of the future; they are good.
  if (age > TOKEN_LIFE) return { ok: false, estado: '002', glosa: 'TOKEN INACTIVO' }
  return { ok: true, rut: known.rut }
}
