import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertCertificate } from '../../../../test/support/insert-certificate.ts'
import { MASTER_KEY } from '../../../../test/support/master-key.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { localVault } from '../../../adapters/vault/local.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { oneKey } from '../../../kernel/vault.ts'
import { openSfgCredential, recordSfgRefusal } from './lookup.ts'

const PASSWORD = 'clave-centralizada-ñ-7751'
const RUT = '11111111-1'
const vault = localVault(oneKey(MASTER_KEY).keys)

let world: World
let account: string
let key: string
let scope: EmpresaScope
let path: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account({ plan: 'house' })
  key = await world.key(account, { mode: 'live' })
  const rut = randomRut()
  const body = { rut, legal_name: 'Almacén Sur', origen: 'gratuito' }
  const { id } = (await world.post('/v1/empresas', { key, body })).body
  await world.db.sql`update empresa set emitting_since = now(), certified_tipos = doc_types where id = ${id}`
  await insertCertificate(world, id)
  world.app.cache.invalidate(account)
  scope = { account_id: account, mode: 'live', empresa_id: id, rut }
  path = `/v1/empresas/${id}/sfg_credential`
})
afterAll(() => world.close())

const store = (body: object = { rut: RUT, password: PASSWORD }) => world.post(path, { key, body })
const capabilities = async () => (await world.get(`/v1/empresas/${scope.empresa_id}`, { key })).body.capabilities

describe('/v1/empresas/{empresa_id}/sfg_credential', () => {
  it('404 while there is none, and the empresa on the free portal is told what to do', async () => {
    expect((await world.get(path, { key })).body.error.code).toBe('sfg_credential_not_found')
    expect((await world.delete(path, { key })).body.error.code).toBe('sfg_credential_not_found')
    expect(await openSfgCredential(world.db.sql, vault, scope)).toBeNull()
    const next = { who: 'customer', api: `POST /empresas/${scope.empresa_id}/sfg_credential`, url: null }
    expect(await capabilities()).toEqual({ can_emit: false, tipos: [], blocked_by: 'credential', next })
  })

  it('201 shows whose it is and never the password, which rests sealed and opens for its own row alone, while the empresa is active', async () => {
    const sent = await store()
    expect([sent.status, Object.keys(sent.body)]).toEqual([
      201,
      ['object', 'rut', 'stored_at', 'last_used_at', 'last_refused_at'],
    ])
    expect((await world.get(path, { key })).body).toEqual(sent.body)
    expect((await capabilities()).can_emit).toBe(true)
    const rows = await world.db.sql`select row_to_json(c)::text as text from sfg_credential c`
    const kept = JSON.stringify(rows) + world.log_lines.join()
    expect([PASSWORD, Buffer.from(PASSWORD).toString('hex')].some((written) => kept.includes(written))).toBe(false)
    expect(await openSfgCredential(world.db.sql, vault, scope)).toEqual({ rut: RUT, password: PASSWORD })
    const evidence = await world.get(`/v1/empresas/${scope.empresa_id}/onboarding/evidence`, { key })
    expect(evidence.body.data).toMatchObject([
      { step: 'credential', act: 'credential_stored', actor: null, via: 'api' },
    ])
    const become = (status: string) =>
      world.db.sql`update empresa set status = ${status} where id = ${scope.empresa_id}`
    await become('suspended')
    expect(await openSfgCredential(world.db.sql, vault, scope)).toBeNull()
    await become('active')
    await recordSfgRefusal(world.db.sql, scope)
    const { last_used_at, last_refused_at } = (await world.get(path, { key })).body
    expect([last_used_at, last_refused_at]).not.toContain(null)
    await world.db.sql`update sfg_credential set rut = '22222222-2'`
    await expect(openSfgCredential(world.db.sql, vault, scope)).rejects.toThrow()
  })

  it('takes no Idempotency-Key, whose digest of the request would tell a short password', async () => {
    const request = { key, headers: { 'idempotency-key': 'uno' }, body: { rut: RUT, password: '1234' } }
    const [one, two] = [await world.post(path, request), await world.post(path, request)]
    expect([one.status, two.status, two.headers['svc-idempotent-replay']]).toEqual([201, 201, undefined])
    expect(await world.db.sql`select 1 from idempotency where account_id = ${account}`).toEqual([])
  })

  it('204 destroys it, and a replaced one leaves nothing of the refusals of the last', async () => {
    expect((await store()).body.last_refused_at).toBeNull()
    expect((await world.delete(path, { key })).status).toBe(204)
    expect(await world.db.sql`select 1 from sfg_credential`).toEqual([])
    expect((await capabilities()).blocked_by).toBe('credential')
    const changes = (await world.get(`/v1/events?type=empresa.updated&empresa_rut=${scope.rut}`, { key })).body.data
    expect(
      changes.map(
        ({ data }: { data: { object: { capabilities: { can_emit: boolean } } } }) => data.object.capabilities.can_emit,
      ),
    ).toEqual([false, true])
  })

  it('400 for a RUT that is none and for no password', async () => {
    expect((await store({ rut: '1-2', password: 'x' })).body.error.code).toBe('invalid_rut')
    expect((await store({ rut: RUT, password: '' })).body.error.code).toBe('invalid_field')
  })

  it.each(['\r\n', '\n', '\t', '\u0085', '\u2028'])(
    '400 for a password with %j in it, which would end its field on the wire',
    async (broken) => {
      const { status, body } = await store({ rut: RUT, password: `clave${broken}rut=1` })
      expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_field', 'password'])
    },
  )
})
