import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MASTER_KEY } from '../../../test/support/master-key.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { SiiUnreachable } from '../../ports/sii.ts'
import { localVault } from '../vault/local.ts'
import { sharedSessions } from './sessions.ts'

const vault = localVault(new Map([[1, MASTER_KEY]]))
const used_at = new Date('2026-11-16T12:00:00Z')

let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
})
afterAll(() => world.close())

/** Two processes over one database. */
const processes = () =>
  [
    sharedSessions({ sql: world.db.sql, vault, realm: 'r' }),
    sharedSessions({ sql: world.db.sql, vault, realm: 'r' }),
  ] as const
const open = (id: string, value = 'x') =>
  ({ kind: 'open', id, cookies: [['NETSCAPE_LIVEWIRE.rut', value]] as never, used_at }) as const

describe('sessions of the portal', () => {
  it('are one for all processes, and a later one is not overwritten by what became of an earlier one', async () => {
    const [one, two] = processes()
    await one.put('a', open('first'))
    expect(await two.get('a')).toEqual(open('first'))
    await two.put('a', open('second'))
    await one.touch('a', open('first', 'late'))
    expect(await one.get('a')).toEqual(open('second'))
    await two.put('a', null)
    expect(await one.get('a')).toBeNull()
  })

  it('stay with the SII that opened them: another one over the same database is shown none', async () => {
    const [real] = processes()
    const simulated = sharedSessions({ sql: world.db.sql, vault, realm: 'simulator' })
    await real.put('f', open('first'))
    expect(await simulated.get('f')).toBeNull()
    await simulated.put('f', null)
    expect(await real.get('f')).toEqual(open('first'))
  })

  it('remember in every process that the SII would open no more', async () => {
    const [one, two] = processes()
    const cap = { kind: 'capped', until: new Date('2026-11-16T12:30:00Z'), glosa: 'máximo de sesiones' } as const
    await one.put('b', cap)
    expect(await two.get('b')).toEqual(cap)
  })

  it('are used by one at a time, whichever process asks, and the next goes on after a failure', async () => {
    const [one, two] = processes()
    let inside = 0
    let most = 0
    const act = async () => {
      most = Math.max(most, ++inside)
      await new Promise((resolve) => setTimeout(resolve, 20))
      inside--
    }
    await Promise.all([one, two, one, two].map((sessions) => sessions.alone('c', act)))
    expect(most).toBe(1)
    const failing = async () => {
      throw new Error('lost')
    }
    await expect(one.alone('c', failing)).rejects.toThrow('lost')
    await two.alone('c', act)
  })

  it('stay with whoever uses one, however long: its lease is renewed meanwhile', async () => {
    const sessions = sharedSessions({ sql: world.db.sql, vault, realm: 'r', lease_ms: 200 })
    const leasedUntil = async () => {
      const [row] = await world.db.sql<{ until: Date }>`select leased_until as until from sii_session where key = 'r/e'`
      return row?.until.getTime() ?? 0
    }
    await sessions.alone('e', async () => {
      const first = await leasedUntil()
      // Past the end of the lease that it began with.
      await expect.poll(leasedUntil).toBeGreaterThan(first + 200)
    })
  })

  it('are not waited for without an end: whoever stands behind others too long hears that the SII is out of reach', async () => {
    const [one] = processes()
    const hurried = sharedSessions({ sql: world.db.sql, vault, realm: 'r', wait_ms: 0 })
    await one.alone('g', async () => {
      const never = vi.fn(async () => undefined)
      await expect(hurried.alone('g', never)).rejects.toThrow(SiiUnreachable)
      expect(never).not.toHaveBeenCalled()
    })
    await expect(hurried.alone('g', async () => 'next')).resolves.toBe('next')
  })

  it('lie under the vault, and one that cannot be read is none', async () => {
    const [one] = processes()
    await one.put('d', open('id', 'QUITE-READABLE'))
    const [row] = await world.db.sql<{ all: string }>`
      select encode(sealed, 'escape') || s::text as all from sii_session s where key = 'r/d'`
    expect(row?.all).not.toContain('QUITE-READABLE')
    const sealed = Buffer.from(vault.seal('sii_session:r/d', Buffer.from('{"half')))
    await world.db.sql`update sii_session set sealed = ${sealed} where key = 'r/d'`
    expect(await one.get('d')).toBeNull()
  })
})
