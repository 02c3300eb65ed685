import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AUDIT_ACTIONS } from '../src/catalog/audit.ts'
import { SCOPE_NAMES } from '../src/catalog/scopes.ts'
import { isOperators } from '../src/domain/context.ts'
import type { Operation } from '../src/domain/operation.ts'
import { revokeSlug } from '../src/domain/platform/agent-grant/revoke.ts'
import { currentTerms } from '../src/domain/platform/mandato/terms.ts'
import type { StepKey } from '../src/domain/platform/onboarding/lanes.ts'
import { OPERATIONS } from '../src/operations.ts'
import { grantTo } from './support/agent-grant.ts'
import { openBuyer } from './support/buyer.ts'
import { type FolioWorld, openFolioWorld } from './support/folio-stock.ts'
import { insertCertificate } from './support/insert-certificate.ts'
import { confirmed, letterTo, newPerson, restOfPost, tokenIn } from './support/mailbox.ts'
import { connect, newPerson as letIn } from './support/oauth-client.ts'
import { waitAt } from './support/onboarding.ts'
import { OPERATOR_SECRET, randomRut, type Sent, type World } from './support/world.ts'

interface Row {
  readonly action: string
  readonly outcome: string
  readonly code: string | null
  readonly actor_kind: string
  readonly actor_id: string | null
  readonly ip: string | null
  readonly request_id: string
  readonly subject: string | null
  readonly account_id: string | null
}

let at: FolioWorld
let world: World
beforeAll(async () => {
  at = await openFolioWorld()
  world = at.world
})
afterAll(() => world.close())

/** The row that a call left, by the id of its request. */
async function rowsOf(sent: Sent): Promise<Row[]> {
  return world.db.sql<Row>`select * from audit_entry where request_id = ${sent.headers['svc-request-id']} order by id`
}

/** What comes near a credential, an address of the account, something in custody, or the operator's acts. */
function isSensitive({ method, reach, api, scope, id, path }: Operation): boolean {
  if (method === 'GET') return false
  if (api === 'bootstrap' || isOperators(reach) || scope === 'keys:write') return true
  // Who receives documents, whether they are sent by themselves, what signs them, and by whose leave.
  if (/\/(contacts|automation_settings|branding|certificate|sfg_credential|mandato|onboarding)\b/.test(path))
    return true
  return /^\/(webhook_endpoints|connections|cafs|api_keys|agent_grants)\b/.test(path) || id === 'test_helpers.clock.set'
}

/** Sensitive by their address, and harmless by what they do. */
const EXEMPT = [
  'account.resend_verification',
  // Looked up by a job, which tells: the answer must not show whether there is such an account.
  'account.forgot_password',
  'connections.sync',
  // It only looks again.
  'onboarding.steps.recheck',
  // They only refuse today.
  // A rehearsal: nothing stands behind it.
  'test_helpers.onboarding.rehearse',
  'test_helpers.onboarding.move_step',
  'webhook_endpoints.ping',
  'webhook_endpoints.deliveries.retry',
]

const operator = { 'svc-operator-secret': OPERATOR_SECRET }
const PERIOD = '2026-09'

const representante = { rut: '12345678-5', name: 'Rosa Pérez', role: 'representante_legal' }
const titular = { ...representante, role: 'titular_cuenta' }

const SET = [
  'SET BASICO - NUMERO DE ATENCION: 900001',
  'CASO 900001-1',
  '==============',
  'DOCUMENTO\tFACTURA ELECTRONICA',
  'ITEM\tCANTIDAD\tPRECIO UNITARIO',
  'Pan AFECTO\t1\t100',
].join('\r\n')

/** An act on a live empresa whose onboarding waits for just that. */
async function onboardingAct(step: StepKey, path: string, sent: object, lane: 'mercado' | 'sfg' = 'mercado') {
  const { empresa_id } = await at.empresa({ body: { emission_channel: lane, doc_types: [33, 61] } })
  await waitAt(world, empresa_id, lane, step)
  return world.post(`/v1/empresas/${empresa_id}/onboarding/${path}`, { key: at.live, body: sent })
}

/** An act of the operator on a step that is theirs. */
async function operatorAct(act: string, body: object, step: StepKey = 'puesta_en_vivo'): Promise<Sent> {
  const lane = step === 'folios' ? 'mercado' : 'sfg'
  const { empresa_id } = await at.empresa({ body: { emission_channel: lane, doc_types: [33] } })
  await waitAt(world, empresa_id, lane, step)
  await world.db.sql`
    update onboarding_step set status = 'in_progress', opened_at = now(), handed_over = '{"why": "No wire.", "at": "2026-11-16"}'
    where empresa_id = ${empresa_id} and key = ${step}`
  const path = `/v1/empresas/${empresa_id}/onboarding/steps/${step}/${act}`
  return world.post(path, { headers: operator, body })
}

/** One call of each audited operation that goes through. */
const CALLS: Readonly<Record<string, () => Promise<Sent>>> = {
  'account.register': () =>
    world.post('/account/register', { body: { email: `${randomUUID()}@example.cl`, password: 'una clave larga' } }),
  async 'account.login'() {
    const { email, password } = await newPerson(world)
    return world.post('/account/login', { body: { email, password } })
  },
  'account.logout': async () => world.post('/account/logout', { session: (await newPerson(world)).token }),
  async 'account.verify_email'() {
    const { email } = await newPerson(world)
    return world.post('/account/verify_email', { body: { token: tokenIn(await letterTo(world, email, /./)) } })
  },
  async 'account.disown'() {
    const { email } = await newPerson(world)
    return world.post('/account/disown', { body: { token: tokenIn(await letterTo(world, email, /./)) } })
  },
  async 'account.reset_password'() {
    const { email } = await newPerson(world)
    await world.post('/account/forgot_password', { body: { email } })
    await restOfPost(world)
    const token = tokenIn(await letterTo(world, email, /contraseña/))
    return world.post('/account/reset_password', { body: { token, password: 'otra clave larga' } })
  },
  async 'account.change_password'() {
    const { token: session, password: current_password } = await newPerson(world)
    return world.post('/account/change_password', { session, body: { current_password, password: 'otra clave larga' } })
  },
  async 'account.change_email'() {
    const { token: session, password } = await newPerson(world)
    return world.post('/account/change_email', { session, body: { email: `${randomUUID()}@example.cl`, password } })
  },
  async 'account.restore_email'() {
    const { email, token: session, password } = await confirmed(world, await newPerson(world))
    const other = `${randomUUID()}@example.cl`
    await world.post('/account/change_email', { session, body: { email: other, password } })
    const link = tokenIn(await letterTo(world, other, /nuevo correo/))
    await world.post('/account/verify_email', { body: { token: link } })
    const token = tokenIn(await letterTo(world, email, /Cambió el correo/))
    return world.post('/account/restore_email', { body: { token } })
  },
  async 'account.close'() {
    const { token: session, password } = await newPerson(world)
    return world.post('/account/close', { session, body: { password } })
  },
  'account.plan.record': async () =>
    world.post(`/v1/accounts/${await world.account()}/plan`, { headers: operator, body: { plan: 'house' } }),
  async 'agent_grants.revoke'() {
    const { id } = await grantTo(world, at.account_id)
    return world.delete(`/v1/agent_grants/${id}`, { key: at.test })
  },
  'api_keys.create': () =>
    world.post('/v1/api_keys', { key: at.test, body: { name: 'x', scopes: ['documents:read'] } }),
  'api_keys.revoke': async () => world.delete(`/v1/api_keys/${await newKey()}`, { key: at.test }),
  'api_keys.roll': async () => world.post(`/v1/api_keys/${await newKey()}/roll`, { key: at.test }),
  async 'cafs.upload'() {
    const scope = await at.empresa()
    return at.upload(scope, at.issue(scope.rut, { first_folio: 1, last_folio: 5 }))
  },
  async 'cafs.deactivate'() {
    const scope = await at.empresa()
    const id = await at.grant(scope, { first_folio: 1, last_folio: 5 })
    return world.delete(`/v1/cafs/${id}`, { key: at.live, empresa: scope.rut })
  },
  async 'cafs.annul'() {
    const scope = await at.empresa()
    const id = await at.grant(scope, { first_folio: 1, last_folio: 5 })
    await world.delete(`/v1/cafs/${id}`, { key: at.live, empresa: scope.rut })
    return world.post(`/v1/cafs/${id}/annul`, { key: at.live, empresa: scope.rut })
  },
  async 'automation_settings.update'() {
    const { empresa_id } = await at.empresa({ mode: 'test' })
    const body = { email_documents_on_acceptance: true }
    return world.patch(`/v1/empresas/${empresa_id}/automation_settings`, { key: at.test, body })
  },
  async 'branding.update'() {
    const { empresa_id } = await at.empresa({ mode: 'test' })
    return world.patch(`/v1/empresas/${empresa_id}/branding`, { key: at.test, body: { footer_text: 'Gracias' } })
  },
  async 'certificate.upload'() {
    const [{ empresa_id: from }, { empresa_id }] = [
      await at.empresa({ mode: 'test' }),
      await at.empresa({ mode: 'test' }),
    ]
    const reuse = await insertCertificate(world, from)
    return world.post(`/v1/empresas/${empresa_id}/certificate`, { key: at.test, body: { reuse } })
  },
  async 'certificate.delete'() {
    const { empresa_id } = await at.empresa({ mode: 'test' })
    await insertCertificate(world, empresa_id)
    return world.delete(`/v1/empresas/${empresa_id}/certificate`, { key: at.test })
  },
  'mandato.record': async () => (await newMandato()).sent,
  'mandato.revoke': async () => world.delete((await newMandato()).path, { key: at.test }),
  'sfg_credential.store': async () => (await newCredential()).sent,
  'sfg_credential.delete': async () => world.delete((await newCredential()).path, { key: at.test }),
  'counterparties.contacts.create': async () => (await newContact()).sent,
  async 'counterparties.contacts.update'() {
    const { sent, path } = await newContact()
    return world.patch(`${path}/${sent.body.id}`, { key: at.test, body: { name: 'Ana' } })
  },
  async 'counterparties.contacts.delete'() {
    const { sent, path } = await newContact()
    return world.delete(`${path}/${sent.body.id}`, { key: at.test })
  },
  'connections.create': async () => (await newConnection()).sent,
  async 'connections.delete'() {
    const { sent, rut } = await newConnection()
    return world.delete(`/v1/connections/${sent.body.id}`, { key: at.test, empresa: rut })
  },
  'connections.exchange': async () => linked(await newConnection()),
  async 'connections.reconnect'() {
    const made = await newConnection()
    await linked(made)
    await world.db.sql`update connection set status = 'needs_reconnect' where id = ${made.sent.body.id}`
    return world.post(`/v1/connections/${made.sent.body.id}/reconnect`, { key: at.test, empresa: made.rut })
  },
  'empresas.create': () =>
    world.post('/v1/empresas', { key: at.test, body: { rut: randomRut(), legal_name: 'Otra SpA' } }),
  async 'empresas.update'() {
    const { empresa_id } = await at.empresa({ mode: 'test' })
    return world.patch(`/v1/empresas/${empresa_id}`, { key: at.test, body: { giro: 'Pan' } })
  },
  async 'counterparties.update'() {
    const { empresa_id } = await at.empresa({ mode: 'test' })
    const body = { legal_name: 'Pérez e Hijos' }
    return world.patch(`/v1/empresas/${empresa_id}/counterparties/76192083-9`, { key: at.test, body })
  },
  async 'empresas.delete'() {
    const { empresa_id } = await at.empresa({ mode: 'test' })
    return world.delete(`/v1/empresas/${empresa_id}`, { key: at.test })
  },
  'indicators.load': () => {
    const indicators = [{ indicator: 'utm', period: '2026-03', value: '69889' }]
    return world.post('/v1/indicators', { headers: operator, body: { indicators } })
  },
  async 'resolucion.verify'() {
    const { empresa_id } = await at.empresa({ body: { resolucion: { numero: 80, fecha: '2014-08-22' } } })
    return world.post(`/v1/empresas/${empresa_id}/resolucion/verify`, { headers: operator, body: { confirm: true } })
  },
  'mandato.revocation_link': async () =>
    world.post(`${(await newMandato()).path}/revocation_link`, { key: at.test, body: {} }),
  'onboarding.links.create': () => onboardingAct('sii_postulacion', 'links', { step: 'sii_postulacion' }),
  async 'onboarding.links.revoke'() {
    const { empresa_id } = await at.empresa({})
    return world.delete(`/v1/empresas/${empresa_id}/onboarding/links/mandato`, { key: at.live })
  },
  'onboarding.go_live': () => onboardingAct('emitting', 'go_live', { decision: 'decline', approved_by: titular }),
  'onboarding.steps.attest': () =>
    onboardingAct(
      'clave_centralizado',
      'steps/clave_centralizado/attest',
      { performed_by: { ...representante, role: 'titular_certificado' } },
      'sfg',
    ),
  'onboarding.steps.approve': () =>
    onboardingAct('sii_postulacion', 'steps/sii_postulacion/approve', {
      decision: 'decline',
      approved_by: representante,
    }),
  'onboarding.certification.set_file': () =>
    onboardingAct('set_de_pruebas', 'certification/set_file', { file: Buffer.from(SET).toString('base64') }),
  'onboarding.certification.inputs': () =>
    onboardingAct('set_de_pruebas', 'certification/inputs', { inputs: [{ key: 'products', value: 'Vino tinto' }] }),
  'onboarding.steps.take': async () => operatorAct('take', { by: 'Ana Soto' }),
  'onboarding.steps.automatic': async () => operatorAct('automatic', { by: 'Ana Soto' }, 'folios'),
  'onboarding.steps.look': async () => operatorAct('look', { by: 'Ana Soto' }),
  'onboarding.steps.restart': async () => operatorAct('restart', { by: 'Ana Soto' }),
  'onboarding.steps.done': async () => operatorAct('done', { by: 'Ana Soto' }),
  'onboarding.steps.refuse': async () => operatorAct('refuse', { by: 'Ana Soto', reason: 'Falta un dato.' }),
  'onboarding.switches.turn': () =>
    world.patch('/v1/onboarding/switches/folios', { headers: operator, body: { execution: 'automatic' } }),
  'received_documents.quarantine.release': () => settleQuarantined('release'),
  'received_documents.quarantine.discard': () => settleQuarantined('discard'),
  async 'subscription.record'() {
    const { empresa_id } = await at.empresa()
    const body = { status: 'active' }
    return world.post(`/v1/empresas/${empresa_id}/subscription`, { headers: operator, body })
  },
  async 'tax.f29.filings.outcome'() {
    const { account_id, empresa_id } = await at.empresa()
    const id = `f29_${randomUUID()}`
    await world.db.sql`
      insert into f29_filing (account_id, empresa_id, mode, id, period, proposal_version, codes, total, due_date, status,
        created_at)
      values (${account_id}, ${empresa_id}, 'live', ${id}, ${PERIOD}, 1, '[]', 0, '2026-10-20', 'awaiting_operator', now())`
    const body = { confirm: true, outcome: 'accepted', folio: '8123456789' }
    return world.post(`/v1/empresas/${empresa_id}/f29/filings/${id}/outcome`, { headers: operator, body })
  },
  async 'test_helpers.clock.set'() {
    const key = await world.key(await world.account())
    return world.post('/v1/test_helpers/clock', { key, body: { advance: 'P1D' } })
  },
  'webhook_endpoints.create': () => newEndpoint(),
  'webhook_endpoints.update': async () =>
    world.patch(`/v1/webhook_endpoints/${(await newEndpoint()).body.id}`, {
      key: at.test,
      body: { status: 'disabled' },
    }),
  'webhook_endpoints.delete': async () =>
    world.delete(`/v1/webhook_endpoints/${(await newEndpoint()).body.id}`, { key: at.test }),
  'webhook_endpoints.rotate_secret': async () =>
    world.post(`/v1/webhook_endpoints/${(await newEndpoint()).body.id}/rotate_secret`, { key: at.test }),
}

async function newKey(): Promise<string> {
  return (await world.post('/v1/api_keys', { key: at.test, body: { name: 'x', scopes: ['documents:read'] } })).body.id
}

const newEndpoint = () =>
  world.post('/v1/webhook_endpoints', { key: at.test, body: { url: `http://127.0.0.1:9/${randomUUID()}` } })

/** A factura whose folio somebody changed on its way, set aside, and what a person then decides. */
async function settleQuarantined(verb: 'release' | 'discard'): Promise<Sent> {
  const buyer = await openBuyer(world)
  const { body } = await buyer.receive()
  const sent = await buyer.get(`/v1/received_documents/${body.id}/xml`)
  const changed = sent.bytes.toString('latin1').replace(/<Folio>/, '<Folio>9')
  await buyer.post('/v1/test_helpers/received_documents', { xml: Buffer.from(changed, 'latin1').toString('base64') })
  const { data } = (await buyer.get('/v1/received_documents/quarantine')).body
  return buyer.post(`/v1/received_documents/quarantine/${data[0].id}/${verb}`)
}

async function newMandato() {
  const { empresa_id } = await at.empresa({ mode: 'test' })
  const path = `/v1/empresas/${empresa_id}/mandato`
  const signer = { rut: '11111111-1', name: 'Ana Soto', role: 'representante_legal' }
  const sent = await world.post(path, { key: at.test, body: { terms_version: currentTerms().version, signer } })
  return { sent, path }
}

async function newCredential() {
  const { empresa_id } = await at.empresa({ mode: 'test' })
  const path = `/v1/empresas/${empresa_id}/sfg_credential`
  const sent = await world.post(path, { key: at.test, body: { rut: '11111111-1', password: 'secreta' } })
  return { sent, path }
}

async function newContact(): Promise<{ sent: Sent; path: string }> {
  const { empresa_id } = await at.empresa({ mode: 'test' })
  const path = `/v1/empresas/${empresa_id}/counterparties/76192083-9/contacts`
  return { sent: await world.post(path, { key: at.test, body: { email: 'ana@example.cl' } }), path }
}

async function newConnection(): Promise<{ sent: Sent; rut: string }> {
  const { rut } = await at.empresa({ mode: 'test' })
  const sent = await world.post('/v1/connections', { key: at.test, empresa: rut, body: { holder_type: 'business' } })
  return { sent, rut }
}

const linked = ({ sent, rut }: { sent: Sent; rut: string }) =>
  world.post(`/v1/connections/${sent.body.id}/exchange`, {
    key: at.test,
    empresa: rut,
    body: { exchange_token: 'sandbox_banco_prueba' },
  })

/** Acts of pages, which are no operation. */
const OF_PAGES = ['agent_grants.create', 'account.forgot_password', 'operator.sign_in', 'operator.sign_out']
const AUDITED = OPERATIONS.filter(({ audited }) => audited)

describe('the table of operations', () => {
  it('audits every operation of the sensitive kind, and each by a name of the catalog', () => {
    const missing = OPERATIONS.filter((one) => isSensitive(one) && !one.audited && !EXEMPT.includes(one.id))
    expect(missing.map(({ id }) => id)).toEqual([])
    const told = [...AUDITED.map(({ id }) => id), ...OF_PAGES]
    expect(told.sort()).toEqual([...AUDIT_ACTIONS].sort())
  })

  for (const { id, reach, leaves } of AUDITED) {
    it(`${id}: one row with who, from where and what, in the transaction of the act`, async () => {
      const call = CALLS[id]
      if (!call) throw new Error(`tell audit-log.test.ts how ${id} is called`)
      const sent = await call()
      expect(sent.status, sent.text).toBeLessThan(300)
      const [row, ...more] = (await rowsOf(sent)).filter(({ action }) => action === id)
      expect(more).toEqual([])
      // What is for the whole installation is no account's, and is upon nothing that has an id.
      const shared = reach === 'installation'
      const account_id = shared ? null : expect.stringMatching(/^acct_/)
      expect(row).toMatchObject({ outcome: 'succeeded', code: null, ip: '127.0.0.1', account_id })
      if (!shared) expect(row?.subject).toMatch(/^[\w-]+$/)
      const credentials = { account: 'key', empresa: 'key', session: 'session' } as const
      const kinds = {
        ...credentials,
        public: 'anonymous',
        operator: 'operator',
        operator_account: 'operator',
        installation: 'operator',
      }
      expect(row?.actor_kind).toBe(kinds[reach])
      if (row?.actor_kind === 'key') expect(row.actor_id).toMatch(/^key_/)
      if (leaves) {
        const left = await world.db.sql`
          select object, act from lasting_change where subject_id in (${row?.subject}, ${sent.body?.id ?? ''}) and written_by = ${row?.actor_id}
            and object = ${leaves.object}`
        expect(left).toMatchObject([{ object: leaves.object }])
      }
    })
  }
})

describe('what is refused', () => {
  it('is told to the account that was tried, and keeps nothing that was sent', async () => {
    const { email, account_id } = await newPerson(world)
    const sent = await world.post('/account/login', { body: { email, password: 'no es esta clave' } })
    expect(sent.status).toBe(401)
    const [row] = await rowsOf(sent)
    expect(row).toMatchObject({ account_id, action: 'account.login', outcome: 'refused', code: 'invalid_credentials' })
    const stranger = await world.post('/account/login', {
      body: { email: 'nadie@example.cl', password: 'x'.repeat(12) },
    })
    expect(await rowsOf(stranger)).toMatchObject([{ account_id: null, outcome: 'refused' }])
    for (const kept of [row, ...(await rowsOf(stranger))]) expect(JSON.stringify(kept)).not.toMatch(/clave|nadie|@/)
  })

  it('is told where a credential reached for more than it has, and where a person gave another password', async () => {
    const key = await world.key(at.account_id)
    const minted = await world.post('/v1/api_keys', { key, body: { name: 'x', scopes: ['documents:read'] } })
    expect(await rowsOf(minted)).toMatchObject([{ code: 'insufficient_scope', actor_kind: 'key', outcome: 'refused' }])
    const { token: session } = await newPerson(world)
    const body = { current_password: 'no es esta', password: 'otra clave larga' }
    const changed = await world.post('/account/change_password', { session, body })
    expect(await rowsOf(changed)).toMatchObject([{ code: 'invalid_credentials', actor_kind: 'session' }])
  })

  it('leaves no row for what could not be read, nor for an answer that is given again', async () => {
    expect(await rowsOf(await world.post('/account/login', { body: { email: 1 } }))).toEqual([])
    const as = {
      key: at.test,
      headers: { 'idempotency-key': randomUUID() },
      body: { name: 'x', scopes: ['documents:read'] },
    }
    expect(await rowsOf(await world.post('/v1/api_keys', as))).toHaveLength(1)
    expect(await rowsOf(await world.post('/v1/api_keys', as))).toEqual([])
  })
})

describe('acts beside an operation', () => {
  it('the agent that a person lets in on a page, and the link of a letter that cuts it off', async () => {
    const person = await letIn(world)
    const { grant_id } = await connect(world, person)
    const told = () => world.db.sql<Row>`select * from audit_entry where subject = ${grant_id} order by id`
    const created = {
      action: 'agent_grants.create',
      account_id: person.account_id,
      actor_kind: 'session',
      ip: '127.0.0.1',
    }
    expect(await told()).toMatchObject([created])
    const slug = revokeSlug(world.sessions, grant_id)
    for (let times = 0; times < 2; times++) expect((await world.post(`/agentes/${slug}`)).status).toBe(200)
    expect(await told()).toMatchObject([
      created,
      { action: 'agent_grants.revoke', actor_kind: 'link', ip: '127.0.0.1' },
    ])
  })

  it('the key of a new account, and the letter that sets a password', async () => {
    const email = `${randomUUID()}@example.cl`
    const sent = await world.post('/account/register', { body: { email, password: 'una clave larga', bootstrap: {} } })
    expect((await rowsOf(sent)).map(({ action }) => action).sort()).toEqual(['account.register', 'api_keys.create'])
    await world.post('/account/forgot_password', { body: { email } })
    await letterTo(world, email, /contraseña/)
    const rows = await world.db.sql<Row>`
      select * from audit_entry where action = 'account.forgot_password' and account_id = ${(await rowsOf(sent))[0]?.account_id}`
    expect(rows).toMatchObject([{ actor_kind: 'anonymous', ip: '127.0.0.1' }])
  })
})

describe('the log', () => {
  it('is append only', async () => {
    await CALLS['api_keys.create']?.()
    for (const change of ['update audit_entry set ip = null', 'delete from audit_entry', 'truncate audit_entry']) {
      await expect(world.db.transact((_sql, client) => client.query(change))).rejects.toThrow('append only')
    }
  })

  it('200 shows the acts of the account, newest first, page by page and by each filter', async () => {
    const { token: session, email, account_id } = await newPerson(world)
    await world.post('/account/login', { body: { email, password: 'no es esta clave' } })
    const made = await world.post('/dashboard/api_keys', {
      session,
      mode: 'test',
      body: { name: 'raíz', scopes: [...SCOPE_NAMES] },
    })
    const list = async (query: Record<string, string> = {}) => {
      const sent = await world.get(`/dashboard/audit_log?${new URLSearchParams(query)}`, { session, mode: 'test' })
      expect(sent.status, sent.text).toBe(200)
      return sent.body
    }
    const actions = (page: { data: { action: string }[] }) => page.data.map(({ action }) => action)
    const all = await list()
    expect(actions(all)).toEqual(['api_keys.create', 'account.login', 'account.register'])
    expect(all.data[0]).toMatchObject({
      object: 'audit_entry',
      mode: 'test',
      outcome: 'succeeded',
      subject: made.body.id,
      actor: { kind: 'session', id: expect.stringMatching(/^ses_/), ip: '127.0.0.1' },
      request_id: made.headers['svc-request-id'],
    })
    const first = await list({ limit: '2' })
    expect(actions(await list({ limit: '2', cursor: first.next_cursor }))).toEqual(['account.register'])
    expect(actions(await list({ action: 'account.login' }))).toEqual(['account.login'])
    expect(actions(await list({ outcome: 'refused' }))).toEqual(['account.login'])
    expect(actions(await list({ actor_id: all.data[0].actor.id }))).toEqual(['api_keys.create'])
    expect(actions(await list({ 'created_at[gte]': all.data[0].created_at }))).toContain('api_keys.create')
    // The two before it may be of the same millisecond.
    const until_first = actions(await list({ 'created_at[lte]': all.data[2].created_at }))
    expect(until_first.at(-1)).toBe('account.register')
    expect(until_first.includes('api_keys.create')).toBe(all.data[0].created_at === all.data[2].created_at)
    expect(all.data.every((one: object) => !JSON.stringify(one).includes(made.body.secret))).toBe(true)
    const other = await world.get('/v1/audit_log', {
      key: await world.key(await world.account(), { scopes: SCOPE_NAMES }),
    })
    expect(other.body.data).toEqual([])
    expect(account_id).toMatch(/^acct_/)
  })

  it('200 shows a test key the acts of its mode, a live one those on the account too, and a narrow one its empresas', async () => {
    const { account_id, token: session } = await newPerson(world)
    await world.db.sql`update account set email_verified_at = now() where id = ${account_id}`
    const mint = (mode: string) =>
      world.post('/dashboard/api_keys', { session, mode, body: { name: 'x', scopes: ['documents:read'] } })
    await mint('test')
    await mint('live')
    const seen = async (key: string) =>
      (await world.get('/v1/audit_log', { key })).body.data.map((one: { action: string; mode: string }) => [
        one.action,
        one.mode,
      ])
    expect(await seen(await world.key(account_id, { scopes: SCOPE_NAMES }))).toEqual([['api_keys.create', 'test']])
    expect(await seen(await world.key(account_id, { scopes: SCOPE_NAMES, mode: 'live' }))).toEqual([
      ['api_keys.create', 'live'],
      ['account.register', null],
    ])
    const narrow = await world.key(account_id, { scopes: SCOPE_NAMES, empresas: [randomRut()] })
    expect(await seen(narrow)).toEqual([])
  })

  it('400 invalid_cursor for a cursor of another list', async () => {
    const sent = await world.get('/v1/audit_log?cursor=cur_x', { key: at.test })
    expect([sent.status, sent.body.error.code]).toEqual([400, 'invalid_cursor'])
  })
})
