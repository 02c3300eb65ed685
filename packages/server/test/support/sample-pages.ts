// A sample of every page that a person can be shown, and of what each says when it refuses.

import { SCOPE_NAMES } from '../../src/catalog/scopes.ts'
import { Recovery } from '../../src/domain/platform/account/schema.ts'
import type { AgentGrant } from '../../src/domain/platform/agent-grant/schema.ts'
import { currentTerms } from '../../src/domain/platform/mandato/terms.ts'
import type { StepKey } from '../../src/domain/platform/onboarding/lanes.ts'
import type { RutClaim } from '../../src/domain/platform/rut-claim/open.ts'
import type { CheckoutPage } from '../../src/domain/platform/subscription/checkout.ts'
import { recordedExamples } from '../../src/domain/recorded-examples.ts'
import { onboardingRoutes } from '../../src/http/page-routes/onboarding/routes.ts'
import { documentRoutes, f29Routes } from '../../src/http/page-routes/public-links.ts'
import { systemNow } from '../../src/kernel/clock.ts'
import { OPERATIONS } from '../../src/operations.ts'
import * as account from '../../src/pages/account.ts'
import { agentGrantPage } from '../../src/pages/agent-grant.ts'
import { certificationsPage } from '../../src/pages/certifications.ts'
import { changelogPage, readChangelog } from '../../src/pages/changelog.ts'
import { checkoutPage } from '../../src/pages/checkout.ts'
import * as connect from '../../src/pages/connect.ts'
import { consentErrorPage } from '../../src/pages/consent.ts'
import { errorPage, errorsPage } from '../../src/pages/errors.ts'
import { eventsPage } from '../../src/pages/events.ts'
import { foreignFormPage, refusedFormPage } from '../../src/pages/form-refusals.ts'
import { guidePage, guidesPage, readGuides } from '../../src/pages/guides.ts'
import { landingPage } from '../../src/pages/landing.ts'
import { limitsPage } from '../../src/pages/limits.ts'
import { notFoundPage } from '../../src/pages/not-found.ts'
import * as onboarding from '../../src/pages/onboarding/ends.ts'
import { operatorSignInPage } from '../../src/pages/operator.ts'
import { referencePage } from '../../src/pages/reference/index-page.ts'
import { referenceOf, resourcePage } from '../../src/pages/reference/resource-page.ts'
import { resourcesOf } from '../../src/pages/reference/resources.ts'
import {
  type ClaimView,
  claimPage,
  nothingProvablePage,
  takenOverPage,
  usedClaimPage,
} from '../../src/pages/rut-claim.ts'
import { siiWeatherPage } from '../../src/pages/sii-weather.ts'
import { versioningPage } from '../../src/pages/versioning.ts'
import { SII_SERVICES } from '../../src/ports/sii-weather.ts'
import { REACTIONS } from '../../src/reactions.ts'
import { agentPages } from './agent-pages.ts'
import { prepareApprovals } from './approval-material.ts'
import { openMonth, PROPOSALS } from './f29-month.ts'
import { issue } from './insert-document.ts'
import { openIssuer } from './issuer.ts'
import { asking, newPerson, register, toConsent } from './oauth-client.ts'
import { waitAt } from './onboarding.ts'
import { UNDER_WAY } from './sample-certifications.ts'
import { OPERATOR_EMAIL, openWorld, randomRut, type Sent, type World } from './world.ts'

export interface SamplePage {
  readonly name: string
  /** The function of `src/pages` that makes it. */
  readonly made_by: string
  readonly html: string
}

export interface SamplePages {
  readonly pages: readonly SamplePage[]
  close(): Promise<void>
}

const public_url = 'http://timbre.test'
const addresses = { public_url, base_url: `${public_url}/v1`, operator_email: OPERATOR_EMAIL } as never
const pathOf = ({ body }: Sent) => new URL(body.url).pathname

const recovered = (): Recovery => {
  const some = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, 2]))
  const { ended, kept } = Recovery.properties
  return { ended: { ...some(ended.properties), items: [] }, kept: { ...some(kept.properties), items: [] } } as never
}

const GRANT: AgentGrant = {
  object: 'agent_grant',
  id: 'agr_1',
  status: 'active',
  mode: 'test',
  client: { id: 'c', name: 'Cajero', host: 'agente.example' },
  scopes: ['documents:read', 'documents:write'],
  empresas: ['*'],
  two_steps: true,
  limits: { max_clp_per_document: 20_000, max_clp_per_day: null, tipos: [33], receptores: ['76192083-9'] },
  spent_today: 0,
  made: { total: 0, newest: [] },
  created_at: '2026-11-10T12:00:00.000Z',
  expires_at: '2026-12-10T12:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
}

const CLAIM = { rut: '76192083-9', input: { legal_name: 'Panadería Ñandú SpA' }, account_name: 'Estudio Contable' }
const claim = { ...CLAIM, account_email: 'estudio@example.cl', mode: 'live' } as unknown as RutClaim
const VIEW: ClaimView = { claim, path: '/rut/x', operator_email: OPERATOR_EMAIL }

const checkout = (more: Partial<CheckoutPage> = {}) => {
  const scope = { account_id: 'a', empresa_id: 'e', mode: 'live', rut: '76192083-9' } as const
  const never = { status: null, current_period_end: null, grace_until: null, updated_at: null, requested_at: null }
  const page = { scope, hash: '', plan: 'standard', legal_name: 'Viña Maule S.A.', empresa_status: 'active', ...never }
  const view = { page: { ...page, ...more } as CheckoutPage, path: '/suscripcion/x', operator_email: OPERATOR_EMAIL }
  return checkoutPage({ ...view, now: new Date(systemNow()) })
}

const BANKED = { legal_name: 'Viña Maule S.A.', requested_institution: null, holder_type: 'business' } as never
const PROBLEM = { text: 'La contraseña es demasiado corta.', status: 422 }

const AT = new Date('2026-11-10T12:00:00Z')
const weather = (['up', 'degraded', 'down', 'unknown'] as const).map((state, place) => ({
  service: SII_SERVICES[place] ?? 'dte',
  state,
  calls: 40,
  failures: 2,
  p50_ms: 120,
  p95_ms: 900,
  day: [{ at: AT, calls: 40, failures: 2, mean_ms: 200 }],
  month: [{ at: AT, calls: 40, failures: 2, mean_ms: 200 }],
}))
const PACE = { documents: 10, p50_seconds: 4, p95_seconds: 60 }
const WEATHER = { ambiente: 'produccion', services: weather, verdicts: { dte: PACE, boleta: PACE } } as const

type Made = readonly [made_by: string, answer: { readonly body: string | null }, what?: string]

const MESSAGES: readonly Made[] = [
  [
    'messagePage',
    account.messagePage('Este enlace no existe', 'Pide uno nuevo.', { action: account.REQUEST_NEW_LINK }),
  ],
  ['confirmEmailPage', account.confirmEmailPage('t')],
  ['changeEmailPage', account.changeEmailPage('t')],
  ['disownedPage', account.disownedPage('Gracias.', { email: 'a@b.cl', ended: recovered().ended } as never)],
  ['newPasswordPage', account.newPasswordPage('t', PROBLEM)],
  ['recoveredPage', account.recoveredPage('Ya puedes entrar.', recovered())],
  ['restoreEmailPage', account.restoreEmailPage('t')],
  ['restoredEmailPage', account.restoredEmailPage({ email: 'a@b.cl', ...recovered() })],
  ['forgotPasswordPage', account.forgotPasswordPage(PROBLEM)],
  ['agentGrantPage', agentGrantPage(GRANT, 's')],
  ...agentPages(GRANT),
  ['consentErrorPage', consentErrorPage(400)],
  ['claimPage', claimPage(VIEW)],
  ['claimPage', claimPage(VIEW, 'not_taxpayer'), 'refused'],
  ['nothingProvablePage', nothingProvablePage(VIEW)],
  ['takenOverPage', takenOverPage(VIEW)],
  ['usedClaimPage', usedClaimPage(VIEW)],
  ['foreignFormPage', foreignFormPage()],
  ['refusedFormPage', refusedFormPage(413, true)],
  ['operatorSignInPage', operatorSignInPage('wrong', 'Ana Soto')],
  [
    'certificationsPage',
    certificationsPage({
      name: 'Ana Soto',
      data: UNDER_WAY,
      next_cursor: 'cur_x',
      filters: { waits_for: 'operator' },
      notice: { text: 'Listo.', status: 200 },
    }),
  ],
  ['checkoutPage', checkout()],
  ['checkoutPage', checkout({ requested_at: new Date(systemNow()) }), 'requested'],
  ['checkoutPage', checkout({ plan: 'house' }), 'house'],
  ['connectedPage', connect.connectedPage(BANKED)],
  ['notConnectedPage', connect.notConnectedPage('/connect/x')],
  [
    'chooseBankPage',
    connect.chooseBankPage({
      page: BANKED,
      banks: [{ exchange_token: 't', name: 'Banco de Prueba', says: 'Siempre responde.' }],
      path: '/',
    }),
  ],
  [
    'widgetPage',
    connect.widgetPage({
      page: BANKED,
      widget: { widget_token: 't', public_key: 'k' } as never,
      provider: { kind: 'widget', whose: 'Fintoc', script: 'https://js.fintoc.com/v1/', origins: [] },
      path: '/',
    }),
  ],
  ['siiWeatherPage', siiWeatherPage({ measured_at: AT, weather: [WEATHER] })],
  ['tooLatePage', onboarding.tooLatePage()],
  ['endedPage', onboarding.endedPage('used')],
  ['recheckedPage', onboarding.recheckedPage('Estamos mirando.', '/x')],
  ['subscriptionPage', onboarding.subscriptionPage('/suscripcion/x')],
]

/** A few operations and one page of each kind: the others differ in their words alone. */
async function documentation(): Promise<Made[]> {
  const operations = OPERATIONS.filter((_, place) => place % 48 === 0)
  const reference = referenceOf(resourcesOf(OPERATIONS), recordedExamples())
  const resource = reference.resources.find(({ key }) => key === 'public_links')
  if (!resource) throw new Error('There is no page of public links.')
  const [guide] = await readGuides('https://timbre.test')
  if (!guide) throw new Error('There is no guide.')
  return [
    ['landingPage', landingPage(addresses)],
    ['referencePage', referencePage(reference.resources, addresses)],
    ['resourcePage', resourcePage(reference, resource, addresses)],
    ['errorsPage', errorsPage(operations)],
    ['errorPage', errorPage('empresa_exists', operations, addresses)],
    ['eventsPage', eventsPage()],
    ['limitsPage', limitsPage(operations)],
    ['notFoundPage', notFoundPage('/docs/reference/document', ['/docs/reference/documents'])],
    ['versioningPage', versioningPage(operations)],
    ['guidesPage', guidesPage({ language: 'es', guides: [guide], is_translated: true })],
    ['guidePage', guidePage(guide, { language: 'en', guides: [guide], is_translated: true })],
    ['changelogPage', changelogPage((await readChangelog()).slice(0, 3))],
  ]
}

async function shared(world: World): Promise<Made[]> {
  const issuer = await openIssuer(world)
  const { id } = await issue(world, issuer)
  const document = pathOf(await issuer.post(`/v1/documents/${id}/public_links`, {}))
  const period = '2025-10'
  const month = await openMonth(world, period)
  const proposal = pathOf(await month.post(`${PROPOSALS}/${period}/public_links`, {}))
  const person = await newPerson(world)
  const { client_id } = (await register(world)).body
  const { login, consent } = await toConsent(world, person, asking(client_id))
  const rejected = pathOf(
    await issuer.post(`/v1/documents/${(await issue(world, issuer, { status: 'rejected' })).id}/public_links`, {}),
  )
  return [
    ['publicDocumentPage', { body: (await world.get(document)).text }],
    ['publicDocumentPage', { body: (await world.get(rejected)).text }, 'rejected'],
    ['f29Page', { body: (await world.get(proposal)).text }],
    ['loginPage', { body: login.text }],
    ['consentPage', { body: consent.text }],
  ]
}

/** The page of each step that a person can be sent, as it opens and as it refuses. */
async function steps(world: World): Promise<Made[]> {
  const key = await world.key(await world.account({ plan: 'house' }), { mode: 'live', scopes: SCOPE_NAMES })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = (path: string, fields: Record<string, string>) =>
    world.post(path, { raw: new URLSearchParams(fields).toString(), headers: form })
  const made: Made[] = []
  const keep = (what: string, { text }: Sent, made_by = 'onboardingPage') => made.push([made_by, { body: text }, what])

  async function walk(lane: 'mercado' | 'sfg', keys: readonly StepKey[]): Promise<string> {
    const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', origen: 'mercado', doc_types: [33, 39, 61] }
    const { id } = (await world.post('/v1/empresas', { key, body: { ...body, emission_channel: lane } })).body
    const base = `/v1/empresas/${id}`
    const mint = async (step: string) => pathOf(await world.post(`${base}/onboarding/links`, { key, body: { step } }))
    const mandato = await mint('mandato')
    const signature = { name: 'Rosa Pérez Soto', rut: '12.345.678-5', version: currentTerms().version }
    if (lane === 'mercado') {
      keep('mandato', await world.get(mandato))
      keep('mandato refused', await send(mandato, signature))
    }
    keep('signed', await send(mandato, { ...signature, representante: 'si' }), 'donePage')
    for (const step of keys) {
      await waitAt(world, id, lane, step)
      if (step === 'certificate' || step === 'credential')
        await world.db.sql`update empresa set certificate_until = null, has_sfg_credential = false where id = ${id}`
      const path = await mint(step)
      keep(step, await world.get(path))
      if (step === 'muestras_impresas' || step === 'cumplimiento') {
        await prepareApprovals(world, id, step)
        keep(`${step} prepared`, await world.get(path))
      }
      keep(`${step} refused`, await send(path, { name: 'R', rut: 'x' }))
    }
    return base
  }
  const base = await walk('mercado', [
    'certificate',
    'sii_postulacion',
    'muestras_impresas',
    'cumplimiento',
    'emitting',
  ])
  const revocation = pathOf(await world.post(`${base}/mandato/revocation_link`, { key, body: {} }))
  keep('revocation', await world.get(revocation))
  await world.db
    .sql`update empresa set resolucion_status = 'refused', resolucion_numero = 80, resolucion_fecha = '2014-08-22' where id = ${base.split('/').at(-1)}`
  await waitAt(world, base.split('/').at(-1) ?? '', 'mercado', 'sii_postulacion')
  const link = { key, body: { step: 'sii_postulacion' } }
  keep('claim refused', await world.get(pathOf(await world.post(`${base}/onboarding/links`, link))))
  await walk('sfg', ['credential', 'clave_centralizado', 'usuario_autorizado', 'habilitacion'])
  return made
}

export async function openSamplePages(): Promise<SamplePages> {
  const world = await openWorld({
    plain: (db, parts) => [
      ...documentRoutes({ sql: db.sql, ...parts }),
      ...f29Routes({ sql: db.sql, ...parts }),
      ...onboardingRoutes({ sql: db.sql, ...parts, addresses, reactions: REACTIONS }),
    ],
  })
  const made = [...MESSAGES, ...(await documentation()), ...(await shared(world)), ...(await steps(world))]
  const pages = made.map(([made_by, { body }, what]) => ({
    name: what ? `${made_by}: ${what}` : made_by,
    made_by,
    html: body ?? '',
  }))
  return { pages, close: () => world.close() }
}
