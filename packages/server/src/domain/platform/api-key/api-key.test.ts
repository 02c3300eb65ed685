import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { hashSecret } from '../../../kernel/secret.ts'

let world: World
let account: string
let root: string

beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  root = await world.key(account, { scopes: SCOPE_NAMES, name: 'root' })
})
afterAll(() => world.close())

const mint = (body: object, key = root) => world.post('/v1/api_keys', { key, body })
const refused = (sent: { status: number; body: { error: { code: string; param?: string } } }) =>
  [sent.status, sent.body.error.code, sent.body.error.param] as const
const idOf = async (secret: string) => (await world.get('/v1/account', { key: secret })).body.key.id as string

describe('GET /v1/account', () => {
  it('200 shows the account, its limits and the key in use, and never a secret', async () => {
    const sent = await world.get('/v1/account', { key: root })
    expect(sent.body).toMatchObject({
      object: 'account',
      id: account,
      limits: { requests_per_minute: 300, emissions_per_second: 10 },
      key: { object: 'api_key', root: true, last4: root.slice(-4), empresas: ['*'] },
    })
    expect(sent.text).not.toContain(root)
    expect(sent.headers['ratelimit-limit']).toBe('300')
  })

  it('200 counts the empresas the credential reaches in its mode', async () => {
    const mine = await world.account()
    const key = await world.key(mine)
    const [one, two] = [randomRut(), randomRut()]
    for (const rut of [one, two]) await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Una' } })
    const counts = async (secret: string) => {
      const { empresas_ready, empresas_total } = (await world.get('/v1/account', { key: secret })).body
      return [empresas_ready, empresas_total]
    }
    expect(await counts(key)).toEqual([2, 2])
    expect(await counts(await world.key(mine, { empresas: [one] }))).toEqual([1, 1])
    expect(await counts(await world.key(mine, { mode: 'live' }))).toEqual([0, 0])
  })

  it('200 on a session there is no key', async () => {
    const sent = await world.get('/dashboard/account', { session: await world.session(account), mode: 'test' })
    expect([sent.status, sent.body.key]).toEqual([200, null])
  })
})

describe('POST /v1/api_keys', () => {
  it('201 mints a key that works, shows its secret once, and keeps only its hash', async () => {
    const made = await mint({ name: 'caja', scopes: ['documents:read'], empresas: [randomRut()] })
    expect(made.status).toBe(201)
    const { secret, ...shown } = made.body
    expect(secret).toMatch(/^sk_test_[0-9A-Za-z]{43}$/)
    expect(shown).toMatchObject({
      name: 'caja',
      mode: 'test',
      root: false,
      last4: secret.slice(-4),
      last_used_at: null,
    })
    expect((await world.get('/v1/account', { key: secret })).status).toBe(200)
    expect((await world.get('/v1/api_keys', { key: root })).text).not.toContain(secret)
    const rows = await world.db.sql<{ found: boolean }>`
      select true as found from api_key_secret where hash = ${hashSecret(secret)}`
    expect(rows).toHaveLength(1)
    const [dump] = await world.db.sql<{ text: string }>`
      select coalesce(string_agg(t::text, ''), '') as text from (select * from api_key_secret) t`
    expect(dump?.text).not.toContain(secret)
  })

  it('201 a replay with the same Idempotency-Key gives the same secret and mints nothing more', async () => {
    const request = {
      key: root,
      body: { name: 'una vez', scopes: ['documents:read'] },
      headers: { 'idempotency-key': 'mint-1' },
    }
    const first = await world.post('/v1/api_keys', request)
    const second = await world.post('/v1/api_keys', request)
    expect(second.body).toEqual(first.body)
    expect([first.headers['svc-idempotent-replay'], second.headers['svc-idempotent-replay']]).toEqual([
      undefined,
      'true',
    ])
    const [kept] = await world.db.sql<{ answer: Buffer }>`select answer from idempotency where key = 'mint-1'`
    expect(kept?.answer.toString('latin1')).not.toContain(first.body.secret)
  })

  it('201 records api_key.created in the ledger, without the secret', async () => {
    const made = await mint({ name: 'con evento', scopes: ['documents:read'] })
    const { body, text } = await world.get('/v1/events?type=api_key.created&limit=1', { key: root })
    const { secret, ...shown } = made.body
    expect(body.data[0]).toMatchObject({
      type: 'api_key.created',
      mode: 'test',
      empresa: null,
      data: { object: shown },
    })
    expect(text).not.toContain(secret)
  })

  it('201 a session mints a root key, whose prefix says so; Svc-Mode decides the mode', async () => {
    const session = await world.session(account)
    for (const mode of ['test', 'live']) {
      const made = await world.post('/dashboard/api_keys', {
        session,
        mode,
        body: { name: 'r', scopes: ['keys:write'] },
      })
      expect(made.body).toMatchObject({ root: true, mode, empresas: ['*'] })
      expect(made.body.secret).toMatch(new RegExp(`^sk_${mode}_root_`))
    }
    const silent = await world.post('/dashboard/api_keys', { session, body: { name: 'd', scopes: ['documents:read'] } })
    expect(silent.body.mode).toBe('live')
  })

  it('403 email_verification_required for a live key from an unverified account; test mode does not ask', async () => {
    const session = await world.session(await world.account({ verified: false }))
    const body = { name: 'x', scopes: ['documents:read'] }
    const live = await world.post('/dashboard/api_keys', { session, mode: 'live', body })
    expect(refused(live).slice(0, 2)).toEqual([403, 'email_verification_required'])
    expect((await world.post('/dashboard/api_keys', { session, mode: 'test', body })).status).toBe(201)
  })

  it('403 privilege_escalation beyond the scopes or the empresas of the minter, and for another root', async () => {
    const rut = randomRut()
    const narrow = await world.key(account, { scopes: ['keys:write', 'documents:read'], empresas: [rut] })
    expect(refused(await mint({ name: 'x', scopes: ['documents:write'] }, narrow))).toEqual([
      403,
      'privilege_escalation',
      'scopes',
    ])
    expect(refused(await mint({ name: 'x', scopes: ['keys:write'] }))).toEqual([403, 'privilege_escalation', 'scopes'])
    for (const empresas of [[randomRut()], ['*']]) {
      const sent = await mint({ name: 'x', scopes: ['documents:read'], empresas }, narrow)
      expect(refused(sent)).toEqual([403, 'privilege_escalation', 'empresas'])
    }
    const inherited = await mint({ name: 'x', scopes: ['documents:read'] }, narrow)
    expect(inherited.body.empresas).toEqual([rut])
  })

  it('403 mode_not_allowed: the mode is inherited', async () => {
    const sent = await mint({ name: 'x', scopes: ['documents:read'], mode: 'live' })
    expect(refused(sent)).toEqual([403, 'mode_not_allowed', 'mode'])
  })

  it('400 names the field: no name, no scopes, an unknown scope, a bad RUT', async () => {
    const cases: [object, string, string][] = [
      [{ scopes: ['documents:read'] }, 'invalid_field', 'name'],
      [{ name: '  ', scopes: ['documents:read'] }, 'invalid_field', 'name'],
      [{ name: 'x' }, 'invalid_field', 'scopes'],
      [{ name: 'x', scopes: [] }, 'invalid_field', 'scopes'],
      [{ name: 'x', scopes: ['all'] }, 'invalid_field', 'scopes[0]'],
      [{ name: 'x', scopes: ['documents:read'], empresas: ['76192083-8'] }, 'invalid_rut', 'empresas[0]'],
    ]
    for (const [body, code, param] of cases) expect(refused(await mint(body))).toEqual([400, code, param])
  })
})

describe('GET /v1/api_keys', () => {
  it('200 a root key sees every key of the account, an ordinary one only itself, a session those of its mode', async () => {
    const mine = await world.account()
    const chief = await world.key(mine, { scopes: SCOPE_NAMES })
    const plain = await world.key(mine)
    await world.key(mine, { mode: 'live' })
    const names = async (request: { key?: string; session?: string; mode?: string }, root = '/v1') =>
      ((await world.get(`${root}/api_keys`, request)).body.data as { last4: string }[]).map(({ last4 }) => last4)
    expect(await names({ key: chief })).toHaveLength(3)
    expect(await names({ key: plain })).toEqual([plain.slice(-4)])
    expect(await names({ session: await world.session(mine), mode: 'live' }, '/dashboard')).toHaveLength(1)
  })

  it('200 pages with a cursor, newest first, each key once', async () => {
    const mine = await world.account()
    const chief = await world.key(mine, { scopes: SCOPE_NAMES })
    for (let i = 0; i < 4; i++) await world.key(mine, { name: `k${i}` })
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await world.get(`/v1/api_keys?limit=2${cursor && `&cursor=${cursor}`}`, { key: chief })
      seen.push(...(page.body.data as { name: string }[]).map(({ name }) => name))
      expect(page.body.has_more).toBe(page.body.next_cursor !== null)
      cursor = page.body.next_cursor
    }
    expect(seen).toEqual(['k3', 'k2', 'k1', 'k0', 'prueba'])
  })

  it('400 invalid_cursor for a garbled one or one of another list, 400 invalid_field for a limit out of range', async () => {
    const { body } = await world.get('/v1/api_keys?limit=1', { key: root })
    for (const cursor of ['cur_x', 'x', `${body.next_cursor}x`, '']) {
      expect(refused(await world.get(`/v1/api_keys?cursor=${cursor}`, { key: root })).slice(0, 2)).toEqual([
        400,
        'invalid_cursor',
      ])
    }
    const foreign = await world.get(`/v1/events?cursor=${body.next_cursor}`, { key: root })
    expect(refused(foreign).slice(0, 2)).toEqual([400, 'invalid_cursor'])
    for (const limit of ['0', '101', '-1', 'ten', '1.5', '']) {
      expect(refused(await world.get(`/v1/api_keys?limit=${limit}`, { key: root }))).toEqual([
        400,
        'invalid_field',
        'limit',
      ])
    }
  })
})

describe('POST /v1/api_keys/{key_id}/roll', () => {
  it('200 gives a new secret while the previous one works for 24 hours, and then no more', async () => {
    const old = await world.key(account)
    const id = await idOf(old)
    const rolled = await world.post(`/v1/api_keys/${id}/roll`, { key: root })
    expect([rolled.status, rolled.body.id, rolled.body.last4]).toEqual([200, id, rolled.body.secret.slice(-4)])
    for (const key of [old, rolled.body.secret]) expect((await world.get('/v1/account', { key })).status).toBe(200)
    const [overlap] = await world.db.sql<{ hours: number }>`
      select round(extract(epoch from expires_at - now()) / 3600)::int as hours from api_key_secret where hash = ${hashSecret(old)}`
    expect(overlap?.hours).toBe(24)
    await world.db
      .sql`update api_key_secret set expires_at = now() - interval '1 minute' where hash = ${hashSecret(old)}`
    world.app.cache.invalidate(id)
    expect((await world.get('/v1/account', { key: old })).status).toBe(401)
    expect((await world.get('/v1/account', { key: rolled.body.secret })).status).toBe(200)
  })

  it('409 api_key_roll_conflict for the loser of two concurrent rolls, whose secret never existed', async () => {
    const id = await idOf(await world.key(account))
    let release: () => void = () => undefined
    const held = world.db.transact(async (sql) => {
      await sql`select 1 from api_key where id = ${id} for update`
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    const free = () => world.db.sql`select 1 from api_key where id = ${id} for update skip locked`
    await expect.poll(async () => (await free()).length).toBe(0)
    const rolls = [1, 2].map(() => world.post(`/v1/api_keys/${id}/roll`, { key: root }))
    const waiting = () =>
      world.db.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting()).length).toBe(2)
    release()
    await held
    const answers = await Promise.all(rolls)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('api_key_roll_conflict')
    const secrets = await world.db.sql`select 1 from api_key_secret where key_id = ${id}`
    expect(secrets).toHaveLength(2)
  })

  it('leaves two secrets at most: the newest, and the one before it', async () => {
    const first = await world.key(account)
    const roll = async () => (await world.post(`/v1/api_keys/${await idOf(first)}/roll`, { key: root })).body.secret
    const second = await roll()
    const third = (await world.post(`/v1/api_keys/${await idOf(second)}/roll`, { key: root })).body.secret
    const works = async (key: string) => (await world.get('/v1/account', { key })).status
    expect([await works(first), await works(second), await works(third)]).toEqual([401, 200, 200])
  })

  it('gives one winner of what a key does with one secret at once: the rest come after its roll', async () => {
    const key = await world.key(account, { scopes: SCOPE_NAMES })
    const id = await idOf(key)
    let release: () => void = () => undefined
    const held = world.db.transact(async (sql) => {
      await sql`select 1 from account where id = ${account} for update`
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    const waiting = () =>
      world.db.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const free = () => world.db.sql`select 1 from account where id = ${account} for update skip locked`
    await expect.poll(async () => (await free()).length).toBe(0)
    const calls = [() => world.post(`/v1/api_keys/${id}/roll`, { key })]
    calls.push(() => world.post('/v1/webhook_endpoints', { key, body: { url: 'http://127.0.0.1:1/' } }))
    calls.push(() => world.post(`/v1/api_keys/${id}/roll`, { key }))
    const sent: ReturnType<(typeof calls)[0]>[] = []
    for (const call of calls) {
      sent.push(call())
      await expect.poll(async () => (await waiting()).length).toBe(sent.length)
    }
    release()
    await held
    const codes = (await Promise.all(sent)).map(({ status, body }) => [status, body.error?.code])
    expect(codes).toEqual([
      [200, undefined],
      [403, 'privilege_escalation'],
      [409, 'api_key_roll_conflict'],
    ])
  })

  it('404 api_key_not_found for a key of nobody', async () => {
    const sent = await world.post('/v1/api_keys/key_nobody/roll', { key: root })
    expect(refused(sent).slice(0, 2)).toEqual([404, 'api_key_not_found'])
  })
})

describe('DELETE /v1/api_keys/{key_id}', () => {
  it('204 at once: the very next call with it is 401', async () => {
    const doomed = await world.key(account)
    const id = await idOf(doomed)
    expect((await world.delete(`/v1/api_keys/${id}`, { key: root })).status).toBe(204)
    expect((await world.get('/v1/account', { key: doomed })).status).toBe(401)
    expect((await world.delete(`/v1/api_keys/${id}`, { key: root })).status).toBe(404)
    const events = await world.get('/v1/events?type=api_key.revoked&limit=1', { key: root })
    expect(events.body.data[0].data.object.id).toBe(id)
  })

  it('204 for a session', async () => {
    const id = await idOf(await world.key(account))
    const session = await world.session(account)
    expect((await world.delete(`/dashboard/api_keys/${id}`, { session, mode: 'test' })).status).toBe(204)
  })

  it('403 root_key_required: a key cannot revoke itself', async () => {
    const sent = await world.delete(`/v1/api_keys/${await idOf(root)}`, { key: root })
    expect(refused(sent).slice(0, 2)).toEqual([403, 'root_key_required'])
  })
})

describe('last_used_at', () => {
  it('is written within seconds of a call, not on every call', async () => {
    const key = await world.key(account)
    const id = await idOf(key)
    await expect.poll(async () => (await world.get('/v1/account', { key })).body.key.last_used_at).not.toBeNull()
    const [row] = await world.db.sql<{ last_used_at: Date }>`select last_used_at from api_key where id = ${id}`
    expect(row?.last_used_at).toBeInstanceOf(Date)
  })
})
