import { SII_HOSTS, simulatedHosts, type Token, type TokenKey } from '@timbre/sii'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MASTER_KEY } from '../../../test/support/master-key.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { localVault } from '../vault/local.ts'
import { realmOf } from './realm.ts'
import { sharedTokens } from './tokens.ts'

const vault = localVault(new Map([[1, MASTER_KEY]]))
const of = (fingerprint: string): TokenKey => ({ fingerprint, channel: 'dte', ambiente: 'produccion' })
const inAnHour = () => new Date(Date.now() + 3_600_000)

let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
})
afterAll(() => world.close())

/** Two processes over one database, each with a memory of its own. */
const processes = () =>
  [
    sharedTokens({ sql: world.db.sql, vault, realm: 'r' }),
    sharedTokens({ sql: world.db.sql, vault, realm: 'r' }),
  ] as const

/** Gives t1, t2, … and counts. */
function maker(expires_at = inAnHour()) {
  const made = { count: 0, make: async (): Promise<Token> => ({ token: `t${++made.count}`, expires_at }) }
  return made
}

describe('tokens of the SII', () => {
  it('stay with the SII that gave them: another host set over the same database is shown none', async () => {
    const stores = [SII_HOSTS, simulatedHosts('http://127.0.0.1:7400')].map((hosts) =>
      sharedTokens({ sql: world.db.sql, vault, realm: realmOf(hosts, undefined) }),
    )
    const certification = sharedTokens({ sql: world.db.sql, vault, realm: realmOf(SII_HOSTS, 'certificacion') })
    const [real, simulated] = stores
    await real?.renew(of('env'), null, maker().make)
    expect(await real?.get(of('env'))).toMatchObject({ token: 't1' })
    expect([await simulated?.get(of('env')), await certification.get(of('env'))]).toEqual([null, null])
  })

  it('are asked for once, however many processes want one at the same moment', async () => {
    const [one, two] = processes()
    const made = maker()
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      return made.make()
    }
    const got = await Promise.all([one, two, one, two].map((tokens) => tokens.renew(of('a'), null, slow)))
    expect(got.map(({ token }) => token)).toEqual(['t1', 't1', 't1', 't1'])
    expect(await two.get(of('a'))).toMatchObject({ token: 't1' })
  })

  it('are renewed once when the SII refuses one: who comes later with the refused one gets the new one', async () => {
    const [one, two] = processes()
    const made = maker()
    await one.renew(of('b'), null, made.make)
    expect(await two.get(of('b'))).toMatchObject({ token: 't1' })
    expect(await one.renew(of('b'), 't1', made.make)).toMatchObject({ token: 't2' })
    expect(await two.renew(of('b'), 't1', made.make)).toMatchObject({ token: 't2' })
    expect(made.count).toBe(2)
  })

  it('are not served past their life, and a failure to renew leaves the way free for the next', async () => {
    const [one] = processes()
    await one.renew(of('c'), null, maker(new Date(Date.now() - 1)).make)
    expect(await one.get(of('c'))).toBeNull()
    const away = async () => {
      throw new Error('away')
    }
    await expect(one.renew(of('c'), null, away)).rejects.toThrow('away')
    expect(await one.renew(of('c'), null, maker().make)).toMatchObject({ token: 't1' })
  })

  it('that cannot be had are asked for once by all who wait for them in a process, and all hear why', async () => {
    const [one] = processes()
    let asked = 0
    const away = async () => {
      asked++
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new Error('away')
    }
    const heard = await Promise.allSettled(Array.from({ length: 5 }, () => one.renew(of('e'), null, away)))
    expect(heard.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    expect(asked).toBe(1)
  })

  it('that another is renewing are not taken for the refused one', async () => {
    const [one, two] = processes()
    const made = maker()
    await one.renew(of('f'), null, made.make)
    // The first finds what is kept, which the second has just seen refused.
    const found = two.renew(of('f'), null, made.make)
    const renewed = two.renew(of('f'), 't1', made.make)
    expect(await Promise.all([found, renewed])).toMatchObject([{ token: 't1' }, { token: 't2' }])
  })

  it('lie under the vault: the database holds none that can be read', async () => {
    const [one] = processes()
    await one.renew(of('d'), null, async () => ({ token: 'QUITE-READABLE', expires_at: inAnHour() }))
    const [row] = await world.db.sql<{ all: string }>`
      select encode(sealed, 'escape') || t::text as all from sii_token t where key like '%/d'`
    expect(row?.all).not.toContain('QUITE-READABLE')
  })
})
