import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyEmpresa } from '../../../../test/support/insert-empresa.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { EventType } from '../../../catalog/events.ts'
import { REAL_TIME, systemNow } from '../../../kernel/clock.ts'
import { idFloor } from '../../../kernel/id.ts'
import { UnitOfWork } from '../../../kernel/unit-of-work.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface Options {
  readonly type?: EventType
  readonly mode?: 'test' | 'live'
  readonly empresa?: { id: string; rut: string }
  /** Kept open this long before it commits. */
  readonly until?: Promise<unknown>
}

async function record(account_id: string, n: number | string, options: Options = {}): Promise<void> {
  const { type = 'ping', mode = 'test', empresa = null, until } = options
  const unit = new UnitOfWork({ account_id, mode, empresa_id: null, clock: REAL_TIME })
  unit.emit({ type, object: { n }, empresa })
  await world.db.transact(async (sql) => {
    await unit.flush(sql)
    await until
  })
}

async function reader(options: { empresas?: string[] } = {}) {
  const account = await world.account()
  const key = await world.key(account, { scopes: ['webhooks:read'], ...options })
  const list = (query: Record<string, string> = {}) => world.get(`/v1/events?${new URLSearchParams(query)}`, { key })
  return { account, key, list }
}

const numbers = (body: { data: { data: { object: { n: number } } }[] }) => body.data.map(({ data }) => data.object.n)

/** Forward reading may lag behind transactions of other tests; it must never be wrong. */
const settled = (read: () => Promise<unknown>, wanted: unknown) => expect.poll(read).toEqual(wanted)

describe('GET /v1/events', () => {
  it('200 reads newest first, page by page, without gap or repetition', async () => {
    const { account, list } = await reader()
    for (let n = 1; n <= 7; n++) await record(account, n)
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const { body } = await list({ limit: '3', ...(cursor && { cursor }) })
      seen.push(...numbers(body))
      expect(body.has_more).toBe(body.next_cursor !== null)
      cursor = body.next_cursor
      await record(account, 100) // what arrives meanwhile does not move the pages
    } while (cursor)
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  it('200 reads forward from an event, oldest first, strictly newer', async () => {
    const { account, list } = await reader()
    for (let n = 1; n <= 5; n++) await record(account, n)
    const second = (await list()).body.data[3].id
    await settled(async () => numbers((await list({ after: second })).body), [3, 4, 5])
    const { body } = await list({ after: second, limit: '2' })
    expect([numbers(body), body.has_more]).toEqual([[3, 4], true])
    expect(numbers((await list({ after: body.next_cursor })).body)).toEqual([5])
  })

  it('200 keeps events of one transaction in the order they were told', async () => {
    const { account, list } = await reader()
    const unit = new UnitOfWork({ account_id: account, mode: 'test', empresa_id: null, clock: REAL_TIME })
    for (let n = 1; n <= 20; n++) unit.emit({ type: 'ping', object: { n } })
    await world.db.transact((sql) => unit.flush(sql))
    expect(numbers((await list()).body)).toEqual(Array.from({ length: 20 }, (_, i) => 20 - i))
  })

  it('200 never steps over a transaction that commits late', async () => {
    const { account, list } = await reader()
    await record(account, 0)
    const start = (await list()).body.data[0].id
    let commit = () => {}
    const held = new Promise<void>((resolve) => {
      commit = resolve
    })
    const late = record(account, 1, { until: held })
    await sleep(50)
    await record(account, 2)
    // The later number is committed and the earlier is not: a reader that took it now could never come back for the other.
    for (let i = 0; i < 3; i++) expect(numbers((await list({ after: start })).body)).toEqual([])
    expect(numbers((await list()).body)).toEqual([2, 0])
    commit()
    await late
    await settled(async () => numbers((await list({ after: start })).body), [1, 2])
  })

  it('200 gives every event exactly once to the polling loop while many write', async () => {
    const { account, list } = await reader()
    await record(account, 0)
    let after: string = (await list()).body.data[0].id
    const seen: number[] = []
    let writing = true
    const loop = async () => {
      for (let idle = 0; writing || idle < 3; ) {
        const { body } = await list({ after, limit: '7' })
        seen.push(...numbers(body))
        after = body.next_cursor ?? body.data.at(-1)?.id ?? after
        idle = body.data.length === 0 && !writing ? idle + 1 : 0
        if (body.data.length === 0) await sleep(20)
      }
    }
    const reading = loop()
    const writers = Array.from({ length: 8 }, async (_, w) => {
      for (let i = 0; i < 10; i++) await record(account, 1 + w * 10 + i, { until: sleep(Math.random() * 15) })
    })
    await Promise.all(writers)
    await settled(async () => {
      const [row] = await world.db.sql<{ behind: boolean }>`
        select coalesce(max(position), 0) >= ledger_horizon() as behind from event where account_id = ${account}`
      return row?.behind
    }, false)
    writing = false
    await reading
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, i) => i + 1))
  })

  it('200 filters by type, by empresa and by time, both ends inclusive', async () => {
    const { account, list } = await reader()
    const empresa = await emptyEmpresa(world, account)
    // An instant has milliseconds: no two of these are of the same one.
    await record(account, 1)
    await sleep(5)
    await record(account, 2, { type: 'empresa.updated', empresa })
    await sleep(5)
    await record(account, 3, { type: 'empresa.created', empresa })
    const at = (await list()).body.data[1].created_at
    expect(numbers((await list({ type: 'empresa.updated' })).body)).toEqual([2])
    expect(numbers((await list({ empresa_rut: empresa.rut })).body)).toEqual([3, 2])
    expect(numbers((await list({ 'created_at[gte]': at })).body)).toEqual([3, 2])
    expect(numbers((await list({ 'created_at[lte]': at })).body)).toEqual([2, 1])
    expect(numbers((await list({ 'created_at[gte]': at, 'created_at[lte]': at })).body)).toEqual([2])
  })

  it.each(['0000-01-01T00:00:00Z', '2026-06-30T23:59:60Z', '2026-02-30T00:00:00Z'])(
    '400 invalid_field for an instant no calendar has: %s',
    async (at) => {
      const { list } = await reader()
      expect((await list({ 'created_at[gte]': at })).body.error.param).toBe('created_at[gte]')
    },
  )
})

describe('a cursor of the ledger', () => {
  it('400 invalid_cursor on another list, under other filters, in the other direction, of another account, or garbled', async () => {
    const { account, list } = await reader()
    for (let n = 0; n < 4; n++) await record(account, n)
    const { next_cursor } = (await list({ limit: '2' })).body
    const oldest = (await list()).body.data[3].id
    await settled(async () => (await list({ after: oldest, limit: '1' })).body.data.length, 1)
    const forward = (await list({ after: oldest, limit: '1' })).body.next_cursor
    const stranger = await reader()
    const foreign = (await stranger.list()).body.data[0]?.id ?? (await list()).body.data[0].id
    const refused = [
      await list({ cursor: next_cursor, type: 'ping' }),
      await list({ cursor: forward }),
      await list({ after: next_cursor }),
      await list({ cursor: `${next_cursor}x` }),
      await list({ cursor: 'cur_' }),
      await list({ after: 'cur_nonsense' }),
      await list({ after: idFloor('event', new Date(systemNow())) }),
      await stranger.list({ after: foreign }),
      await stranger.list({ cursor: next_cursor }),
      await stranger.list({ after: forward }),
    ]
    for (const { status, body } of refused) expect([status, body.error?.code]).toEqual([400, 'invalid_cursor'])
    expect(refused[2]?.body.error.param).toBe('after')
  })

  it('400 conflicting_cursors when both directions are asked for', async () => {
    const { account, list } = await reader()
    await record(account, 1)
    const { id } = (await list()).body.data[0]
    const sent = await list({ after: id, cursor: 'cur_x' })
    expect([sent.status, sent.body.error.code]).toEqual([400, 'conflicting_cursors'])
  })
})

describe('what the ledger shows to whom', () => {
  it('nothing of another account or of the other mode', async () => {
    const [mine, other] = [await reader(), await reader()]
    await record(mine.account, 1)
    await record(mine.account, 2, { mode: 'live' })
    const { id } = (await mine.list()).body.data[0]
    expect(numbers((await mine.list()).body)).toEqual([1])
    expect((await other.list()).body.data).toEqual([])
    const sent = await world.get(`/v1/events/${id}`, { key: other.key })
    expect([sent.status, sent.body.error.code]).toEqual([404, 'event_not_found'])
    expect((await world.get(`/v1/events/${id}`, { key: mine.key })).body.data.object).toEqual({ n: 1 })
  })

  it('nothing of an empresa outside the allowlist of the key, nor of the account around it', async () => {
    const { account } = await reader()
    const [one, two] = [await emptyEmpresa(world, account), await emptyEmpresa(world, account)]
    await record(account, 'account')
    await record(account, 'one', { empresa: one })
    await record(account, 'two', { empresa: two })
    const key = await world.key(account, { scopes: ['webhooks:read'], empresas: [one.rut] })
    expect(numbers((await world.get('/v1/events', { key })).body)).toEqual(['one'])
  })

  it('nothing older than twelve months, and everything younger', async () => {
    const { account, key, list } = await reader()
    const months = (n: number) => {
      const at = new Date(systemNow())
      at.setUTCMonth(at.getUTCMonth() - n)
      return at
    }
    await world.db
      .sql`create table event_past partition of event for values from (minvalue) to ('evt_0000000001')`.catch(
      () => undefined,
    )
    const young = new Date(months(12).getTime() + 2 * 86_400_000)
    const old = new Date(months(12).getTime() - 2 * 86_400_000)
    const client = await world.db.connect()
    // Partitions were cut when the run began, which may have been last month.
    const began = new Date(systemNow() - 86_400_000)
    const edge = idFloor('event', new Date(Date.UTC(began.getUTCFullYear(), began.getUTCMonth(), 1)))
    await client.query(
      `create table if not exists event_last_year partition of event for values from ('evt_0000000001') to ('${edge}')`,
    )
    for (const [n, at] of [
      [1, old],
      [2, young],
    ] as const) {
      await client.query(
        `insert into event (id, account_id, mode, type, created_at, data) values ($1, $2, 'test', 'ping', $3, $4)`,
        [idFloor('event', at), account, at, JSON.stringify({ object: { n } })],
      )
    }
    await client.end()
    expect(numbers((await list()).body)).toEqual([2])
    expect((await world.get(`/v1/events/${idFloor('event', old)}`, { key })).status).toBe(404)
    expect((await world.get(`/v1/events/${idFloor('event', young)}`, { key })).status).toBe(200)
  })
})

describe('the ledger', () => {
  it('takes no change and no deletion', async () => {
    const { account } = await reader()
    await record(account, 1)
    await expect(world.db.sql`update event set type = 'x' where account_id = ${account}`).rejects.toThrow('append only')
    await expect(world.db.sql`delete from event where account_id = ${account}`).rejects.toThrow('append only')
  })
})
