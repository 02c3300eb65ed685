import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'
import { openDatabase } from '../../kernel/db.ts'
import { sharedTurns } from './turns.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
})
afterAll(() => world.close())

const freeAt = async (service: string) => {
  const [row] = await world.db.sql<{ free_at: Date }>`select free_at from sii_turn where service = ${service}`
  return row?.free_at.getTime() ?? 0
}

describe('turns at the portal of the SII', () => {
  it('are one after the other for all processes, each with its own pool', async () => {
    const pools = [1, 2].map(() => openDatabase(world.url, { pool_size: 4, onError: () => undefined }))
    try {
      // So far ahead that no second that passes meanwhile counts.
      const start = Date.parse('2100-01-01T00:00:00Z')
      await world.db.sql`insert into sii_turn (service, free_at) values ('portal', ${new Date(start)})`
      const turns = pools.map(({ sql }) => sharedTurns({ sql }))
      const taken = await Promise.all(
        Array.from({ length: 4 }, () => turns.map((one) => one.take('portal', 1_000))).flat(),
      )
      expect(await freeAt('portal')).toBe(start + taken.length * 1_000)
      expect(Math.min(...taken)).toBeGreaterThan(0)
    } finally {
      await Promise.all(pools.map((pool) => pool.end()))
    }
  })

  it('are at once where nobody asked for a while, and of one service alone', async () => {
    const turns = sharedTurns({ sql: world.db.sql })
    expect(await turns.take('mipyme', 1_000)).toBe(0)
    await world.db.sql`update sii_turn set free_at = now() - interval '1 hour' where service = 'mipyme'`
    expect(await turns.take('mipyme', 3_600_000)).toBe(0)
    expect(await turns.take('mipyme', 3_600_000)).toBeGreaterThan(0)
  })
})
