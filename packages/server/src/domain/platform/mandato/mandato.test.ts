import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertCertificate } from '../../../../test/support/insert-certificate.ts'
import { openWorld, randomRut, type Sent, type World } from '../../../../test/support/world.ts'
import type { Mode } from '../../../catalog/modes.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { REAL_TIME } from '../../../kernel/clock.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { REACTIONS } from '../../../reactions.ts'
import { expectMandato } from './lookup.ts'
import { signMandato } from './sign.ts'
import { currentTerms, findTerms, showTerms, TERMS, termsToSign } from './terms.ts'

const ANA = { rut: '11111111-1', name: 'Ana Soto', role: 'representante_legal' } as const
const VERSION = currentTerms().version
const SIGNED = { terms_version: VERSION, signer: ANA }
const BROWSER = 'Mozilla/5.0 (Prueba)'

let world: World
let account_id: string
const keys: Record<Mode, string> = { test: '', live: '' }
beforeAll(async () => {
  world = await openWorld()
  account_id = await world.account({ plan: 'house' })
  for (const mode of ['test', 'live'] as const) keys[mode] = await world.key(account_id, { mode, scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

async function empresa(mode: Mode = 'live'): Promise<EmpresaScope> {
  const rut = randomRut()
  const body = { rut, legal_name: 'Viña Maule S.A.', origen: 'mercado' }
  const made = await world.post('/v1/empresas', { key: keys[mode], body })
  return { account_id, mode, empresa_id: made.body.id, rut }
}

const base = ({ empresa_id }: EmpresaScope) => `/v1/empresas/${empresa_id}`
const path = (scope: EmpresaScope) => `${base(scope)}/mandato`
const headers = { 'user-agent': BROWSER }
const record = (scope: EmpresaScope, body?: object) =>
  world.post(path(scope), { key: keys[scope.mode], headers, ...(body && { body }) })
const revoke = (scope: EmpresaScope) => world.delete(path(scope), { key: keys[scope.mode], headers })
const read = async (scope: EmpresaScope) => (await world.get(path(scope), { key: keys[scope.mode] })).body
const statusOf = async (scope: EmpresaScope) => (await world.get(base(scope), { key: keys[scope.mode] })).body.status
const codeOf = ({ status, body }: Sent) => [status, body.error.code, body.error.param ?? null]
const eventsOf = async ({ rut, mode }: EmpresaScope) => {
  const { body } = await world.get(`/v1/events?empresa_rut=${rut}`, { key: keys[mode] })
  const told = body.data
    .map(({ type, data }: { type: string; data: { detail?: object } }) => [type, data.detail])
    .reverse()
  // What the onboarding makes of it is told apart, and has tests of its own.
  return (told as [string, object?][]).filter(
    ([type, detail]) => !type.startsWith('empresa.onboarding') && (type !== 'empresa.updated' || detail),
  )
}
const evidenceOf = async (scope: EmpresaScope) =>
  (await world.get(`${base(scope)}/onboarding/evidence`, { key: keys[scope.mode] })).body.data

describe('GET /v1/mandato_terms', () => {
  it('200 shows the text of today to anybody, with the digest of exactly that text', async () => {
    const { status, body } = await world.get('/v1/mandato_terms')
    expect([status, body.object, body.version]).toEqual([200, 'mandato_terms', VERSION])
    expect(body.sha256).toBe(createHash('sha256').update(body.text, 'utf8').digest('hex'))
    for (const { title, text } of body.clauses) expect(body.text).toContain(`${title}\n${text}`)
    expect((await world.get(`/v1/mandato_terms?version=${VERSION}`)).body).toEqual(body)
    expect(codeOf(await world.get('/v1/mandato_terms?version=1999'))).toEqual([
      404,
      'mandato_terms_not_found',
      'version',
    ])
  })

  it('never changes a text that was published: people signed it', () => {
    expect(TERMS.map(({ version, sha256 }) => [version, sha256])).toEqual([
      ['2026-11-16', '2f2b782055d0fa310ca16fc2f6c2cb10910465d30bb456de7768619803fa031f'],
    ])
  })

  it('takes signatures under the newest text alone, and still shows the older ones', () => {
    const text = { published_at: '2030-01-01T00:00:00.000Z', title: 'Otro', clauses: [] }
    const terms = [...TERMS, showTerms({ ...text, version: '2030-01-01' })]
    expect(termsToSign('2030-01-01', terms).title).toBe('Otro')
    expect(findTerms(VERSION, terms)?.version).toBe(VERSION)
    const refused = (version: string) => {
      try {
        return termsToSign(version, terms)
      } catch (error) {
        return error instanceof Problem && [error.code, error.facts.param]
      }
    }
    expect(refused(VERSION)).toEqual(['mandato_terms_outdated', 'terms_version'])
    expect(refused('1999')).toEqual(['invalid_field', 'terms_version'])
  })
})

describe('POST /v1/empresas/{empresa_id}/mandato', () => {
  it('201 records who signed which text, tells of it and keeps the evidence; the same again changes nothing', async () => {
    const scope = await empresa()
    expect(await read(scope)).toEqual({
      object: 'mandato',
      mode: 'live',
      status: 'none',
      terms_version: null,
      signer: null,
      via: null,
      signed_at: null,
      revoked_at: null,
    })
    const sent = await record(scope, SIGNED)
    expect(sent.status, sent.text).toBe(201)
    expect(sent.body).toMatchObject({
      status: 'signed',
      terms_version: VERSION,
      signer: ANA,
      via: 'api',
      revoked_at: null,
    })
    expect(await record(scope, SIGNED)).toMatchObject({ status: 201, body: sent.body })
    expect(await read(scope)).toEqual(sent.body)
    expect(await statusOf(scope)).toBe('active')
    expect(await eventsOf(scope)).toEqual([
      ['empresa.created', undefined],
      ['empresa.updated', { mandato: { status: 'signed', terms_version: VERSION } }],
    ])
    expect(await evidenceOf(scope)).toEqual([
      {
        object: 'evidence',
        id: expect.stringMatching(/^evd_/),
        step: 'mandato',
        act: 'mandato_signed',
        actor: ANA,
        at: sent.body.signed_at,
        ip: '127.0.0.1',
        user_agent: BROWSER,
        document: { version: VERSION, sha256: currentTerms().sha256 },
        via: 'api',
      },
    ])
  })

  it('400 names the field of what cannot be recorded, and 409 refuses to sign again what was not revoked', async () => {
    const scope = await empresa()
    const refused: [object | undefined, unknown[]][] = [
      [undefined, [409, 'mandato_not_revoked', null]],
      [{}, [409, 'mandato_not_revoked', null]],
      [{ signer: ANA }, [400, 'invalid_field', 'terms_version']],
      [{ terms_version: VERSION }, [400, 'invalid_field', 'signer']],
      [{ ...SIGNED, terms_version: '1999' }, [400, 'invalid_field', 'terms_version']],
      [{ ...SIGNED, signer: { ...ANA, rut: '11111111-2' } }, [400, 'invalid_rut', 'signer.rut']],
      [{ ...SIGNED, signer: { ...ANA, name: 'Ana\nSoto' } }, [400, 'invalid_field', 'signer.name']],
      [{ ...SIGNED, signer: { ...ANA, name: '  ' } }, [400, 'invalid_field', 'signer.name']],
      [{ ...SIGNED, signer: { ...ANA, role: 'titular_cuenta' } }, [400, 'invalid_field', 'signer.role']],
    ]
    for (const [body, answer] of refused)
      expect(codeOf(await record(scope, body)), JSON.stringify(body)).toEqual(answer)
    expect((await read(scope)).status).toBe('none')
    await record(scope, SIGNED)
    expect(codeOf(await record(scope, {}))).toEqual([409, 'mandato_not_revoked', null])
    expect(await evidenceOf(scope)).toHaveLength(1)
  })

  it('lets a hand on a page take the place of what was recorded over the API, and not the other way', async () => {
    const scope = await empresa()
    await world.db.transact((sql) => expectMandato({ sql }, scope))
    expect((await read(scope)).status).toBe('pending')
    await record(scope, SIGNED)
    const sign = (via: 'api' | 'hosted_page') =>
      world.app.transactor.transact({ ...scope, clock: REAL_TIME }, async (sql, unit) =>
        signMandato(
          {
            sql,
            now: () => new Date('2026-11-16T12:00:00Z'),
            ports: { sii: { live: {} } } as never,
            addresses: {} as never,
            emit: (event) => unit.emit(event),
            enqueue: unit.enqueue.bind(unit, sql),
            invalidate: (id) => unit.invalidate(id),
            reactions: REACTIONS,
          },
          scope,
          { ...SIGNED, via, ip: '10.0.0.1', user_agent: null },
        ),
      )
    expect((await sign('hosted_page')).via).toBe('hosted_page')
    expect((await sign('api')).via).toBe('hosted_page')
    expect((await evidenceOf(scope)).map(({ via, ip }: { via: string; ip: string }) => [via, ip])).toEqual([
      ['hosted_page', '10.0.0.1'],
      ['api', '127.0.0.1'],
    ])
  })
})

describe('DELETE /v1/empresas/{empresa_id}/mandato', () => {
  it('204 suspends a live empresa; an empty POST signs the same again and it goes on where it stood', async () => {
    const scope = await empresa()
    expect(codeOf(await revoke(scope))).toEqual([404, 'mandato_not_found', null])
    await record(scope, SIGNED)
    const before = (await world.get(base(scope), { key: keys.live })).body
    for (let times = 0; times < 2; times++) expect((await revoke(scope)).status).toBe(204)
    const revoked = await read(scope)
    expect(revoked).toMatchObject({ status: 'revoked', signer: ANA, revoked_at: expect.any(String) })
    const rename = () => world.patch(base(scope), { key: keys.live, body: { giro: 'Viñas' } })
    expect(codeOf(await rename())).toEqual([403, 'empresa_inactive', null])
    expect(await statusOf(scope)).toBe('suspended')

    expect(await record(scope)).toMatchObject({
      status: 201,
      body: { status: 'signed', signer: ANA, revoked_at: null },
    })
    expect((await world.get(base(scope), { key: keys.live })).body).toEqual(before)
    expect((await rename()).status).toBe(200)
    const mandato = { terms_version: VERSION }
    expect((await eventsOf(scope)).slice(2, 4)).toEqual([
      ['empresa.suspended', { mandato: { ...mandato, status: 'revoked' } }],
      ['empresa.reactivated', { mandato: { ...mandato, status: 'signed' } }],
    ])
    expect((await evidenceOf(scope)).map(({ act, actor }: { act: string; actor: object }) => [act, actor])).toEqual([
      ['mandato_signed', ANA],
      ['mandato_revoked', null],
      ['mandato_signed', ANA],
    ])
  })

  it('409 asks for the new text where the one that was signed before is not of today', async () => {
    const scope = await empresa()
    await record(scope, SIGNED)
    await revoke(scope)
    await world.db.sql`update mandato set terms_version = '2020-01-01' where empresa_id = ${scope.empresa_id}`
    const sent = await record(scope, {})
    expect(codeOf(sent)).toEqual([409, 'mandato_terms_outdated', 'terms_version'])
    expect(sent.body.error.details).toEqual({ signed_version: '2020-01-01', current_version: VERSION })
    expect(await statusOf(scope)).toBe('suspended')
    expect((await record(scope, SIGNED)).status).toBe(201)
    expect(await statusOf(scope)).toBe('active')
  })

  it('is a rehearsal in the sandbox: the empresa goes on', async () => {
    const scope = await empresa('test')
    await record(scope, SIGNED)
    expect((await revoke(scope)).status).toBe(204)
    const { body } = await world.get(base(scope), { key: keys.test })
    expect([body.status, body.capabilities.can_emit]).toEqual(['active', true])
    expect((await read(scope)).status).toBe('revoked')
    expect((await eventsOf(scope)).at(-1)).toEqual([
      'empresa.updated',
      { mandato: { status: 'revoked', terms_version: VERSION } },
    ])
  })

  it('works on an archived empresa, which stays archived and signs no more', async () => {
    const scope = await empresa()
    await record(scope, SIGNED)
    await world.patch(base(scope), { key: keys.live, body: { status: 'archived' } })
    expect((await revoke(scope)).status).toBe(204)
    expect(await statusOf(scope)).toBe('archived')
    expect(codeOf(await record(scope, {}))).toEqual([403, 'empresa_inactive', null])
    expect((await read(scope)).status).toBe('revoked')
    expect(await evidenceOf(scope)).toHaveLength(2)
  })
})

describe('GET /v1/empresas/{empresa_id}/certificate', () => {
  it('200 names the signer of the mandato while it stands', async () => {
    const scope = await empresa('test')
    await insertCertificate(world, scope.empresa_id)
    const signer = async () => (await world.get(`${base(scope)}/certificate`, { key: keys.test })).body.mandato_signer
    expect(await signer()).toBeNull()
    await record(scope, SIGNED)
    expect(await signer()).toEqual({ rut: ANA.rut, name: ANA.name })
    await revoke(scope)
    expect(await signer()).toBeNull()
  })
})
