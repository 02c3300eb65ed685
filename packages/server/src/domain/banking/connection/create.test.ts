import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Banked, openBanked } from '../../../../test/support/bank-connection.ts'
import { openWorld, type Sent, type World } from '../../../../test/support/world.ts'
import { type Bank, BankFailure } from '../../../ports/bank.ts'

let world: World
let own: Banked
const away = { exchange: false, begin: false }
let asked = 0
/** The sandbox, with a provider that is away when a test says so. */
const faltering = (bank: Bank): Bank => ({
  ...bank,
  async begin(question) {
    asked++
    if (away.begin) throw new BankFailure('unreachable', 'away')
    return bank.begin(question)
  },
  async exchange(question) {
    asked++
    if (away.exchange) throw new BankFailure('unreachable', 'away')
    return bank.exchange(question)
  },
})
beforeAll(async () => {
  world = await openWorld({ test_bank: faltering })
  own = await openBanked(world)
})
afterAll(() => world.close())

const refusal = (sent: Sent) => [sent.status, sent.body.error.code]

describe('POST /connections', () => {
  it('201 waits for a person, shows the link once, and tells of the connection without it', async () => {
    const made = await own.connect({ name: 'Cuenta de la tienda', institution: 'banco_prueba' })
    expect(made.status).toBe(201)
    const { link, ...connection } = made.body
    expect(connection).toMatchObject({
      object: 'connection',
      status: 'pending_link',
      provider: 'sandbox',
      name: 'Cuenta de la tienda',
      requested_institution: 'banco_prueba',
      institution: null,
      accounts: [],
      last_synced_at: null,
      failures: 0,
    })
    expect(link.url).toMatch(/^http:\/\/timbre\.test\/connect\/[A-Za-z0-9]{43}$/)
    expect(Date.parse(link.expires_at) - Date.parse(connection.created_at)).toBeGreaterThan(29 * 60_000)
    expect((await own.show(connection.id)).body).toEqual(connection)
    const [event] = await own.events('connection.created')
    expect(event.data.object).toEqual(connection)
    expect(JSON.stringify(event)).not.toContain(link.widget_token)
  })

  it('400 invalid_field for a holder that is neither a person nor a company, and for a blank name', async () => {
    expect(refusal(await own.connect({ holder_type: 'empresa' }))).toEqual([400, 'invalid_field'])
    expect(refusal(await own.connect({ name: ' ' }))).toEqual([400, 'invalid_field'])
  })

  it('201 for a company where nobody says whose portal of the bank it is', async () => {
    const { status, body } = await own.connect({ holder_type: undefined })
    expect([status, body.holder_type]).toEqual([201, 'business'])
  })

  it('503 bank_unreachable while the provider is away, and nothing was made', async () => {
    const other = await openBanked(world)
    away.begin = true
    const sent = await other.connect()
    away.begin = false
    expect(refusal(sent)).toEqual([503, 'bank_unreachable'])
    expect(sent.headers['retry-after']).toBe('60')
    expect((await other.get('/v1/connections')).body.data).toEqual([])
  })

  it('503 bank_unreachable in live mode where no provider is configured, and says so', async () => {
    const live = await openBanked(world, { mode: 'live' })
    const sent = await live.connect()
    expect(refusal(sent)).toEqual([503, 'bank_unreachable'])
    expect(sent.body.error.message).toBe('This service has no provider of bank data.')
  })
})

describe('a secret that was rolled out', () => {
  it('403 privilege_escalation before the bank is asked anything', async () => {
    const { id } = (await own.connect()).body
    const old = await world.key(own.account)
    const { key } = (await world.get('/v1/account', { key: old })).body
    const session = await world.session(own.account)
    await world.post(`/dashboard/api_keys/${key.id}/roll`, { session, mode: 'test' })
    const before = asked
    const by = { key: old, empresa: own.rut }
    const sent = [
      await world.post('/v1/connections', { ...by, body: {} }),
      await world.post(`/v1/connections/${id}/reconnect`, by),
      await world.post(`/v1/connections/${id}/exchange`, { ...by, body: { exchange_token: 'sandbox_banco_prueba' } }),
    ]
    expect(sent.map(refusal)).toEqual(sent.map(() => [403, 'privilege_escalation']))
    expect(asked).toBe(before)
  })
})

describe('GET /connections', () => {
  it('200 lists the newest first in pages, by status, without what was deleted', async () => {
    const other = await openBanked(world)
    const ids = [await other.linked(), (await other.connect()).body.id, (await other.connect()).body.id]
    await other.remove(ids[1])
    const idsOf = ({ body }: Sent) => body.data.map(({ id }: { id: string }) => id)
    expect(idsOf(await other.get('/v1/connections'))).toEqual([ids[2], ids[0]])
    expect(idsOf(await other.get('/v1/connections?status=active'))).toEqual([ids[0]])
    const first = await other.get('/v1/connections?limit=1')
    expect([idsOf(first), first.body.has_more]).toEqual([[ids[2]], true])
    const second = await other.get(`/v1/connections?limit=1&cursor=${first.body.next_cursor}`)
    expect([idsOf(second), second.body.has_more]).toEqual([[ids[0]], false])
    expect(refusal(await other.get('/v1/connections?cursor=cur_x'))).toEqual([400, 'invalid_cursor'])
    expect(refusal(await other.get('/v1/connections?status=deleted'))).toEqual([400, 'invalid_field'])
  })

  it('404 connection_not_found for one of another empresa, one that never was and one that was deleted', async () => {
    const other = await openBanked(world)
    const { id } = (await other.connect()).body
    for (const asked of [id, 'con_x']) {
      expect(refusal(await own.show(asked))).toEqual([404, 'connection_not_found'])
      expect(refusal(await own.exchange(asked))).toEqual([404, 'connection_not_found'])
      expect(refusal(await own.post(`/v1/connections/${asked}/sync`))).toEqual([404, 'connection_not_found'])
      expect(refusal(await own.post(`/v1/connections/${asked}/reconnect`))).toEqual([404, 'connection_not_found'])
      expect(refusal(await own.remove(asked))).toEqual([404, 'connection_not_found'])
    }
    expect((await other.remove(id)).status).toBe(204)
    expect(refusal(await other.show(id))).toEqual([404, 'connection_not_found'])
  })
})

describe('POST /connections/{connection_id}/exchange', () => {
  it('200 makes it active, tells so, masks its accounts and reads the last 90 days by itself', async () => {
    const other = await openBanked(world)
    const id = await other.linked()
    const { body } = await other.show(id)
    expect(body).toMatchObject({
      status: 'active',
      institution: { id: 'banco_prueba', name: 'Banco de Prueba' },
      holder_rut: other.rut,
      last_synced_at: expect.any(String),
    })
    expect(body.accounts.map(({ number }: { number: string }) => number)).toEqual(
      Array(2).fill(expect.stringMatching(/^••••\d{4}$/)),
    )
    const [active] = await other.events('connection.active')
    const unlinked = { status: 'pending_link', institution: null, holder_rut: null, accounts: [] }
    expect(active.data.previous_attributes).toEqual(unlinked)
    expect(active.data.object).toMatchObject({ id, status: 'active' })
    const [synced] = await other.events('connection.synced')
    expect(synced.data.object).toEqual(body)
    expect(synced.data.previous_attributes).toMatchObject({ last_synced_at: null })
    expect(synced.data.detail.imported).toBeGreaterThan(30)
    const [kept] = await world.db.sql<{ count: number; first: string }>`
      select count(*) as count, min(post_date) as first from movement where source_id = ${id}`
    expect(kept?.count).toBe(synced.data.detail.imported)
  })

  it('422 exchange_token_refused for a token that is none, and the connection waits on', async () => {
    const { id } = (await own.connect()).body
    for (const token of ['fintoc_x', 'sandbox_no_such_bank']) {
      const sent = await own.exchange(id, token)
      expect([...refusal(sent), sent.body.error.param]).toEqual([422, 'exchange_token_refused', 'exchange_token'])
    }
    expect((await own.show(id)).body.status).toBe('pending_link')
  })

  it('503 bank_unreachable while the provider is away, and the same token works later', async () => {
    const { id } = (await own.connect()).body
    away.exchange = true
    expect(refusal(await own.exchange(id))).toEqual([503, 'bank_unreachable'])
    away.exchange = false
    expect((await own.exchange(id)).body.status).toBe('active')
  })

  it('409 connection_status_conflict once it is linked', async () => {
    const id = await own.linked()
    const sent = await own.exchange(id)
    expect([...refusal(sent), sent.body.error.details.status]).toEqual([409, 'connection_status_conflict', 'active'])
  })

  it('200 to both of two who link at once: one link is kept, and the provider forgets the other', async () => {
    const other = await openBanked(world)
    const { id } = (await other.connect()).body
    const sent = await Promise.all([other.exchange(id), other.exchange(id)])
    const good = sent.filter(({ status }) => status === 200)
    expect(good.length).toBeGreaterThan(0)
    const links = () => world.db.sql<object>`select 1 from sandbox_bank_link where empresa_id = ${other.empresa_id}`
    await expect.poll(async () => (await links()).length).toBe(1)
    expect((await other.events('connection.active')).length).toBe(1)
  })
})

describe('POST /connections/{connection_id}/reconnect', () => {
  it('200 gives a new page to one that nobody linked yet, and 409 connection_status_conflict to one that is linked', async () => {
    const { id, link } = (await own.connect()).body
    const again = await own.post(`/v1/connections/${id}/reconnect`)
    expect([again.status, again.body.status]).toEqual([200, 'pending_link'])
    expect(again.body.link.url).not.toBe(link.url)
    const linked = await own.linked()
    expect(refusal(await own.post(`/v1/connections/${linked}/reconnect`))).toEqual([409, 'connection_status_conflict'])
  })

  it('503 bank_unreachable while the provider is away', async () => {
    const { id } = (await own.connect()).body
    away.begin = true
    expect(refusal(await own.post(`/v1/connections/${id}/reconnect`))).toEqual([503, 'bank_unreachable'])
    away.begin = false
  })
})

describe('an Idempotency-Key', () => {
  const keyed = (path: string, body: object, key: string) =>
    own.post(path, body, { headers: { 'idempotency-key': key } })

  it('gives the first answer again, although the bank is linked since and the provider is away', async () => {
    const made = await keyed('/v1/connections', { holder_type: 'business' }, 'create')
    const path = `/v1/connections/${made.body.id}/exchange`
    const first = await keyed(path, { exchange_token: 'sandbox_banco_prueba' }, 'exchange')
    expect(first.body.status).toBe('active')
    Object.assign(away, { begin: true, exchange: true })
    const again = [
      await keyed('/v1/connections', { holder_type: 'business' }, 'create'),
      await keyed(path, { exchange_token: 'sandbox_banco_prueba' }, 'exchange'),
    ]
    Object.assign(away, { begin: false, exchange: false })
    expect(again.map(({ status }) => status)).toEqual([201, 200])
    expect(again.map(({ body }) => body)).toEqual([made.body, first.body])
    expect(again.map(({ headers }) => headers['svc-idempotent-replay'])).toEqual(['true', 'true'])
  })
})

describe('DELETE /connections/{connection_id}', () => {
  for (const status of ['pending_link', 'active', 'refreshing', 'needs_reconnect']) {
    it(`204 of one that is ${status}, told once`, async () => {
      const other = await openBanked(world)
      const id = status === 'pending_link' ? (await other.connect()).body.id : await other.linked()
      await world.db.sql`update connection set status = ${status} where id = ${id}`
      expect((await other.remove(id)).status).toBe(204)
      const told = await other.events('connection.deleted')
      expect(told.map(({ data }) => [data.object.id, data.object.status])).toEqual([[id, 'deleted']])
      expect(refusal(await other.remove(id))).toEqual([404, 'connection_not_found'])
    })
  }

  it('204 of an empresa that is archived, whose bank is read no more', async () => {
    const other = await openBanked(world)
    const id = await other.linked()
    const before = (await other.show(id)).body.last_synced_at
    await world.patch(`/v1/empresas/${other.empresa_id}`, { key: other.key, body: { status: 'archived' } })
    expect(refusal(await other.post(`/v1/connections/${id}/sync`))).toEqual([403, 'empresa_inactive'])
    await other.advance('P2D')
    expect((await other.show(id)).body.last_synced_at).toBe(before)
    expect((await other.remove(id)).status).toBe(204)
  })

  it('204 wipes what opens the bank, has the provider forget it, and keeps what was read', async () => {
    const other = await openBanked(world)
    const id = await other.linked()
    expect((await other.remove(id)).status).toBe(204)
    const [row] = await world.db.sql<{ link_token: Buffer | null; widget: Buffer | null }>`
      select link_token, widget from connection where id = ${id}`
    expect(row).toEqual({ link_token: null, widget: null })
    const links = () => world.db.sql<object>`select 1 from sandbox_bank_link where empresa_id = ${other.empresa_id}`
    await expect.poll(async () => (await links()).length).toBe(0)
    const [kept] = await world.db.sql<{ count: number }>`select count(*) as count from movement where source_id = ${id}`
    expect(kept?.count).toBeGreaterThan(30)
    const [event] = await other.events('connection.deleted')
    expect(event.data.object).toMatchObject({ id, status: 'deleted' })
    expect(refusal(await other.post(`/v1/connections/${id}/sync`))).toEqual([404, 'connection_not_found'])
  })
})

describe('what opens a bank', () => {
  it('rests sealed, and is in no answer, no event, no job and no line of the log', async () => {
    const other = await openBanked(world)
    const id = await other.linked()
    const [link] = await world.db.sql<{ link_token: string }>`
      select link_token from sandbox_bank_link where empresa_id = ${other.empresa_id}`
    const [row] = await world.db.sql<{ link_token: Buffer }>`select link_token from connection where id = ${id}`
    const token = link?.link_token ?? ''
    expect(token.length).toBeGreaterThan(20)
    expect(row?.link_token.includes(token)).toBe(false)
    await other.remove(id)
    const seen = [
      ...(await other.events()).map((event) => JSON.stringify(event)),
      ...(await world.db.sql<{ payload: object }>`select payload from job`).map(({ payload }) =>
        JSON.stringify(payload),
      ),
      ...world.log_lines,
    ]
    expect(seen.filter((text) => text.includes(token))).toEqual([])
  })
})
