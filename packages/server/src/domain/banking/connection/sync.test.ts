import { addDays, DAY_MS, santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Banked, openBanked } from '../../../../test/support/bank-connection.ts'
import { ended } from '../../../../test/support/rcv-register.ts'
import { openWorld, type Sent, type World } from '../../../../test/support/world.ts'
import { type Bank, BankFailure, type BankMovement, type BankReason, type RefreshStart } from '../../../ports/bank.ts'
import { movementsOn } from '../../../sandbox/bank/stream.ts'

/** What the provider does from now on; null: as the sandbox. */
interface Moods {
  fails: BankReason | null
  refresh: RefreshStart | null
  refreshing: boolean
  /** Runs while movements are being read. */
  meanwhile: (() => Promise<unknown>) | null
  movements: readonly BankMovement[] | null
  currency: string | null
  asked: { refresh: number; movements: number }
}

const CALM: Omit<Moods, 'asked'> = {
  fails: null,
  refresh: null,
  refreshing: false,
  meanwhile: null,
  movements: null,
  currency: null,
}
const moods: Moods = { ...CALM, asked: { refresh: 0, movements: 0 } }

const moody = (bank: Bank): Bank => ({
  ...bank,
  async refresh(question) {
    moods.asked.refresh++
    return moods.refresh ?? bank.refresh(question)
  },
  isRefreshing: async () => moods.refreshing,
  async accounts(question) {
    const accounts = await bank.accounts(question)
    return moods.currency === null ? accounts : accounts.map((one) => ({ ...one, currency: moods.currency ?? '' }))
  },
  async *movements(question) {
    moods.asked.movements++
    if (moods.fails) throw new BankFailure(moods.fails, 'as the test says')
    await moods.meanwhile?.()
    if (moods.movements === null) yield* bank.movements(question)
    else if (question.account.id.endsWith('_corriente')) yield moods.movements
  },
})

let world: World
beforeAll(async () => {
  world = await openWorld({ test_bank: moody })
})
afterAll(() => world.close())
beforeEach(() => {
  Object.assign(moods, CALM, { asked: { refresh: 0, movements: 0 } })
})

const refusal = (sent: Sent) => [sent.status, sent.body.error.code]
const syncOf = (own: Banked, id: string) => own.post(`/v1/connections/${id}/sync`)

/** Runs a job that waits for its next try. */
async function hurry(job_id: string): Promise<void> {
  await world.db.sql`update job set run_at = now(), due_at = now(), parked = false where id = ${job_id}`
  world.app.worker.wake()
}

/** As a bank in Chile dates it: in the evening it is tomorrow elsewhere. */
const TODAY = santiagoDate(new Date())

const one = (id: string, more: Partial<BankMovement> = {}): BankMovement => ({
  id,
  post_date: TODAY,
  amount: -5_000,
  currency: 'CLP',
  description: 'CAFE',
  counterparty_rut: null,
  counterparty_name: null,
  ...more,
})

async function movements(connection_id: string) {
  return world.db.sql<{ external_id: string; amount: number; removed_at: Date | null; bank_account: string }>`
    select external_id, amount, removed_at, bank_account from movement where source_id = ${connection_id} order by external_id`
}

describe('POST /connections/{connection_id}/sync', () => {
  it('202 reads the bank anew, tells what it found, and is the same job while it runs', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    moods.refresh = 'started'
    moods.refreshing = true
    const first = await syncOf(own, id)
    expect([first.status, first.body.type]).toEqual([202, 'connection_sync'])
    await expect.poll(async () => (await own.show(id)).body.status).toBe('refreshing')
    const second = await syncOf(own, id)
    expect([second.status, second.body.id]).toEqual([202, first.body.id])
    moods.refreshing = false
    await hurry(first.body.id)
    const job = await ended(world, own, first.body.id)
    expect(job.result).toEqual({ imported: 0, duplicates: expect.any(Number), changed: 0, removed: 0 })
    expect(job.result.duplicates).toBeGreaterThan(0)
    expect((await own.show(id)).body).toMatchObject({ status: 'active', failures: 0 })
    expect(moods.asked.refresh).toBe(1)
  })

  it('429 rate_limited within five minutes, with the time that is left, and no job is made', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    const done = await own.sync(id)
    const sent = await syncOf(own, id)
    expect(refusal(sent)).toEqual([429, 'rate_limited'])
    const { next_refresh_allowed_at } = (await own.show(id)).body
    expect(sent.body.error.details).toEqual({ next_refresh_allowed_at })
    const wait = Number(sent.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(300)
    const jobs = await world.db.sql<{ id: string }>`
      select id from job where name = 'connection.sync' and empresa_id = ${own.empresa_id} order by id`
    expect(jobs.at(-1)?.id).toBe(done.id)
    await own.advance('PT5M')
    expect((await syncOf(own, id)).status).toBe(202)
  })

  it('409 connection_status_conflict before a person linked the bank', async () => {
    const own = await openBanked(world)
    const { id } = (await own.connect()).body
    const sent = await syncOf(own, id)
    expect([...refusal(sent), sent.body.error.details]).toEqual([
      409,
      'connection_status_conflict',
      { status: 'pending_link' },
    ])
  })

  it('reads what there is when the provider does not refresh on demand, or was asked too soon', async () => {
    for (const answer of ['unavailable', 'too_soon'] as const) {
      const own = await openBanked(world)
      const id = await own.linked()
      moods.refresh = answer
      expect((await own.sync(id)).status).toBe('succeeded')
    }
  })

  it('reads what there is when a refresh does not end', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    moods.refresh = 'started'
    moods.refreshing = true
    const { body } = await syncOf(own, id)
    await expect.poll(async () => (await own.show(id)).body.status).toBe('refreshing')
    await world.db
      .sql`update connection set refresh_asked_at = refresh_asked_at - interval '5 minutes' where id = ${id}`
    await hurry(body.id)
    expect((await ended(world, own, body.id)).status).toBe('succeeded')
    expect((await own.show(id)).body.status).toBe('active')
  })
})

describe('what a bank tells', () => {
  it('is kept once, changes when the bank edits it, and goes when the bank takes it back', async () => {
    const own = await openBanked(world)
    moods.movements = [one('a'), one('b'), one('c')]
    const id = await own.linked()
    expect((await movements(id)).map(({ external_id }) => external_id)).toEqual(['a', 'b', 'c'])
    expect((await movements(id))[0]?.bank_account).toMatch(/^Banco de Prueba Cuenta Corriente ••••\d{4}$/)
    moods.movements = [one('a'), one('b', { amount: -6_000 }), one('d')]
    const { result } = await own.sync(id)
    expect(result).toEqual({ imported: 1, duplicates: 1, changed: 1, removed: 1 })
    const kept = await movements(id)
    expect(kept.map(({ amount, removed_at }) => [amount, removed_at !== null])).toEqual([
      [-5_000, false],
      [-6_000, false],
      [-5_000, true],
      [-5_000, false],
    ])
    const synced = await own.events('connection.synced')
    expect(synced.at(-1).data.detail).toEqual(result)
    expect(synced.at(-1).data.object).toEqual((await own.show(id)).body)
  })

  it('is looked for once more before it is believed gone: pages shift while they are read', async () => {
    const own = await openBanked(world)
    moods.movements = [one('a'), one('b')]
    const id = await own.linked()
    moods.movements = [one('a')]
    let looks = 0
    // `b` slipped between two pages of the first listing and shows in the second.
    moods.meanwhile = async () => {
      if (++looks > 1) moods.movements = [one('a'), one('b')]
    }
    expect((await own.sync(id)).result.removed).toBe(0)
    expect((await movements(id)).every(({ removed_at }) => removed_at === null)).toBe(true)
  })

  it('that is older than the window is left alone', async () => {
    const own = await openBanked(world)
    moods.movements = [one('a', { post_date: addDays(TODAY, -40) }), one('b')]
    const id = await own.linked()
    moods.movements = [one('b')]
    expect((await own.sync(id)).result).toMatchObject({ removed: 0, duplicates: 1 })
  })

  it('is no news when nothing changed', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    const before = (await own.events('connection.synced')).length
    expect((await own.sync(id)).result).toMatchObject({ imported: 0, changed: 0, removed: 0 })
    expect((await own.events('connection.synced')).length).toBe(before)
  })

  it('of an account in a currency nobody here knows is not read, and the account says so', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    moods.currency = 'XAU'
    moods.asked.movements = 0
    await own.sync(id)
    const { accounts } = (await own.show(id)).body
    expect(accounts.map(({ not_read }: { not_read: string }) => not_read)).toEqual(
      Array(2).fill('unsupported_currency'),
    )
    expect(moods.asked.movements).toBe(0)
  })

  it('after somebody deleted the connection is not kept', async () => {
    const own = await openBanked(world)
    moods.movements = []
    const id = await own.linked()
    moods.movements = [one('late')]
    moods.meanwhile = async () => {
      moods.meanwhile = null
      await own.remove(id)
    }
    const job = await own.sync(id)
    expect([job.status, job.error.code]).toEqual(['failed', 'connection_status_conflict'])
    expect(await movements(id)).toEqual([])
  })
})

describe('a bank that does not answer', () => {
  it('is tried again, each failure is counted, and one good reading forgets them', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    moods.fails = 'unreachable'
    const { body } = await syncOf(own, id)
    await expect.poll(async () => (await own.show(id)).body.failures).toBe(1)
    expect((await own.show(id)).body).toMatchObject({
      status: 'active',
      failure: { code: 'bank_unreachable' },
      next_refresh_allowed_at: null,
    })
    moods.fails = null
    await hurry(body.id)
    expect((await ended(world, own, body.id)).status).toBe('succeeded')
    expect((await own.show(id)).body).toMatchObject({ failures: 0, failure: null })
  })

  it('is given up after five tries, and may be asked for again at once', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    moods.fails = 'unreadable'
    const { body } = await syncOf(own, id)
    for (let tries = 1; tries < 5; tries++) {
      await expect.poll(async () => (await own.show(id)).body.failures).toBe(tries)
      await expect
        .poll(
          async () => (await world.db.sql<{ status: string }>`select status from job where id = ${body.id}`)[0]?.status,
        )
        .toBe('queued')
      await hurry(body.id)
    }
    const job = await ended(world, own, body.id)
    expect([job.status, job.attempts, job.error.code]).toEqual(['failed', 5, 'bank_unreadable'])
    expect((await own.show(id)).body).toMatchObject({ status: 'active', failures: 5 })
    moods.fails = null
    expect((await own.sync(id)).status).toBe('succeeded')
  })

  it('is given up at once when the provider refuses the question', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    moods.fails = 'refused'
    const job = await own.sync(id)
    expect([job.status, job.attempts, job.error.code]).toEqual(['failed', 1, 'bank_refused'])
  })
})

describe('a bank that wants the person again', () => {
  for (const [reason, code] of [
    ['rejected', 'bank_rejected'],
    ['gone', 'bank_link_gone'],
  ] as const) {
    it(`${code}: needs_reconnect, told once, left alone until somebody reconnects`, async () => {
      const own = await openBanked(world)
      const id = await own.linked()
      moods.fails = reason
      const job = await own.sync(id)
      expect([job.status, job.error.code]).toEqual(['failed', code])
      const shown = (await own.show(id)).body
      expect(shown).toMatchObject({ status: 'needs_reconnect', failure: { code } })
      const [event] = await own.events('connection.needs_reconnect')
      expect(event.data).toEqual({ object: shown, previous_attributes: expect.any(Object) })
      expect(event.data.previous_attributes).toMatchObject({ status: 'refreshing', failures: 0, failure: null })
      expect(refusal(await syncOf(own, id))).toEqual([409, 'connection_status_conflict'])
      moods.fails = null
      moods.asked.movements = 0
      await own.advance('P3D')
      expect([moods.asked.movements, (await own.show(id)).body.status]).toEqual([0, 'needs_reconnect'])
      const again = await own.post(`/v1/connections/${id}/reconnect`)
      expect([again.status, again.body.status]).toEqual([200, 'pending_link'])
      const linked = await own.exchange(id)
      expect(linked.body).toMatchObject({ status: 'active', failures: 0, failure: null })
      await own.advance('P1D')
      expect(moods.asked.movements).toBeGreaterThan(0)
    })
  }

  it('is linked anew without telling anything twice, and the provider forgets the old link', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    const before = (await movements(id)).length
    moods.fails = 'rejected'
    await own.sync(id)
    moods.fails = null
    await own.post(`/v1/connections/${id}/reconnect`)
    await own.exchange(id)
    const look = () => world.db.sql<{ link_token: string }>`
      select link_token from sandbox_bank_link where empresa_id = ${own.empresa_id}`
    await expect.poll(async () => (await look()).length).toBe(1)
    await own.sync(id)
    expect((await movements(id)).length).toBe(before)
  })
})

describe('the reading of every day', () => {
  it('goes by the clock of the account: a month ahead there is a month of movements more', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    const count = async () => (await movements(id)).length
    const syncedAt = async (): Promise<string> => (await own.show(id)).body.last_synced_at
    const [before, since] = [await count(), santiagoDate(new Date(await syncedAt()))]
    await own.advance('P1M')
    const { now } = (await world.get('/v1/test_helpers/clock', { key: own.key })).body
    const last = await syncedAt()
    expect(Date.parse(now) - Date.parse(last)).toBeLessThan(1.2 * DAY_MS)
    let counted = 0
    for (let day = addDays(since, 1); day <= santiagoDate(new Date(last)); day = addDays(day, 1)) {
      counted += movementsOn(`${own.empresa_id}|banco_prueba`, day, false).length
    }
    expect(counted).toBeGreaterThan(0)
    expect(await count()).toBe(before + counted)
    const [synced] = await world.db.sql<{ count: number }>`
      select count(*) as count from job where name = 'connection.sync' and status = 'succeeded' and empresa_id = ${own.empresa_id}`
    expect(synced?.count).toBeGreaterThanOrEqual(28)
  })

  it('ends with the connection', async () => {
    const own = await openBanked(world)
    const id = await own.linked()
    await own.remove(id)
    await own.advance('P2D')
    const left = await world.db.sql<object>`
      select 1 from job where name = 'connection.sweep' and status = 'queued' and empresa_id = ${own.empresa_id}`
    expect(left).toEqual([])
  })
})
