import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { lockMailboxAccounts } from '../account/lookup.ts'
import { findByReceptionEmail } from './lookup.ts'
import { reachEmpresa } from './scope.ts'

let world: World
let account: string
let test: string
let live: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  test = await world.key(account)
  live = await world.key(account, { mode: 'live' })
})
afterAll(() => world.close())

const body = (more: object = {}) => ({ rut: randomRut(), legal_name: 'Panadería Ñuñoa SpA', ...more })
const create = (more: object = {}, key = test) => world.post('/v1/empresas', { key, body: body(more) })

describe('POST /v1/empresas', () => {
  it('201 makes a sandbox empresa that emits at once and reserves nothing', async () => {
    const { status, body: empresa } = await create()
    expect(status).toBe(201)
    expect(empresa).toMatchObject({
      object: 'empresa',
      mode: 'test',
      legal_name: 'Panadería Ñuñoa SpA',
      giro: null,
      acteco: [],
      address: { street: null, comuna: null, city: null },
      ambiente: 'certificacion',
      emission_channel: 'mercado',
      certification_track: null,
      doc_types: [33, 34, 39, 41, 46, 52, 56, 61],
      origen: 'ninguno',
      reception_email: null,
      status: 'active',
      onboarding: {
        status: 'emitting',
        progress: 1,
        blocked_on: null,
        next_action_url: null,
        url: expect.stringMatching(/\/v1\/empresas\/emp_\w+\/onboarding$/),
      },
      capabilities: { can_emit: true, tipos: [33, 34, 39, 41, 46, 52, 56, 61], blocked_by: null, next: null },
      resolucion: null,
      resolucion_boletas: null,
      boleta_emission_enabled_at: null,
    })
    expect(empresa.id).toMatch(/^emp_/)
  })

  it('201 makes a live empresa that waits for its mandato and has a reception alias', async () => {
    const { status, body: empresa } = await create({ origen: 'mercado' }, live)
    expect(status).toBe(201)
    expect(empresa).toMatchObject({
      mode: 'live',
      ambiente: 'certificacion',
      doc_types: [33, 56, 61],
      reception_email: `${empresa.rut}@recepcion.timbre.test`,
      onboarding: { status: 'mandato_pending', progress: 0, blocked_on: 'mandato' },
      capabilities: {
        can_emit: false,
        tipos: [],
        blocked_by: 'mandato',
        next: { who: 'customer', api: expect.stringMatching(/^GET .*\/onboarding$/), url: null },
      },
    })
  })

  it('201 keeps every field as it was sent', async () => {
    const sent = {
      giro: 'Elaboración de pan',
      acteco: [107100, 471100],
      address: { street: 'Av. Irarrázaval 1234', comuna: 'Ñuñoa', city: 'Santiago' },
      codigo_sucursal: '81234567',
      contact_email: 'hola@panaderia.cl',
      doc_types: [39, 33],
      emission_channel: 'sfg',
      certification_track: 'mercado',
      origen: 'gratuito',
    }
    const { body: empresa } = await create({ ...sent, resolucion_boletas: { fecha: '2021-03-01' } })
    expect(empresa).toMatchObject({ ...sent, doc_types: [33, 39], resolucion_boletas: { fecha: '2021-03-01' } })
    const read = await world.get(`/v1/empresas/${empresa.id}`, { key: test })
    expect(read.body).toEqual(empresa)
  })

  it('201 puts whoever emits on the free portal on its channel, without tipo 46', async () => {
    const { body: empresa } = await create({ origen: 'gratuito' })
    expect(empresa.emission_channel).toBe('sfg')
    expect(empresa.doc_types).toEqual([33, 34, 39, 41, 52, 56, 61])
  })

  it('201 tells of it in the ledger with the resource as a GET shows it', async () => {
    const { body: empresa } = await create()
    const events = await world.get(`/v1/events?type=empresa.created&empresa_rut=${empresa.rut}`, { key: test })
    expect(events.body.data).toHaveLength(1)
    expect(events.body.data[0]).toMatchObject({ empresa: { id: empresa.id, rut: empresa.rut } })
    expect(events.body.data[0].data).toEqual({ object: empresa })
  })

  it('201 declares a resolución that waits for the operator and skips nothing', async () => {
    const { body: empresa } = await create({ resolucion: { numero: 80, fecha: '2014-08-22' } })
    expect(empresa.resolucion).toEqual({
      numero: 80,
      fecha: '2014-08-22',
      verified: false,
      verified_at: null,
      verification_status: 'pending_verification',
      verification_request: null,
      refusal: null,
    })
  })

  it('201 replays the first answer for the same Idempotency-Key', async () => {
    const request = { key: test, headers: { 'idempotency-key': 'una-vez' }, body: body() }
    const first = await world.post('/v1/empresas', request)
    const second = await world.post('/v1/empresas', request)
    expect(second.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(second.headers['svc-idempotent-replay']).toBe('true')
  })

  it('201 lets one RUT live in both modes', async () => {
    const rut = randomRut()
    expect((await create({ rut })).status).toBe(201)
    expect((await create({ rut, origen: 'ninguno' }, live)).status).toBe(201)
  })

  it('201 for one and 409 empresa_exists for the other when two make the same RUT at once', async () => {
    const rut = randomRut()
    const sent = await Promise.all([create({ rut }), create({ rut })])
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 409])
    const [made, refused] = sent[0].status === 201 ? sent : [sent[1], sent[0]]
    expect(refused.body.error).toMatchObject({ code: 'empresa_exists', existing_id: made.body.id, param: 'rut' })
  })

  it('409 empresa_exists does not say which empresa of another account it is', async () => {
    const { body: empresa } = await create()
    const stranger = await world.key(await world.account())
    const { status, body: refused } = await create({ rut: empresa.rut }, stranger)
    expect(status).toBe(409)
    expect(refused.error.code).toBe('empresa_exists')
    expect(refused.error).not.toHaveProperty('existing_id')
  })

  it('403 empresa_not_allowed when the RUT is outside the allowlist of the key', async () => {
    const rut = randomRut()
    const token = await world.key(account, { empresas: [rut] })
    const refused = await create({}, token)
    expect(refused.status).toBe(403)
    expect(refused.body.error.code).toBe('empresa_not_allowed')
    expect((await create({ rut }, token)).status).toBe(201)
  })

  it('403 insufficient_scope without empresas:write', async () => {
    const reader = await world.key(account, { scopes: ['empresas:read'] })
    const { body: refused } = await create({}, reader)
    expect(refused.error).toMatchObject({ code: 'insufficient_scope', details: { scope: 'empresas:write' } })
  })

  it('400 empresa_header_forbidden because no empresa exists yet', async () => {
    const { body: refused } = await world.post('/v1/empresas', { key: test, empresa: randomRut(), body: body() })
    expect(refused.error.code).toBe('empresa_header_forbidden')
  })
})

describe('POST /v1/empresas refuses what is outside the domain of a field', () => {
  const future = new Date(systemNow() + 3 * 86_400_000).toISOString().slice(0, 10)
  const cases: readonly (readonly [title: string, more: object, code: string, param: string])[] = [
    ['a missing rut', { rut: undefined }, 'invalid_rut', 'rut'],
    ['a wrong check digit', { rut: '76192083-8' }, 'invalid_rut', 'rut'],
    ['a rut with dots', { rut: '76.192.083-9' }, 'invalid_rut', 'rut'],
    ['a missing legal_name', { legal_name: undefined }, 'invalid_field', 'legal_name'],
    ['an empty legal_name', { legal_name: '' }, 'invalid_field', 'legal_name'],
    ['a blank legal_name', { legal_name: '   ' }, 'invalid_field', 'legal_name'],
    ['a legal_name of 101 characters', { legal_name: 'ñ'.repeat(101) }, 'invalid_field', 'legal_name'],
    ['a legal_name outside ISO-8859-1', { legal_name: 'Café “Central”' }, 'invalid_field', 'legal_name'],
    ['a legal_name of two lines', { legal_name: 'Uno\nDos' }, 'invalid_field', 'legal_name'],
    ['a giro of 41 characters', { giro: 'g'.repeat(41) }, 'invalid_field', 'giro'],
    ['a street of 71 characters', { address: { street: 's'.repeat(71) } }, 'invalid_field', 'address.street'],
    ['a comuna of 21 characters', { address: { comuna: 'c'.repeat(21) } }, 'invalid_field', 'address.comuna'],
    ['a city outside ISO-8859-1', { address: { city: 'Łódź' } }, 'invalid_field', 'address.city'],
    ['an unknown field of the address', { address: { zip: '1' } }, 'invalid_field', 'address.zip'],
    ['no tipo at all', { doc_types: [] }, 'invalid_field', 'doc_types'],
    ['a tipo that is not issued here', { doc_types: [33, 110] }, 'invalid_field', 'doc_types'],
    ['a tipo as text', { doc_types: ['33'] }, 'invalid_field', 'doc_types'],
    ['a tipo twice', { doc_types: [33, 33] }, 'invalid_field', 'doc_types'],
    ['tipos that are no list', { doc_types: 33 }, 'invalid_field', 'doc_types'],
    ['an unknown channel', { emission_channel: 'fax' }, 'invalid_field', 'emission_channel'],
    ['an unknown track', { certification_track: 'fax' }, 'invalid_field', 'certification_track'],
    ['an unknown origen', { origen: 'otro' }, 'invalid_field', 'origen'],
    ['an activity the SII does not know', { acteco: [999999] }, 'invalid_field', 'acteco'],
    ['an activity that is no code', { acteco: ['pan'] }, 'invalid_field', 'acteco'],
    ['a name every object has as an activity', { acteco: ['constructor'] }, 'invalid_field', 'acteco'],
    [
      'more activities than a DTE carries',
      { acteco: [107100, 471100, 11101, 11102, 11103] },
      'invalid_field',
      'acteco',
    ],
    ['a branch code that is no number', { codigo_sucursal: 'matriz' }, 'invalid_field', 'codigo_sucursal'],
    ['a branch code of ten digits', { codigo_sucursal: '1234567890' }, 'invalid_field', 'codigo_sucursal'],
    ['a contact_email that is none', { contact_email: 'nadie' }, 'invalid_field', 'contact_email'],
    ['ambiente, which is derived', { ambiente: 'produccion' }, 'invalid_field', 'ambiente'],
    ['status, which a machine moves', { status: 'archived' }, 'invalid_field', 'status'],
    ['a resolución of tomorrow', { resolucion: { numero: 80, fecha: future } }, 'invalid_field', 'resolucion.fecha'],
    ['a resolución without its number', { resolucion: { fecha: '2014-08-22' } }, 'invalid_field', 'resolucion.numero'],
    ['a day that never was', { resolucion: { numero: 80, fecha: '2023-02-29' } }, 'invalid_field', 'resolucion.fecha'],
    ['a day before the SII', { resolucion: { numero: 80, fecha: '1999-12-31' } }, 'invalid_field', 'resolucion.fecha'],
    [
      'a number of seven digits',
      { resolucion: { numero: 1_000_000, fecha: '2014-08-22' } },
      'invalid_field',
      'resolucion.numero',
    ],
    [
      'a habilitación of tomorrow',
      { resolucion_boletas: { fecha: future } },
      'invalid_field',
      'resolucion_boletas.fecha',
    ],
    [
      'a number on a habilitación',
      { resolucion_boletas: { fecha: '2021-03-01', numero: 1 } },
      'invalid_field',
      'resolucion_boletas.numero',
    ],
  ]
  for (const [title, more, code, param] of cases) {
    it(`400 ${code} names ${param} for ${title}`, async () => {
      const { status, body: refused } = await create(more)
      expect(status).toBe(400)
      expect(refused.error).toMatchObject({ code, param })
    })
  }

  it('400 invalid_field names origen when a live key does not send it', async () => {
    const { status, body: refused } = await create({}, live)
    expect(status).toBe(400)
    expect(refused.error).toMatchObject({ code: 'invalid_field', param: 'origen' })
  })

  it('422 tipo_not_available_for_channel names doc_types for tipo 46 on sfg, and for no other tipo', async () => {
    const refused = await create({ emission_channel: 'sfg', doc_types: [33, 46] })
    expect(refused.status).toBe(422)
    expect(refused.body.error).toMatchObject({
      code: 'tipo_not_available_for_channel',
      param: 'doc_types',
      details: { channel: 'sfg', tipos: [46] },
    })
    const rest = await create({ emission_channel: 'sfg', doc_types: [33, 34, 39, 41, 52, 56, 61] })
    expect(rest.status).toBe(201)
  })

  it('400 leaves nothing behind', async () => {
    const rut = randomRut()
    await create({ rut, acteco: [999999] })
    expect((await create({ rut })).status).toBe(201)
  })
})

describe('live empresas whose RUT nothing has proven', () => {
  const hold = (key: string) => create({ origen: 'ninguno' }, key)

  it('422 unproven_empresa_limit_reached beyond five, however many are asked for at once, archived ones among them', async () => {
    const own = await world.account({ unproven_empresas: null })
    const key = await world.key(own, { mode: 'live' })
    const sent = await Promise.all(Array.from({ length: 9 }, () => hold(key)))
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 422, 422, 422, 422])
    const refused = sent.find(({ status }) => status === 422)
    expect(refused?.body.error.code).toBe('unproven_empresa_limit_reached')
    await world.db.sql`update empresa set status = 'archived' where account_id = ${own}`
    expect((await hold(key)).status).toBe(422)
  })

  it('422 for five over all the accounts of one mailbox, whatever tag each was opened with', async () => {
    const mailbox = randomRut()
    const opened = async (email: string) => {
      const own = await world.account({ unproven_empresas: null })
      await world.db.sql`update account set email = ${email} where id = ${own}`
      return world.key(own, { mode: 'live' })
    }
    const keys = [
      await opened(`ana${mailbox}@example.cl`),
      await opened(`Ana${mailbox}+1@Example.cl`),
      await opened(`ana${mailbox}+2@example.cl`),
    ]
    const sent = await Promise.all(keys.flatMap((key) => [hold(key), hold(key), hold(key)]))
    expect(sent.filter(({ status }) => status === 201)).toHaveLength(5)
    expect((await hold(await opened(`benito${mailbox}@example.cl`))).status).toBe(201)
    expect((await hold(await opened(`ana${mailbox}@example.com`))).status).toBe(201)
  })

  it('finds the accounts of a mailbox by an index, however many accounts there are', async () => {
    const walks = await world.db.transact(async (sql) => {
      // A handful of rows would be walked otherwise.
      await sql`set local enable_seqscan = off`
      expect(await lockMailboxAccounts(sql, account)).toEqual([account])
      return sql`select seq_scan::integer as walks from pg_stat_xact_user_tables where relname = 'account'`
    })
    expect(walks).toEqual([{ walks: 0 }])
  })

  it('201 once one of them is proven, and without end in the sandbox', async () => {
    const own = await world.account({ unproven_empresas: null })
    const [key, sandbox] = [await world.key(own, { mode: 'live' }), await world.key(own)]
    for (let i = 0; i < 5; i++) await hold(key)
    for (let i = 0; i < 6; i++) expect((await create({}, sandbox)).status).toBe(201)
    for (const proof of ['emitting', 'resolucion']) {
      expect((await hold(key)).status).toBe(422)
      await world.db.sql`
        update empresa set emitting_since = case when ${proof === 'emitting'} then now() end,
          resolucion_status = case when ${proof === 'resolucion'} then 'verified' else resolucion_status end
        where id = (select id from empresa where account_id = ${own} and mode = 'live'
          and emitting_since is null and resolucion_status is null limit 1)`
      expect((await hold(key)).status).toBe(201)
    }
  })

  it('tells nobody at the limit whether a RUT is held, and nobody else by whom', async () => {
    const [one, other] = [
      await world.account({ unproven_empresas: null }),
      await world.account({ unproven_empresas: null }),
    ]
    const [key, stranger] = [await world.key(one, { mode: 'live' }), await world.key(other, { mode: 'live' })]
    const held = (await hold(key)).body.rut
    const taken = await create({ origen: 'ninguno', rut: held }, stranger)
    expect([taken.status, taken.body.error.code, taken.body.error.existing_id]).toEqual([
      409,
      'empresa_exists',
      undefined,
    ])
    expect(taken.text).not.toContain(one)
    for (let i = 0; i < 5; i++) await hold(stranger)
    expect((await create({ origen: 'ninguno', rut: held }, stranger)).body.error.code).toBe(
      'unproven_empresa_limit_reached',
    )
  })

  it('403 email_verification_required for a live one by a session whose address nobody confirmed', async () => {
    const session = await world.session(await world.account({ verified: false }))
    const body = { rut: randomRut(), legal_name: 'Uno SpA', origen: 'ninguno' }
    const sent = await world.post('/dashboard/empresas', { session, mode: 'live', body })
    expect([sent.status, sent.body.error.code]).toEqual([403, 'email_verification_required'])
    expect((await world.post('/dashboard/empresas', { session, mode: 'test', body })).status).toBe(201)
    const confirmed = await world.session(await world.account())
    expect((await world.post('/dashboard/empresas', { session: confirmed, mode: 'live', body })).status).toBe(201)
  })

  const longAgo = (id: string) =>
    world.db.sql`update empresa set rut_held_until = ${new Date(Date.now() - 1000)} where id = ${id}`
  const archive = (id: string, key: string) => world.patch(`/v1/empresas/${id}`, { key, body: { status: 'archived' } })

  it('409 for 30 days for a RUT whose empresa was archived before anything proved it, and its mail goes to nobody', async () => {
    const [own, other] = [
      await world.key(await world.account(), { mode: 'live' }),
      await world.key(await world.account(), { mode: 'live' }),
    ]
    const { id, rut, reception_email } = (await hold(own)).body
    expect((await archive(id, own)).status).toBe(200)
    const refused = await create({ origen: 'ninguno', rut }, other)
    expect([refused.status, refused.body.error.code, refused.body.error.existing_id]).toEqual([
      409,
      'empresa_exists',
      undefined,
    ])
    expect(await findByReceptionEmail(world.db.sql, reception_email)).toBeNull()
    const [held] = await world.db.sql<{ days: number }>`
      select round(extract(epoch from rut_held_until - now()) / 86400)::int as days from empresa where id = ${id}`
    expect(held?.days).toBe(30)
    expect((await create({ origen: 'ninguno', rut }, own)).status).toBe(201)
    expect((await create({ origen: 'ninguno', rut }, other)).status).toBe(409)
  })

  it('201 after that time, to one of many who ask at once', async () => {
    const keys = await Promise.all(
      Array.from({ length: 5 }, async () => world.key(await world.account(), { mode: 'live' })),
    )
    const [squatter = '', ...owners] = keys
    const { id, rut } = (await hold(squatter)).body
    await archive(id, squatter)
    await longAgo(id)
    const sent = await Promise.all(owners.map((key) => create({ origen: 'ninguno', rut }, key)))
    const made = sent.filter(({ status }) => status === 201)
    expect([made.length, made[0]?.body.reception_email]).toEqual([1, expect.stringContaining(rut)])
    expect(sent.filter(({ status }) => ![201, 409].includes(status)).map(({ text }) => text)).toEqual([])
    const kept = await world.get(`/v1/empresas/${id}`, { key: squatter })
    expect([kept.status, kept.body.status]).toEqual([200, 'archived'])
  })

  it('names the empresa that has the RUT, where its account archived another one and created it again', async () => {
    const account = await world.account()
    const key = await world.key(account, { mode: 'live' })
    const { id, rut } = (await hold(key)).body
    await world.patch(`/v1/empresas/${id}`, { key, body: { status: 'archived' } })
    const again = await create({ origen: 'ninguno', rut }, key)
    expect(again.status).toBe(201)
    const taken = await create({ origen: 'ninguno', rut }, key)
    expect([taken.status, taken.body.error.existing_id]).toEqual([409, again.body.id])
    const scope = { account_id: account, mode: 'live' as const }
    const named = await reachEmpresa({ sql: world.db.sql }, scope, { kind: 'session' } as never, { rut })
    expect(named.scope.empresa_id).toBe(again.body.id)
  })

  it('409 empresa_exists for the RUT of an archived empresa that something proved', async () => {
    const [key, other] = [
      await world.key(await world.account(), { mode: 'live' }),
      await world.key(await world.account(), { mode: 'live' }),
    ]
    const { id, rut } = (await hold(key)).body
    await world.db.sql`update empresa set resolucion_status = 'verified' where id = ${id}`
    await world.patch(`/v1/empresas/${id}`, { key, body: { status: 'archived' } })
    expect((await create({ origen: 'ninguno', rut }, other)).body.error.code).toBe('empresa_exists')
  })
})
