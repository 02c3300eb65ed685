import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, randomRut, type Sent, type World } from '../../../../test/support/world.ts'
import { httpWebhookSender } from '../../../adapters/webhook/sender.ts'

let world: World
let account: string
let key: string

beforeAll(async () => {
  world = await openWorld({ webhooks: httpWebhookSender({ allow_private: false }), runs_jobs: false })
  account = await world.account()
  key = await world.key(account)
})
afterAll(() => world.close())

const PATH = '/v1/webhook_endpoints'
const url = 'https://tienda.example.cl/timbre'
const create = (body: object = { url }, as = key) => world.post(PATH, { key: as, body })
const refused = ({ status, body }: Sent) => [status, body.error.code, body.error.param]

/** An account of its own, for tests that count. */
async function apart(options: { empresas?: string[]; mode?: 'test' | 'live' } = {}) {
  return world.key(await world.account(), options)
}

describe('POST /v1/webhook_endpoints', () => {
  it('201 with defaults for all but the URL, and a secret that is sealed at rest', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body).toEqual({
      object: 'webhook_endpoint',
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      mode: 'test',
      url,
      description: '',
      enabled_events: ['*'],
      empresas: ['*'],
      status: 'enabled',
      disabled_reason: null,
      created_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const [row] = await world.db.sql<{ secret: Buffer }>`select secret from webhook_endpoint where id = ${body.id}`
    expect(row?.secret.toString('latin1')).not.toContain(body.secret)
  })

  it('201 keeps what was sent, and writes the URL in one spelling', async () => {
    const rut = randomRut()
    const sent = {
      url: 'HTTPS://Tienda.Example.CL:443/a b?x=1',
      description: 'Bodega',
      enabled_events: ['document.*', 'empresa.onboarding.*', 'ping'],
      empresas: [rut],
    }
    const { body } = await create(sent)
    expect(body).toMatchObject({ ...sent, url: 'https://tienda.example.cl/a%20b?x=1' })
    const all = await create({ url, enabled_events: ['document.sent', '*'], empresas: ['*', rut] })
    expect(all.body).toMatchObject({ enabled_events: ['*'], empresas: ['*'] })
  })

  it('201 a replay with the same Idempotency-Key gives the same secret and makes nothing more', async () => {
    const mine = await apart()
    const request = { key: mine, body: { url }, headers: { 'idempotency-key': 'one' } }
    const [first, second] = [await world.post(PATH, request), await world.post(PATH, request)]
    expect(second.body).toEqual(first.body)
    expect((await world.get(PATH, { key: mine })).body.data).toHaveLength(1)
  })

  it('400 invalid_field names a URL that is none, carries credentials or a fragment, or is not http', async () => {
    const wrong = [
      'tienda.example.cl',
      '/hook',
      'ftp://example.cl/',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://',
      'https://ana:clave@example.cl/',
      'https://ana@example.cl/',
      'https://example.cl/#a',
      'https://example.cl/#',
      `https://example.cl/${'a'.repeat(2_000)}`,
      '',
    ]
    for (const bad of wrong)
      expect([bad, ...refused(await create({ url: bad }))]).toEqual([bad, 400, 'invalid_field', 'url'])
    expect(refused(await create({}))).toEqual([400, 'invalid_field', 'url'])
  })

  it('400 invalid_field for an address outside the public internet, however it is written', async () => {
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:10.0.0.1]',
      'localhost',
      '10.1.2.3',
    ]
    for (const host of [...hosts, '169.254.169.254', '100.64.0.1', '[fd00::1]', '0', '[64:ff9b::7f00:1]']) {
      const sent = await create({ url: `http://${host}:8080/hook` })
      expect([host, ...refused(sent)]).toEqual([host, 400, 'invalid_field', 'url'])
    }
  })

  it('400 invalid_field for plain http in live mode, which test mode takes', async () => {
    const live = await world.key(account, { mode: 'live' })
    expect(refused(await create({ url: 'http://example.cl/' }, live))).toEqual([400, 'invalid_field', 'url'])
    expect((await create({ url: 'https://example.cl/' }, live)).body.mode).toBe('live')
    expect((await create({ url: 'http://example.cl/' }, await apart())).status).toBe(201)
  })

  it('400 invalid_field names the event type that does not exist, by its place', async () => {
    for (const bad of ['document.acepted', 'documents.*', 'document*', 'doc.*', '', '.*', '**']) {
      const sent = await create({ url, enabled_events: ['document.*', bad] })
      expect([bad, ...refused(sent)]).toEqual([bad, 400, 'invalid_field', 'enabled_events[1]'])
    }
    for (const bad of [[], ['*', '*'], 'document.*'])
      expect(refused(await create({ url, enabled_events: bad }))).toEqual([400, 'invalid_field', 'enabled_events'])
  })

  it('400 invalid_rut names the empresa whose check digit is wrong', async () => {
    expect(refused(await create({ url, empresas: ['76192083-8'] }))).toEqual([400, 'invalid_rut', 'empresas[0]'])
  })

  it('403 empresa_not_allowed beyond the empresas of the key; without the field it takes what the key reaches', async () => {
    const [own, other] = [randomRut(), randomRut()]
    const narrow = await apart({ empresas: [own] })
    expect(refused(await create({ url, empresas: [own, other] }, narrow))).toEqual([
      403,
      'empresa_not_allowed',
      'empresas[1]',
    ])
    expect(refused(await create({ url, empresas: ['*'] }, narrow))).toEqual([403, 'empresa_not_allowed', 'empresas[0]'])
    expect((await create({ url }, narrow)).body.empresas).toEqual([own])
  })

  it('422 webhook_endpoint_limit_reached at 16 in each mode, also when they are made at once', async () => {
    const mine = await world.account()
    const [test, live] = [await world.key(mine), await world.key(mine, { mode: 'live' })]
    const made = await Promise.all(Array.from({ length: 20 }, () => create({ url }, test)))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(16)
    for (const sent of made.filter(({ status }) => status !== 201))
      expect(refused(sent).slice(0, 2)).toEqual([422, 'webhook_endpoint_limit_reached'])
    expect((await create({ url }, live)).status).toBe(201)
    const [{ id }] = (await world.get(PATH, { key: test })).body.data
    await world.delete(`${PATH}/${id}`, { key: test })
    expect((await create({ url }, test)).status).toBe(201)
  })
})

describe('POST /v1/webhook_endpoints with the Idempotency-Key of another credential', () => {
  it('201 makes one of its own, whatever the other reaches: no secret is told to a second credential', async () => {
    const mine = await world.account()
    const headers = { 'idempotency-key': 'the-same' }
    const send = (key: string) => world.post(PATH, { key, headers, body: { url } })
    const keys = [await world.key(mine), await world.key(mine), await world.key(mine, { empresas: [randomRut()] })]
    const sent = await Promise.all(keys.map(send))
    expect(sent.map(({ status, headers }) => [status, headers['svc-idempotent-replay']])).toEqual(
      keys.map(() => [201, undefined]),
    )
    expect(new Set(sent.map(({ body }) => body.secret)).size).toBe(3)
    const again = await send(keys[0] ?? '')
    expect([again.text, again.headers['svc-idempotent-replay']]).toEqual([sent[0]?.text, 'true'])
  })
})

describe('GET /v1/webhook_endpoints', () => {
  it('200 newest first, page by page, of one mode, without a secret', async () => {
    const mine = await world.account()
    const [test, live] = [await world.key(mine), await world.key(mine, { mode: 'live' })]
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.push((await create({ url }, test)).body.id)
    const other = (await create({ url }, live)).body
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body, text } = await world.get(`${PATH}?limit=2${cursor && `&cursor=${cursor}`}`, { key: test })
      expect(text).not.toContain('whsec_')
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor
    }
    expect(seen).toEqual(made.reverse())
    expect((await world.get(PATH, { key: live })).body.data.map(({ id }: { id: string }) => id)).toEqual([other.id])
    expect(refused(await world.get(`${PATH}?cursor=cur_x`, { key: test }))).toEqual([400, 'invalid_cursor', 'cursor'])
  })

  it('400 invalid_cursor for a cursor of the other mode or of another account', async () => {
    const mine = await world.account()
    const test = await world.key(mine)
    for (let i = 0; i < 2; i++) await create({ url }, test)
    const { next_cursor } = (await world.get(`${PATH}?limit=1`, { key: test })).body
    for (const key of [await world.key(mine, { mode: 'live' }), await world.key(await world.account())]) {
      const sent = await world.get(`${PATH}?cursor=${next_cursor}`, { key })
      expect(refused(sent)).toEqual([400, 'invalid_cursor', 'cursor'])
    }
  })

  it('200 reads one; 404 webhook_endpoint_not_found for one of another account, of the other mode, or of nobody', async () => {
    const { secret: _secret, ...shown } = (await create()).body
    const path = `${PATH}/${shown.id}`
    expect((await world.get(path, { key })).body).toEqual(shown)
    for (const stranger of [await apart(), await world.key(account, { mode: 'live' })]) {
      for (const sent of [
        await world.get(path, { key: stranger }),
        await world.patch(path, { key: stranger, body: { description: 'mía' } }),
        await world.delete(path, { key: stranger }),
        await world.post(`${path}/ping`, { key: stranger }),
        await world.post(`${path}/rotate_secret`, { key: stranger }),
        await world.get(`${path}/deliveries`, { key: stranger }),
        await world.get(`${path}/deliveries/whd_x`, { key: stranger }),
        await world.post(`${path}/deliveries/whd_x/retry`, { key: stranger }),
      ])
        expect(refused(sent).slice(0, 2)).toEqual([404, 'webhook_endpoint_not_found'])
    }
    expect((await world.get(path, { key })).body).toEqual(shown)
  })

  it('shows a key with an allowlist only the endpoints that hear of nothing beyond it', async () => {
    const mine = await world.account()
    const [one, two] = [randomRut(), randomRut()]
    const wide = await world.key(mine)
    const all = (await create({ url }, wide)).body.id
    const both = (await create({ url, empresas: [one, two] }, wide)).body.id
    const own = (await create({ url, empresas: [one] }, wide)).body.id
    const narrow = await world.key(mine, { empresas: [one] })
    const ids = async (as: string) => (await world.get(PATH, { key: as })).body.data.map(({ id }: { id: string }) => id)
    expect(await ids(narrow)).toEqual([own])
    expect(await ids(await world.key(mine, { empresas: [one, two] }))).toEqual([own, both])
    expect(await ids(wide)).toEqual([own, both, all])
    for (const id of [all, both]) expect((await world.delete(`${PATH}/${id}`, { key: narrow })).status).toBe(404)
    const moved = await world.patch(`${PATH}/${own}`, { key: narrow, body: { empresas: [one, two] } })
    expect(refused(moved)).toEqual([403, 'empresa_not_allowed', 'empresas[1]'])
  })
})

describe('PATCH /v1/webhook_endpoints/{webhook_endpoint_id}', () => {
  it('200 changes what was sent and leaves the rest, the secret included', async () => {
    const { secret: _secret, ...made } = (await create({ url, description: 'a' })).body
    const [before] = await world.db.sql<{ secret: Buffer }>`select secret from webhook_endpoint where id = ${made.id}`
    const path = `${PATH}/${made.id}`
    expect((await world.patch(path, { key, body: {} })).body).toEqual(made)
    const changed = { url: 'https://otra.example.cl/', enabled_events: ['document.accepted'], description: '' }
    expect((await world.patch(path, { key, body: changed })).body).toEqual({ ...made, ...changed })
    const [after] = await world.db.sql<{ secret: Buffer }>`select secret from webhook_endpoint where id = ${made.id}`
    expect(after?.secret.equals(before?.secret ?? Buffer.alloc(0))).toBe(true)
  })

  it('200 disables and enables, twice the same without complaint, and tells no event', async () => {
    const mine = await apart()
    const { id } = (await create({ url }, mine)).body
    const put = async (status: string) => {
      const { body } = await world.patch(`${PATH}/${id}`, { key: mine, body: { status } })
      return [body.status, body.disabled_reason]
    }
    expect(await put('enabled')).toEqual(['enabled', null])
    expect(await put('disabled')).toEqual(['disabled', 'requested'])
    expect(await put('disabled')).toEqual(['disabled', 'requested'])
    expect(await put('enabled')).toEqual(['enabled', null])
    expect((await world.get('/v1/events', { key: mine })).body.data).toEqual([])
  })

  it('400 invalid_field under the same rules as creation', async () => {
    const { id } = (await create()).body
    const cases: [object, string][] = [
      [{ url: 'http://127.0.0.1/' }, 'url'],
      [{ enabled_events: ['nada'] }, 'enabled_events[0]'],
      [{ enabled_events: [] }, 'enabled_events'],
      [{ status: 'paused' }, 'status'],
      [{ secret: 'whsec_x' }, 'secret'],
    ]
    for (const [body, param] of cases)
      expect(refused(await world.patch(`${PATH}/${id}`, { key, body }))).toEqual([400, 'invalid_field', param])
  })
})

describe('DELETE /v1/webhook_endpoints/{webhook_endpoint_id}', () => {
  it('204 and its secrets are gone, the previous one too', async () => {
    const { id } = (await create()).body
    await world.post(`${PATH}/${id}/rotate_secret`, { key })
    expect((await world.delete(`${PATH}/${id}`, { key })).status).toBe(204)
    expect(await world.db.sql`select 1 from webhook_endpoint where id = ${id}`).toEqual([])
    expect((await world.delete(`${PATH}/${id}`, { key })).status).toBe(404)
  })
})
