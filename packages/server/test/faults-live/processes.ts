import { expect, it, onTestFinished } from 'vitest'
import type { Sql } from '../../src/kernel/db.ts'
import { issue, ROADS, type Scene, startAccount, statuses } from './scene.ts'

const HOUR = 3_600

const MOMENTS = ['before the bytes leave', 'once the SII has them', 'once it is noted that it has them'] as const
type Moment = (typeof MOMENTS)[number]

/** The statements after or before which a worker dies; the last moment is when the adapter has done its part. */
const STATEMENTS: Readonly<Partial<Record<Moment, string>>> = {
  'before the bytes leave': 'insert into sii_upload',
  'once the SII has them': 'update sii_upload set track_id',
}

/** A process that stops for good at a moment, as one that is killed there. */
async function openDying({ live }: Scene) {
  let moment: Moment | null = null
  let reached = () => {}
  let bury = (_: Error) => {}
  const grave = new Promise<never>((_, reject) => {
    bury = reject
  })
  grave.catch(() => undefined)
  const die = (): Promise<never> => {
    moment = null
    reached()
    return grave
  }
  const diesAt = (text: string): boolean => {
    const mark = moment && STATEMENTS[moment]
    return Boolean(mark && text.includes(mark))
  }
  const dying =
    (sql: Sql): Sql =>
    async (strings, ...values) => {
      const kept = moment === 'before the bytes leave'
      if (!diesAt(strings.join(' '))) return sql(strings, ...values)
      if (kept) await sql(strings, ...values)
      return die()
    }
  const process = await live.beside({
    database: (db) => ({ ...db, sql: dying(db.sql), steady: { ...db.steady, sql: dying(db.steady.sql) } }),
    sii: (sii) => ({
      ...sii,
      async submit(submission) {
        const received = await sii.submit(submission)
        return moment === 'once it is noted that it has them' ? die() : received
      },
    }),
  })
  return {
    /** False where it was done before that. */
    async runUntil(at: Moment): Promise<boolean> {
      const dead = new Promise<boolean>((resolve) => {
        reached = () => resolve(true)
      })
      moment = at
      const died = await Promise.race([dead, process.run().then(() => false)])
      moment = null
      // Nobody renews its lease any more.
      await live.world.db.sql`update job set worker = 'gone' where status = 'running'`
      return died
    },
    async close(): Promise<void> {
      bury(new Error('the process is gone'))
      await process.close()
    },
  }
}

/** Processes that die or come two at a time, on either side of the wire. */
export function processes(scene: () => Scene): void {
  it.each(ROADS)('$road: a worker killed while it sends is taken over, and nothing goes twice', async (road) => {
    const { live } = scene()
    const dying = await openDying(scene())
    onTestFinished(() => dying.close())
    for (const moment of MOMENTS) {
      const account = await startAccount(scene())
      const ids = await issue(scene(), road.body, 2)
      expect([moment, await dying.runUntil(moment)]).toEqual([moment, true])
      await live.advance(HOUR)
      await account.allAccepted(ids)
    }
  })

  it('what went in one envelope is known to have gone together, whenever the job of each comes to it', async () => {
    const { live } = scene()
    const dying = await openDying(scene())
    onTestFinished(() => dying.close())
    for (const road of ROADS) {
      const account = await startAccount(scene())
      const ids = await issue(scene(), road.body, 2)
      expect(await dying.runUntil('once the SII has them')).toBe(true)
      // A document whose runs keep dying is taken up apart, and later.
      const later = new Date(live.now().getTime() + 2 * HOUR * 1000)
      await live.world.db.sql`
        update job set status = 'queued', run_at = ${later}, due_at = ${later}, parked = true, lease_until = null
        where name = 'document.emit' and payload ->> 'document_id' = ${ids[0] ?? ''}`
      await live.advance(3 * HOUR)
      await account.allAccepted(ids)
    }
  })

  it('two workers over one empresa send each document once, under folios of its own', async () => {
    const { live, empresa } = scene()
    const other = await live.beside()
    onTestFinished(() => other.close())
    const account = await startAccount(scene())
    const ids: string[] = []
    for (const { body } of ROADS) ids.push(...(await issue(scene(), body, 4)))
    await Promise.all([live.run(), other.run()])
    await live.advance(15)
    await Promise.all([other.run(), live.run()])
    await live.advance(HOUR)
    const files = (await account.uploads()).length
    await account.allAccepted(ids, files)
    const folios = await Promise.all(ids.map(async (id) => (await empresa.document(id)).folio))
    expect(new Set(folios.slice(0, 4)).size + new Set(folios.slice(4)).size).toBe(8)
  })

  it('an SII that dies before it took a file, or before its verdict, goes on where it was', async () => {
    const { live } = scene()
    const account = await startAccount(scene())
    await live.simulator.kill()
    const ids: string[] = []
    for (const { body } of ROADS) ids.push(...(await issue(scene(), body)))
    await live.run()
    expect(await statuses(scene(), ids)).toEqual(['queued', 'queued'])
    await live.simulator.restart()
    await live.advance(5)
    expect(await statuses(scene(), ids)).toEqual(['sent', 'sent'])
    await live.simulator.restart()
    await live.advance(HOUR)
    await account.allAccepted(ids, 2)
  })
}
