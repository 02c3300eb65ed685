import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FACTURA, type Issuer, openIssuer } from '../../test/support/issuer.ts'
import { until } from '../../test/support/until.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { unchangedDocuments } from '../domain/issuing/document/advance.ts'
import type { ReadRow } from './advance.ts'
import { nothing, part } from './db.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

async function made(count: number): Promise<ReadRow[]> {
  const sent = await Promise.all(Array.from({ length: count }, () => issuer.create(FACTURA)))
  const ids = sent.map(({ body }) => body.id as string)
  return world.db.sql<ReadRow>`
    select id, account_id, xmin::text as version from document where id = any(${ids}::text[]) order by id desc`
}

async function areAsRead(rows: readonly ReadRow[], unless_free = nothing): Promise<boolean | undefined> {
  const [row] = await world.db.steady.sql<{ as_read: boolean }>`
    select (${unchangedDocuments(rows, unless_free)}) as as_read`
  return row?.as_read
}

const touch = (id: string, sql = world.db.sql) => sql`update document set metadata = '{"a":"b"}' where id = ${id}`
/** Somebody waits for a lock of a transaction. */
const somebodyWaits = () =>
  until('somebody waits', async () => {
    const [found] = await world.db.sql<{ some: boolean }>`
      select exists (select from pg_stat_activity where wait_event = 'transactionid' and datname = current_database()) as some`
    return found?.some === true
  })

describe.each([1, 3])('of %i rows that were read', (count) => {
  it('all are as they were while nobody writes them, and are not once somebody did', async () => {
    const rows = await made(count)
    expect(await areAsRead(rows)).toBe(true)
    await touch(rows[count - 1]?.id ?? '')
    expect(await areAsRead(rows)).toBe(false)
  })

  it('one that another account is said to own is not as it was', async () => {
    const rows = await made(count)
    expect(await areAsRead(rows.map((row, i) => (i === 0 ? { ...row, account_id: 'acc_other' } : row)))).toBe(false)
  })

  it('one that somebody is writing is waited for, and told apart by what came of it', async () => {
    for (const commits of [true, false]) {
      const rows = await made(count)
      let asked: Promise<boolean | undefined> | undefined
      const undone = new Error('undone')
      const writing = world.db.transact(async (sql) => {
        await touch(rows[0]?.id ?? '', sql)
        asked = areAsRead(rows)
        await somebodyWaits()
        if (!commits) throw undone
      })
      await writing.catch((error: unknown) => expect(error).toBe(undone))
      expect(await asked, commits ? 'written' : 'undone').toBe(!commits)
    }
  })

  it('one that somebody holds counts as changed where nobody is to be waited for', async () => {
    const rows = await made(count)
    await world.db.transact(async (sql) => {
      await touch(rows[0]?.id ?? '', sql)
      expect(await areAsRead(rows, part`skip locked`)).toBe(false)
    })
  })
})
