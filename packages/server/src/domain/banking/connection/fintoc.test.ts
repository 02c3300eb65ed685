import { randomUUID } from 'node:crypto'
import { addDays, santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Banked, connectRoutes, openBanked } from '../../../../test/support/bank-connection.ts'
import { ended } from '../../../../test/support/rcv-register.ts'
import {
  FINTOC_KEY,
  FINTOC_WEBHOOK_SECRET,
  openStandInFintoc,
  provided,
  provideLink,
  type StandIn,
  signNotice,
} from '../../../../test/support/stand-in-fintoc.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { fintocBank } from '../../../adapters/fintoc/bank.ts'
import { bankNoticeRoutes } from '../../../http/bank-notices.ts'

let standIn: StandIn
let world: World
beforeAll(async () => {
  standIn = await openStandInFintoc()
  const settings = {
    url: standIn.url,
    secret_key: FINTOC_KEY,
    public_key: 'pk_x',
    webhook_secret: FINTOC_WEBHOOK_SECRET,
  }
  const live_bank = fintocBank({ ...settings, version: null }, { wait: async () => undefined })
  world = await openWorld({
    live_bank,
    plain: (db, parts) => [...connectRoutes(db, parts), ...bankNoticeRoutes({ sql: db.sql, ...parts })],
  })
})
afterAll(async () => {
  await world.close()
  await standIn.close()
})

/** As a bank in Chile dates it: in the evening it is tomorrow elsewhere. */
const daysAgo = (days: number) => addDays(santiagoDate(new Date()), -days)

interface Live {
  readonly own: Banked
  readonly id: string
  readonly link: ReturnType<typeof provideLink>
  readonly kept: () => Promise<{ external_id: string; amount: number; removed_at: Date | null }[]>
}

/** A live empresa whose bank the stand-in provides, linked and read once. */
async function openLive(...movements: ReturnType<typeof provided>[]): Promise<Live> {
  const link = provideLink(standIn, randomUUID().slice(0, 8))
  // The stand-in shows every account to every link; each test looks at its own.
  standIn.accounts.splice(0, standIn.accounts.length - 1)
  standIn.movements.set(link.account, movements)
  const own = await openBanked(world, { mode: 'live' })
  const { body } = await own.connect()
  expect((await own.exchange(body.id, link.exchange_token)).status).toBe(200)
  await expect.poll(async () => (await own.show(body.id)).body.last_synced_at).not.toBeNull()
  const kept = () =>
    world.db.sql<{ external_id: string; amount: number; removed_at: Date | null }>`
      select external_id, amount, removed_at from movement where source_id = ${body.id} order by external_id`
  return { own, id: body.id, link, kept }
}

async function notify(type: string, data: object, more: { signature?: string; body?: string } = {}) {
  const event = {
    id: `evt_${randomUUID().slice(0, 8)}`,
    object: 'event',
    type,
    created_at: new Date().toISOString(),
    data,
  }
  const raw = more.body ?? JSON.stringify(event)
  const signature = more.signature ?? signNotice(raw)
  return world.post('/webhooks/fintoc', { raw, headers: { 'fintoc-signature': signature } })
}

/** Has a job that waits taken up now, unless somebody has by himself. */
async function again(job_id: string): Promise<void> {
  const status = async () =>
    (await world.db.sql<{ status: string }>`select status from job where id = ${job_id}`)[0]?.status
  await expect.poll(status).not.toBe('running')
  await world.db.sql`update job set run_at = now(), parked = false where id = ${job_id} and status = 'queued'`
  world.app.worker.wake()
}

const heeded = () =>
  expect.poll(async () => world.db.sql<object>`select 1 from job where name = 'connection.heed'`).toEqual([])

describe('a bank in live mode', () => {
  it('is linked, read from the provider, and forgotten there', async () => {
    const { own, id, link, kept } = await openLive(provided('mov_a', daysAgo(3)), provided('mov_b', daysAgo(80)))
    const shown = (await own.show(id)).body
    expect(shown).toMatchObject({
      provider: 'fintoc',
      status: 'active',
      institution: { id: 'cl_banco_estado', name: 'Banco Estado' },
      holder_rut: '41614850-3',
      accounts: [{ id: link.account, number: '••••6286', last_post_date: daysAgo(3), not_read: null }],
    })
    expect((await kept()).map(({ external_id }) => external_id)).toEqual(['mov_a', 'mov_b'])
    expect((await own.remove(id)).status).toBe(204)
    await expect.poll(() => standIn.links.has(link.link_token)).toBe(false)
  })

  it('is read once the provider has read it for the first time: before that it knows no accounts', async () => {
    const link = provideLink(standIn, randomUUID().slice(0, 8))
    const accounts = standIn.accounts.splice(0).slice(-1)
    const told = standIn.links.get(link.link_token)
    standIn.links.set(link.link_token, { ...told, refresh_status: 'refreshing' })
    standIn.movements.set(link.account, [provided('mov_a', daysAgo(1))])
    const own = await openBanked(world, { mode: 'live' })
    const { id } = (await own.connect()).body
    expect((await own.exchange(id, link.exchange_token)).body).toMatchObject({ status: 'active', accounts: [] })
    const looked = () => standIn.asked.some(({ path }) => path === `/v1/links/${link.link_token}`)
    await expect.poll(looked).toBe(true)
    expect((await own.show(id)).body.last_synced_at).toBeNull()
    standIn.accounts.push(...accounts)
    standIn.links.set(link.link_token, { ...told, refresh_status: 'succeeded' })
    const read = async () => (await own.show(id)).body.accounts[0]?.last_post_date
    await expect.poll(read).toBe(daysAgo(1))
  })

  it('is linked anew under other ids without anything counting twice', async () => {
    const days = [2, 5, 60]
    const named = (prefix: string) => days.map((day) => provided(`${prefix}_${day}`, daysAgo(day)))
    const { own, id, link, kept } = await openLive(...named('mov'))
    await notify('link.credentials_changed', { id: link.link_id })
    await heeded()
    const other = provideLink(standIn, randomUUID().slice(0, 8))
    standIn.accounts.splice(0, standIn.accounts.length - 1)
    standIn.movements.set(other.account, named('nov'))
    const { body } = await own.post(`/v1/connections/${id}/reconnect`)
    expect(body.status).toBe('pending_link')
    const before = (await own.show(id)).body.last_synced_at
    expect((await own.exchange(id, other.exchange_token)).body.accounts[0].last_post_date).toBe(daysAgo(2))
    await expect.poll(async () => (await own.show(id)).body.last_synced_at).not.toBe(before)
    const living = (await kept()).filter(({ removed_at }) => removed_at === null)
    expect(living.map(({ external_id }) => external_id)).toEqual(['mov_60', 'nov_2', 'nov_5'])
    await expect.poll(() => standIn.links.has(link.link_token)).toBe(false)
  })

  it('is refreshed on demand, waited for, and read again', async () => {
    const { own, id, link, kept } = await openLive()
    standIn.refresh = { status: 'created' }
    standIn.links.set(link.link_token, { ...standIn.links.get(link.link_token), refresh_status: 'refreshing' })
    const asked = await own.post(`/v1/connections/${id}/sync`)
    await expect.poll(async () => (await own.show(id)).body.status).toBe('refreshing')
    standIn.movements.get(link.account)?.push(provided('mov_new', daysAgo(0)))
    standIn.links.set(link.link_token, { ...standIn.links.get(link.link_token), refresh_status: 'succeeded' })
    const job = await ended(world, own, asked.body.id)
    expect(job.result).toEqual({ imported: 1, duplicates: 0, changed: 0, removed: 0 })
    expect((await kept()).length).toBe(1)
    expect(standIn.asked.some(({ path }) => path === `/v1/links/${link.link_token}`)).toBe(true)
  })

  it('tells the token of its link in no answer and no line of the log, whatever goes wrong', async () => {
    const { own, id, link } = await openLive()
    for (let i = 0; i < 6; i++) standIn.troubles.push({ status: 500, body: { link_token: link.link_token } })
    await own.post(`/v1/connections/${id}/sync`)
    await expect.poll(async () => (await own.show(id)).body.failures).toBe(1)
    const texts = [(await own.show(id)).text, JSON.stringify(await own.events()), ...world.log_lines]
    for (const secret of [link.link_token, FINTOC_KEY])
      expect(texts.filter((text) => text.includes(secret))).toEqual([])
  })

  it('keeps what it read when it is cut off in the middle, and goes on without telling anything twice', async () => {
    const many = Array.from({ length: 700 }, (_, i) => provided(`mov_${String(i).padStart(4, '0')}`, daysAgo(2)))
    const { own, id, link, kept } = await openLive()
    standIn.movements.set(link.account, many)
    standIn.refresh = { status: 'succeeded' }
    standIn.trouble_at = ({ query }) => (query.page === '2' ? 'cut' : undefined)
    const { body } = await own.post(`/v1/connections/${id}/sync`)
    await expect.poll(async () => (await own.show(id)).body.failures).toBe(1)
    expect((await kept()).length).toBe(300)
    standIn.trouble_at = () => undefined
    const told = (await own.events('connection.synced')).length
    await again(body.id)
    expect((await ended(world, own, body.id)).result).toEqual({
      imported: 400,
      duplicates: 300,
      changed: 0,
      removed: 0,
    })
    expect((await own.events('connection.synced')).length).toBe(told + 1)
    expect((await kept()).length).toBe(700)
    // The worker dies after the provider answered and before its end was written: the same job once more.
    await world.db.sql`update job set status = 'queued', finished_at = null where id = ${body.id}`
    await again(body.id)
    await expect
      .poll(
        async () =>
          (
            await world.db.sql<{ attempts: number; status: string }>`
        select attempts, status from job where id = ${body.id}`
          )[0],
      )
      .toEqual({ attempts: 3, status: 'succeeded' })
    expect((await kept()).length).toBe(700)
    expect((await own.show(id)).body.status).toBe('active')
  })

  it('exchanges again after a crash between the answer of the provider and the commit', async () => {
    const link = provideLink(standIn, randomUUID().slice(0, 8))
    standIn.accounts.splice(0, standIn.accounts.length - 1)
    const own = await openBanked(world, { mode: 'live' })
    const { id } = (await own.connect()).body
    await world.db.sql`create or replace function refuse_link() returns trigger language plpgsql as
      $$ begin raise exception 'cut off'; end $$`
    await world.db.sql`create trigger crash before update on connection for each row execute function refuse_link()`
    const crashed = await own.exchange(id, link.exchange_token)
    await world.db.sql`drop trigger crash on connection`
    expect([crashed.status, (await own.show(id)).body.status]).toEqual([500, 'pending_link'])
    expect((await own.exchange(id, link.exchange_token)).body.status).toBe('active')
    expect((await own.events('connection.active')).length).toBe(1)
  })
})

describe('POST /webhooks/fintoc', () => {
  it('200 reads the account again from ten days before the last that is known, and only that account', async () => {
    const { link, kept } = await openLive(provided('mov_a', daysAgo(2)))
    standIn.movements.get(link.account)?.push(provided('mov_b', daysAgo(1)), provided('mov_c', daysAgo(11)))
    standIn.asked.length = 0
    const about = { refreshed_object: 'account', refreshed_object_id: link.account, new_movements: 1 }
    const sent = await notify('account.refresh_intent.succeeded', about)
    expect([sent.status, sent.body]).toEqual([200, { received: true }])
    await heeded()
    expect((await kept()).map(({ external_id }) => external_id)).toEqual(['mov_a', 'mov_b', 'mov_c'])
    const [asked] = standIn.asked
    expect([asked?.path, asked?.query.since]).toEqual([`/v1/accounts/${link.account}/movements`, daysAgo(12)])
  })

  it('200 changes what the bank edited, however long ago it was', async () => {
    const { link, kept } = await openLive(provided('mov_a', daysAgo(60)), provided('mov_b', daysAgo(1)))
    const edited = provided('mov_a', daysAgo(60), { amount: -1 })
    standIn.movements.set(link.account, [edited, provided('mov_b', daysAgo(1))])
    await notify('account.refresh_intent.movements_modified', { account_id: link.account, movements_changed: [edited] })
    await heeded()
    expect((await kept()).map(({ amount }) => amount)).toEqual([-1, -59_400])
  })

  it('200 removes what the bank took back, tells so, and the same notice twice does no harm', async () => {
    const { own, id, link, kept } = await openLive(provided('mov_a', daysAgo(40)), provided('mov_b', daysAgo(1)))
    const data = { account_id: link.account, movements_removed: [{ id: 'mov_a' }] }
    const body = JSON.stringify({ id: 'evt_twice', type: 'account.refresh_intent.movements_removed', data })
    for (let i = 0; i < 3; i++) expect((await notify('', {}, { body })).status).toBe(200)
    await heeded()
    expect((await kept()).map(({ removed_at }) => removed_at !== null)).toEqual([true, false])
    const told = (await own.events('connection.synced')).filter(({ data }) => data.detail.removed > 0)
    expect(told.map(({ data }) => data.detail)).toEqual([{ imported: 0, duplicates: 0, changed: 0, removed: 1 }])
    expect(told[0].data.object.id).toBe(id)
  })

  it('200 asks for the person when the credentials changed or the bank rejected a refresh', async () => {
    for (const [type, data] of [
      ['link.credentials_changed', (link: Live['link']) => ({ id: link.link_id, object: 'link' })],
      [
        'account.refresh_intent.rejected',
        (link: Live['link']) => ({ refreshed_object: 'account', refreshed_object_id: link.account }),
      ],
    ] as const) {
      const { own, id, link } = await openLive()
      await notify(type, data(link))
      await heeded()
      const shown = (await own.show(id)).body
      expect(shown).toMatchObject({ status: 'needs_reconnect', failure: { code: 'bank_rejected' } })
      const [event] = await own.events('connection.needs_reconnect')
      expect(event.data).toEqual({
        object: shown,
        previous_attributes: { status: 'active', failures: 0, failure: null },
      })
    }
  })

  it('200 and a person who came back since is not sent away by an old notice', async () => {
    const { own, id, link } = await openLive()
    const created_at = new Date(Date.now() - 200_000).toISOString()
    const data = { id: link.link_id }
    const body = JSON.stringify({ id: 'evt_old', type: 'link.credentials_changed', created_at, data })
    await notify('', {}, { body })
    await heeded()
    expect((await own.show(id)).body.status).toBe('active')
  })

  it('200 counts a refresh that failed, and the connection goes on', async () => {
    const { own, id, link } = await openLive()
    await notify('account.refresh_intent.failed', { refreshed_object: 'account', refreshed_object_id: link.account })
    await heeded()
    expect((await own.show(id)).body).toMatchObject({
      status: 'active',
      failures: 1,
      failure: { code: 'bank_refresh_failed' },
    })
  })

  it('200 and nothing happens for what nobody here knows: a kind, an account, an event that is none', async () => {
    for (const body of [
      JSON.stringify({ id: 'evt_x', type: 'payment_intent.succeeded', data: {} }),
      JSON.stringify({ id: 'evt_y', type: 'link.credentials_changed', data: { id: 'link_of_nobody' } }),
      '[]',
      'not json',
    ]) {
      expect((await notify('', {}, { body })).status).toBe(200)
    }
    expect(await world.db.sql<object>`select 1 from job where name = 'connection.heed'`).toEqual([])
  })

  it('401 for a signature that is forged, missing or old, and nothing is queued', async () => {
    const { own, id, link } = await openLive()
    const body = JSON.stringify({
      id: 'evt_z',
      type: 'link.credentials_changed',
      data: { id: link.link_id },
    })
    const old = Math.floor(Date.now() / 1000) - 400
    for (const signature of [
      '',
      't=1,v1=00',
      signNotice(body, undefined, 'guessed'),
      signNotice(body, old),
      signNotice(`${body} `),
    ]) {
      const sent = await notify('', {}, { body, signature })
      expect([sent.status, sent.body]).toEqual([401, { received: false }])
    }
    await heeded()
    expect((await own.show(id)).body.status).toBe('active')
  })

  it('413 for more than a MiB, 415 for what is not JSON, 405 for a GET', async () => {
    const big = JSON.stringify({ id: 'x'.repeat(1_100_000) })
    expect((await notify('', {}, { body: big })).status).toBe(413)
    const text = { raw: 'x', headers: { 'content-type': 'text/plain', 'fintoc-signature': signNotice('x') } }
    expect((await world.post('/webhooks/fintoc', text)).status).toBe(415)
    expect((await world.get('/webhooks/fintoc')).status).toBe(405)
  })
})
