import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MASTER_KEY } from '../../../test/support/master-key.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { localVault } from '../vault/local.ts'
import { forgetLogins } from './forget-logins.ts'
import { sharedSessions } from './sessions.ts'
import { sharedTokens } from './tokens.ts'

const vault = localVault(new Map([[1, MASTER_KEY]]))
const HOUR_MS = 3_600_000

let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
})
afterAll(() => world.close())

describe('what was opened at the SII', () => {
  it('is forgotten once the SII takes it no longer, and not before', async () => {
    const { sql } = world.db
    const now = Date.now()
    const ago = (hours: number) => new Date(now - hours * HOUR_MS)
    const tokens = sharedTokens({ sql, vault, realm: 'r' })
    for (const [fingerprint, expires_at] of [['dead', ago(0.1)] as const, ['alive', ago(-0.5)] as const]) {
      const key = { fingerprint, channel: 'dte', ambiente: 'produccion' } as const
      await tokens.renew(key, null, async () => ({ token: 'x', expires_at }))
    }
    const sessions = sharedSessions({ sql, vault, realm: 'r' })
    const session = (used_at: Date) => ({ kind: 'open', id: 'i', cookies: { shared: {}, own: {} }, used_at }) as const
    await sessions.put('idle', session(ago(4)))
    await sessions.put('used', session(ago(1)))
    await sessions.put('capped', { kind: 'capped', until: ago(-0.5), glosa: null })
    const kept = () => sql<{ key: string }>`select key from sii_token union all select key from sii_session order by 1`
    await sessions.alone('busy', async () => {
      await forgetLogins(sql, new Date(now))
      expect((await kept()).map(({ key }) => key)).toEqual(['r/busy', 'r/capped', 'r/produccion/dte/alive', 'r/used'])
    })
  })
})
