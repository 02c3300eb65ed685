import { expect, it } from 'vitest'
import type { Connections, Database, Sql } from '../../src/kernel/db.ts'
import type { LiveWorld } from '../support/live-world.ts'
import { issue, ROADS, type Scene, startAccount, statuses } from './scene.ts'

const HOUR = 3_600

/** A dead process may hold a token or a session of the portal: others wait for it no longer than this. */
const LEASES_MS = 301_000

/** A hundred processes one after the other. */
const PATIENCE_MS = 900_000

/** A fresh process that dies before its statement `nth`: nothing of it reaches the database from then on. */
async function openDoomed(live: LiveWorld, nth: number) {
  let left = Number.POSITIVE_INFINITY
  let dead = false
  let die = () => {}
  const death = new Promise<true>((resolve) => {
    die = () => resolve(true)
  })
  let bury = (_: Error) => {}
  const grave = new Promise<never>((_, reject) => {
    bury = reject
  })
  grave.catch(() => undefined)
  const live_on = () => {
    if (!dead && left-- > 0) return true
    dead = true
    die()
    return false
  }
  const doomed =
    (sql: Sql): Sql =>
    async (strings, ...values) =>
      live_on() ? sql(strings, ...values) : grave
  // PostgreSQL undoes the transaction of a client that is gone.
  const doomedInside =
    (sql: Sql): Sql =>
    async (strings, ...values) => {
      if (live_on()) return sql(strings, ...values)
      throw new Error('the process is gone')
    }
  const over = (connections: Connections): Connections => ({
    sql: doomed(connections.sql),
    sqlOf: (holder) => doomed(connections.sqlOf(holder)),
    transact: async (work, questions) =>
      live_on()
        ? connections.transact((sql, client, answer) => work(doomedInside(sql), client, answer), questions)
        : grave,
  })
  const database = (db: Database): Database => ({ ...db, ...over(db), steady: over(db.steady) })
  const process = await live.beside({ database })
  // One that dies while it starts has taken nothing on.
  left = nth
  return {
    /** Works until nothing is due; true where it died on the way. */
    async run(): Promise<boolean> {
      await Promise.race([death, process.run().catch(() => undefined)])
      return dead
    },
    async close(): Promise<void> {
      dead = true
      bury(new Error('the process is gone'))
      await process.close()
      // Nobody renews its leases any more.
      await live.world.db.sql`update job set worker = 'gone' where status = 'running'`
    },
  }
}

/** Runs `work` in processes that die before their first statement, before their second, and so on to the last. */
async function killedBeforeEach(
  live: LiveWorld,
  begin: () => Promise<{
    /** Whether there is nothing more to do. */
    readonly isOver: () => Promise<boolean>
    readonly check: (nth: number) => Promise<void>
  }>,
): Promise<number> {
  for (let nth = 0; ; nth++) {
    const { isOver, check } = await begin()
    const doomed = await openDoomed(live, nth)
    let died = false
    for (let turns = 0; turns < 20 && !died; turns++) {
      died = await doomed.run()
      if (died || (await isOver())) break
      await live.setTime(new Date(live.now().getTime() + 10_000))
    }
    await doomed.close()
    await live.setTime(new Date(live.now().getTime() + LEASES_MS))
    await live.advance(HOUR)
    await check(nth)
    if (!died) return nth
  }
}

/** A worker that is killed before any of the statements it makes. */
export function kills(scene: () => Scene): void {
  it.each(ROADS)(
    '$road: killed before any statement from POST to accepted, each arrives once',
    { timeout: PATIENCE_MS },
    async (road) => {
      const { live } = scene()
      const statements = await killedBeforeEach(live, async () => {
        const account = await startAccount(scene())
        const ids = await issue(scene(), road.body)
        return {
          isOver: async () => (await statuses(scene(), ids)).every((status) => status === 'accepted'),
          check: async (nth) => {
            const files = (await account.uploads()).length
            expect([nth, files]).toEqual([nth, 1])
            await account.allAccepted(ids)
          },
        }
      })
      expect(statements).toBeGreaterThan(20)
    },
  )

  it('folios: killed before any statement of a request, no range stays at the SII unused', {
    timeout: PATIENCE_MS,
  }, async () => {
    const { live, empresa } = scene()
    const ranges = async () => (await empresa.get('/folios?tipo_dte=34')).body.data[0].ranges
    const statements = await killedBeforeEach(live, async () => {
      const before = (await ranges()).length
      const asked = await empresa.post('/folios/requests', { tipo_dte: 34, quantity: 1 })
      const ended = async () => (await empresa.job(asked.body.id)).status === 'succeeded'
      return {
        isOver: ended,
        check: async (nth) => {
          expect([nth, await ended()]).toEqual([nth, true])
          const held: { from: number; to: number }[] = await ranges()
          // The SII counts on from what it gave: a range of which we know nothing would leave a gap.
          expect([nth, held.length]).toEqual([nth, before + 1])
          expect([nth, held.map(({ from }) => from)]).toEqual([nth, held.map((_, i) => i + 1)])
        },
      }
    })
    expect(statements).toBeGreaterThan(5)
  })
}
