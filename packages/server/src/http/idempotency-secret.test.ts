import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOLETA, type Issuer, openIssuer } from '../../test/support/issuer.ts'
import { MASTER_KEY } from '../../test/support/master-key.ts'
import { openWorld, type Request, randomRut, type World } from '../../test/support/world.ts'
import { localVault } from '../adapters/vault/local.ts'
import { SCOPE_NAMES } from '../catalog/scopes.ts'
import { currentTerms } from '../domain/platform/mandato/terms.ts'
import { fingerprintOf } from '../kernel/idempotency.ts'
import { OPERATIONS } from '../operations.ts'

let world: World
let issuer: Issuer
let keys: readonly [string, string]
let session: string

beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world, { scopes: SCOPE_NAMES })
  keys = [issuer.key, await world.key(issuer.account, { scopes: SCOPE_NAMES })]
  session = await world.session(issuer.account)
})
afterAll(() => world.close())

interface Asked {
  readonly path: string
  readonly body?: object
  readonly empresa?: string
}

const hook = async () => {
  const body = { url: 'http://127.0.0.1:1/timbre' }
  return (await world.post('/v1/webhook_endpoints', { key: issuer.key, body })).body.id as string
}
const keyId = async (key: string) => (await world.get('/v1/account', { key })).body.key.id as string
const connection = async () => (await issuer.post('/v1/connections', {})).body.id as string

/** How to ask for each secret: an operation that tells one cannot come without a line here. */
const ASKED: Record<string, () => Promise<Asked>> = {
  'api_keys.create': async () => ({ path: '/api_keys', body: { name: 'x', scopes: ['documents:read'] } }),
  'api_keys.roll': async () => {
    const { body } = await world.get('/v1/account', { key: await world.key(issuer.account) })
    return { path: `/api_keys/${body.key.id}/roll` }
  },
  'webhook_endpoints.create': async () => ({ path: '/webhook_endpoints', body: { url: 'http://127.0.0.1:1/otra' } }),
  'webhook_endpoints.rotate_secret': async () => ({ path: `/webhook_endpoints/${await hook()}/rotate_secret` }),
  'documents.public_links.create': async () => {
    const { body } = await issuer.create(BOLETA)
    return { path: `/documents/${body.id}/public_links`, body: {}, empresa: issuer.rut }
  },
  'tax.f29.proposals.public_links.create': async () => {
    await issuer.post('/v1/tax/f29/proposals/2026-09/recompute', {})
    return { path: '/tax/f29/proposals/2026-09/public_links', body: {}, empresa: issuer.rut }
  },
  'onboarding.links.create': async () => ({
    path: `/empresas/${issuer.empresa_id}/onboarding/links`,
    body: { step: 'mandato' },
  }),
  'mandato.revocation_link': async () => {
    const signer = { rut: '11111111-1', name: 'Ana Soto', role: 'representante_legal' }
    const { body } = await world.post('/v1/empresas', {
      key: keys[0],
      body: { rut: randomRut(), legal_name: 'Uno SpA' },
    })
    const path = `/empresas/${body.id}/mandato`
    await world.post(`/v1${path}`, { key: keys[0], body: { terms_version: currentTerms().version, signer } })
    return { path: `${path}/revocation_link`, body: {} }
  },
  'connections.create': async () => ({ path: '/connections', body: {}, empresa: issuer.rut }),
  'connections.reconnect': async () => ({ path: `/connections/${await connection()}/reconnect`, empresa: issuer.rut }),
}

type Shape = { readonly properties?: Readonly<Record<string, object>> }

/** The secrets of an answer, wherever its schema says that one is. */
function secretsIn(schema: object | null, value: unknown): unknown[] {
  if (schema === null || typeof value !== 'object' || value === null) return []
  const properties = Object.entries((schema as Shape).properties ?? {})
  return properties.flatMap(([name, property]) => {
    const inside = (value as Record<string, unknown>)[name]
    return 'x-secret' in property ? [inside] : secretsIn(property, inside)
  })
}

const TELLING = OPERATIONS.filter(({ reveals_secret, idempotent }) => reveals_secret && idempotent !== false)

describe('an answer with a secret', () => {
  it('is known for every operation that replays one', () => {
    expect(TELLING.map(({ id }) => id).sort()).toEqual(Object.keys(ASKED).sort())
  })

  for (const { id, returns, status } of TELLING) {
    it(`${id} is replayed to the credential that asked, and to no other`, async () => {
      const ask = ASKED[id] as () => Promise<Asked>
      const { path, ...asked } = await ask()
      const headers = { 'idempotency-key': randomUUID() }
      const by = (root: string, who: Request) => world.post(root + path, { ...asked, ...who, headers })
      const [first, second] = keys
      const other = await world.session(issuer.account)
      const callers: [string, Request][] = [
        ['/v1', { key: first }],
        ['/v1', { key: second }],
        ['/dashboard', { session, mode: 'test' }],
        ['/dashboard', { session: other, mode: 'test' }],
      ]
      const sent = []
      for (const [root, who] of callers) {
        const one = await by(root, who)
        const again = await by(root === '/v1' ? root : `/v1${root}`, who)
        expect([one.status, one.headers['svc-idempotent-replay']]).toEqual([status, undefined])
        expect([again.text, again.headers['svc-idempotent-replay']]).toEqual([one.text, 'true'])
        sent.push(one)
      }
      const told = sent.flatMap(({ body }) => secretsIn(returns, body))
      expect(told.length).toBeGreaterThanOrEqual(sent.length)
      expect(new Set(told).size).toBe(told.length)
    })
  }
})

const contacts = () => `/empresas/${issuer.empresa_id}/counterparties/76192083-9/contacts`
const contact = async () =>
  (await issuer.post(`/v1${contacts()}`, { email: `${randomUUID()}@example.cl` })).body.id as string

/** What changes or ends such a thing, and tells no secret. */
const PERSON = { rut: '12345678-5', name: 'Rosa Pérez', role: 'representante_legal' }

const CHANGED: Record<string, () => Promise<Asked>> = {
  'api_keys.revoke': async () => ({ path: `/api_keys/${await keyId(await world.key(issuer.account))}` }),
  'agent_grants.revoke': async () => ({ path: '/agent_grants/agr_nobody' }),
  'webhook_endpoints.update': async () => ({
    path: `/webhook_endpoints/${await hook()}`,
    body: { url: 'http://127.0.0.1:1/x' },
  }),
  'webhook_endpoints.delete': async () => ({ path: `/webhook_endpoints/${await hook()}` }),
  'documents.public_links.delete': async () => {
    const { body } = await issuer.create(BOLETA)
    return { path: `/documents/${body.id}/public_links`, empresa: issuer.rut }
  },
  'tax.f29.proposals.public_links.delete': async () => ({
    path: '/tax/f29/proposals/2026-09/public_links',
    empresa: issuer.rut,
  }),
  'connections.delete': async () => ({ path: `/connections/${await connection()}`, empresa: issuer.rut }),
  'connections.exchange': async () => ({
    path: `/connections/${await connection()}/exchange`,
    body: { exchange_token: 'sandbox_banco_prueba' },
    empresa: issuer.rut,
  }),
  'counterparties.contacts.create': async () => ({
    path: contacts(),
    body: { email: 'mal@example.cl', primary: true },
  }),
  'counterparties.contacts.update': async () => ({ path: `${contacts()}/${await contact()}`, body: { name: 'Otro' } }),
  'counterparties.contacts.delete': async () => ({ path: `${contacts()}/${await contact()}` }),
  'automation_settings.update': async () => ({
    path: `/empresas/${issuer.empresa_id}/automation_settings`,
    body: { email_documents_on_acceptance: true },
  }),
  'branding.update': async () => ({ path: `/empresas/${issuer.empresa_id}/branding`, body: { footer_text: 'x' } }),
  'certificate.upload': async () => ({
    path: `/empresas/${issuer.empresa_id}/certificate`,
    body: { file: 'eA==', password: 'x' },
  }),
  'certificate.delete': async () => ({ path: `/empresas/${issuer.empresa_id}/certificate` }),
  'sfg_credential.store': async () => ({
    path: `/empresas/${issuer.empresa_id}/sfg_credential`,
    body: { rut: '12345678-5', password: 'x' },
  }),
  'sfg_credential.delete': async () => ({ path: `/empresas/${issuer.empresa_id}/sfg_credential` }),
  'onboarding.certification.set_file': async () => ({
    path: `/empresas/${issuer.empresa_id}/onboarding/certification/set_file`,
    body: { file: 'QQ==' },
  }),
  'onboarding.certification.inputs': async () => ({
    path: `/empresas/${issuer.empresa_id}/onboarding/certification/inputs`,
    body: { inputs: [{ key: 'giro', value: 'Pan' }] },
  }),
  'onboarding.links.revoke': async () => ({ path: `/empresas/${issuer.empresa_id}/onboarding/links/mandato` }),
  'counterparties.update': async () => ({
    path: `/empresas/${issuer.empresa_id}/counterparties/76192083-9`,
    body: { legal_name: 'Otro' },
  }),
  'mandato.record': async () => ({ path: `/empresas/${issuer.empresa_id}/mandato`, body: {} }),
  'mandato.revoke': async () => ({ path: `/empresas/${issuer.empresa_id}/mandato` }),
  'onboarding.go_live': async () => ({ path: `/empresas/${issuer.empresa_id}/onboarding/go_live`, body: {} }),
  'onboarding.steps.attest': async () => ({
    path: `/empresas/${issuer.empresa_id}/onboarding/steps/clave_centralizado/attest`,
    body: { performed_by: PERSON },
  }),
  'onboarding.steps.approve': async () => ({
    path: `/empresas/${issuer.empresa_id}/onboarding/steps/cumplimiento/approve`,
    body: { decision: 'approve', approved_by: PERSON },
  }),
  'onboarding.steps.recheck': async () => ({
    path: `/empresas/${issuer.empresa_id}/onboarding/steps/cumplimiento/recheck`,
    body: {},
  }),
  'empresas.create': async () => ({ path: '/empresas', body: { rut: randomRut(), legal_name: 'Otra SpA' } }),
  'empresas.update': async () => ({ path: `/empresas/${issuer.empresa_id}`, body: { status: 'archived' } }),
  'empresas.delete': async () => ({ path: `/empresas/${issuer.empresa_id}` }),
  'documents.cede': async () => ({
    path: '/documents/doc_none/cede',
    body: {
      cesionario: {
        rut: '78901234-2',
        legal_name: 'Factoring S.A.',
        address: { street: 'Huérfanos 1055', comuna: 'Santiago' },
        email: 'operaciones@factoring.cl',
      },
    },
    empresa: issuer.rut,
  }),
  'cafs.annul': async () => ({ path: '/cafs/caf_none/annul', empresa: issuer.rut }),
  'cafs.deactivate': async () => ({ path: '/cafs/caf_none', empresa: issuer.rut }),
  'tax.f29.filings.create': async () => ({
    path: '/tax/f29/filings',
    body: { period: '2026-09' },
    empresa: issuer.rut,
  }),
  'received_documents.quarantine.discard': async () => ({
    path: '/received_documents/quarantine/qua_none/discard',
    empresa: issuer.rut,
  }),
  'tax.expenses.delete': async () => ({ path: '/tax/expenses/exp_none', empresa: issuer.rut }),
  'tax.statements.delete': async () => ({ path: '/tax/statements/sta_none', empresa: issuer.rut }),
  'documents.payments.delete': async () => ({ path: '/documents/doc_none/payments/pay_none', empresa: issuer.rut }),
  'received_documents.payments.delete': async () => ({
    path: '/received_documents/rdo_none/payments/pay_none',
    empresa: issuer.rut,
  }),
}

/** What the day of grace is left for: a program that has not heard of the new secret goes on working. */
const DAILY_WORK: readonly string[] = [
  // Issuing, correcting and sending.
  'documents.create',
  'documents.previews.create',
  'documents.invoice_guias',
  'documents.credit_note',
  'documents.send',
  'documents.retry',
  'documents.cesion',
  // Not running out of folios.
  'folios.request',
  'cafs.upload',
  // Answering suppliers, whose days are counted by the law.
  'received_documents.accept',
  'received_documents.reject',
  'received_documents.acknowledge_receipt',
  'received_documents.quarantine.release',
  // The month: registers, expenses, payments, movements.
  'tax.sync',
  'tax.purchases.characterize',
  'tax.purchases.characterize_many',
  'tax.purchases.revert',
  'tax.purchases.estado_contable',
  'tax.f29.proposals.recompute',
  'tax.expenses.create',
  'tax.expenses.update',
  'documents.payments.create',
  'received_documents.payments.create',
  'tax.statements.create',
  'tax.statements.preview',
  'tax.movements.match',
  'tax.movements.unmatch',
  'tax.movements.merge',
  'tax.movements.unmerge',
  'tax.suggestions.confirm',
  'tax.suggestions.dismiss',
  'connections.sync',
  // What is there already is sent once more, where it was sent before.
  'webhook_endpoints.ping',
  'webhook_endpoints.deliveries.retry',
]
const LASTING = OPERATIONS.filter(({ lasting }) => lasting)

describe('a secret that was rolled out', () => {
  it('is decided for every write of a credential whether it lasts or is daily work', () => {
    const writes = OPERATIONS.filter(({ method, reach }) => method !== 'GET' && ['account', 'empresa'].includes(reach))
    const daily = writes.filter(({ lasting, test_only }) => !lasting && !test_only)
    expect(daily.map(({ id }) => id).sort()).toEqual([...DAILY_WORK].sort())
  })

  it('is known for every operation that makes, changes or ends what lasts, each in a transaction', () => {
    expect(LASTING.map(({ id }) => id).sort()).toEqual([...Object.keys(ASKED), ...Object.keys(CHANGED)].sort())
    expect(LASTING.filter(({ one_statement }) => one_statement)).toEqual([])
  })

  it('403 privilege_escalation at each of them, and for a repetition of what it once asked for', async () => {
    const old = await world.key(issuer.account, { scopes: SCOPE_NAMES })
    const kept = new Map<string, [Asked, string]>()
    for (const { id } of TELLING.filter(({ replayable }) => !replayable)) {
      const asked = await (ASKED[id] as () => Promise<Asked>)()
      const key = randomUUID()
      await world.post(`/v1${asked.path}`, { ...asked, key: old, headers: { 'idempotency-key': key } })
      kept.set(id, [asked, key])
    }
    await world.post(`/dashboard/api_keys/${await keyId(old)}/roll`, { session, mode: 'test' })
    const refusal = ({
      status,
      body,
    }: {
      status: number
      body: { error?: { code: string; details?: object } } | null
    }) => [status, body?.error?.code, body?.error?.details]
    const refused = [403, 'privilege_escalation', { exceeds: 'secret' }]
    for (const { id, method } of LASTING) {
      const { path, ...asked } = await ((ASKED[id] ?? CHANGED[id]) as () => Promise<Asked>)()
      const by = { ...asked, key: old }
      const send = { POST: world.post, PATCH: world.patch, DELETE: world.delete, GET: world.get }[method]
      expect(refusal(await send.call(world, `/v1${path}`, by)), id).toEqual(refused)
    }
    for (const [id, [asked, key]] of kept) {
      const again = await world.post(`/v1${asked.path}`, { ...asked, key: old, headers: { 'idempotency-key': key } })
      expect(refusal(again), `${id} again`).toEqual(refused)
    }
    expect((await world.get('/v1/account', { key: old })).status).toBe(200)
  })
})

describe('a roll whose answer was lost', () => {
  async function rolled() {
    const old = await world.key(issuer.account, { scopes: SCOPE_NAMES })
    const path = `/v1/api_keys/${await keyId(old)}/roll`
    const headers = { 'idempotency-key': randomUUID() }
    const roll = (key: string) => world.post(path, { key, headers })
    return { old, roll, secret: (await roll(old)).body.secret as string }
  }
  const reused = [409, 'idempotency_key_reused']

  it('is told again to the secret that asked, until the new one is first used', async () => {
    const { old, roll, secret } = await rolled()
    expect((await roll(old)).body.secret).toBe(secret)
    expect((await world.get('/v1/account', { key: secret })).status).toBe(200)
    const again = await roll(old)
    expect([again.status, again.body.error.code]).toEqual(reused)
    expect(again.text).not.toContain('sk_')
  })

  it('is told no more after five minutes, nor once the key was rolled again', async () => {
    const { old, roll, secret } = await rolled()
    const id = await keyId(old)
    await world.db.sql`
      update api_key_secret set made_at = ${new Date(Date.now() - 301_000)} where key_id = ${id} and expires_at is null`
    expect((await roll(old)).status).toBe(409)
    const next = await rolled()
    await world.post(`/dashboard/api_keys/${await keyId(next.old)}/roll`, { session, mode: 'test' })
    expect((await next.roll(next.old)).status).toBe(401)
    expect(secret).not.toBe(next.secret)
  })

  it('409 for the new secret with the same Idempotency-Key, which neither rolls again nor is told anything', async () => {
    const { old, roll, secret } = await rolled()
    const again = await roll(secret)
    expect([again.status, again.body.error.code]).toEqual(reused)
    expect((await world.get('/v1/account', { key: old })).status).toBe(200)
    const secrets = await world.db.sql`select 1 from api_key_secret where key_id = ${await keyId(old)}`
    expect(secrets).toHaveLength(2)
  })
})

describe('an answer without one', () => {
  it('is replayed to every credential of the account, at whichever of its addresses the operation is asked for', async () => {
    const asked = [
      { path: '/empresas', body: { rut: randomRut(), legal_name: 'Otra SpA' } },
      { path: '/documents', body: BOLETA, empresa: issuer.rut },
    ]
    for (const { path, ...rest } of asked) {
      const request = { ...rest, headers: { 'idempotency-key': randomUUID() } }
      const sent = [
        await world.post(`/dashboard${path}`, { session, mode: 'test', ...request }),
        await world.post(`/v1/dashboard${path}`, { session, mode: 'test', ...request }),
        await world.post(`/v1${path}`, { key: issuer.key, ...request }),
      ]
      expect(sent.map(({ status, text, headers }) => [status, text, headers['svc-idempotent-replay']])).toEqual(
        [undefined, 'true', 'true'].map((replay) => [201, sent[0]?.text, replay]),
      )
    }
  })
})

describe('the fingerprint of a request', () => {
  const asked = () => [
    { path: '/empresas', operation: 'empresas.create', body: { rut: randomRut(), legal_name: 'Otra SpA' } },
    { path: '/documents', operation: 'documents.create', body: BOLETA, empresa: issuer.rut },
  ]

  it('rests sealed: of a body with a secret in it nothing is left that a guess could be tried on', async () => {
    for (const { path, operation: _, ...rest } of asked()) {
      const key = randomUUID()
      expect(
        (await world.post(`/v1${path}`, { key: issuer.key, ...rest, headers: { 'idempotency-key': key } })).status,
      ).toBe(201)
      const plain = fingerprintOf(`POST /v1${path}`, Buffer.from(JSON.stringify(rest.body))).toString('hex')
      const [row] = await world.db.sql<{ text: string; fingerprint: Buffer }>`
        select i::text as text, fingerprint from idempotency i where key = ${key}`
      expect(row?.fingerprint).toHaveLength(0)
      expect(row?.text).not.toContain(plain)
    }
  })

  it('of a row of the release before, which has it in plain, is still compared', async () => {
    for (const { path, operation, ...rest } of asked()) {
      const key = randomUUID()
      const send = (body: object = rest.body) =>
        world.post(`/v1${path}`, { key: issuer.key, ...rest, body, headers: { 'idempotency-key': key } })
      const first = await send()
      const empresa_id = 'empresa' in rest ? issuer.empresa_id : ''
      const owner = JSON.stringify([issuer.account, 'test', empresa_id, operation, key])
      const answer = localVault(new Map([[1, MASTER_KEY]])).seal(owner, Buffer.from(first.text))
      const fingerprint = fingerprintOf(`POST /v1${path}`, Buffer.from(JSON.stringify(rest.body)))
      await world.db.sql`
        update idempotency set answer = ${Buffer.from(answer)}, fingerprint = ${fingerprint} where key = ${key}`
      const again = await send()
      expect([again.status, again.text, again.headers['svc-idempotent-replay']]).toEqual([201, first.text, 'true'])
      expect((await send({ ...rest.body, metadata: { a: 'b' } })).status).toBeGreaterThanOrEqual(400)
    }
  })
})
