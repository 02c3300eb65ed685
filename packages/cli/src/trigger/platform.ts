import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Resource, Scene, Stage } from './scene.ts'
import type { Trigger } from './trigger.ts'

const BY_A_PERSON = 'Only a person with the password of the account can: keys make no keys. `timbre login` makes one.'
const BY_CONSENT = 'A person lets an agent in on the consent page of the server; see the guide to agents.'
const BY_MANDATO = 'A mandato of the sandbox is a rehearsal: signing and revoking it move nothing.'
const GRANTED = 'The SII of the sandbox grants every request.'

const inFresh = (how: string, run: (stage: Stage, scene: Scene) => Promise<unknown>): Trigger => ({
  how: `In a new empresa: ${how}`,
  run: async (scene) => run(await scene.fresh(), scene),
})

const rehearse = (stage: Stage, body: object) => stage.post(`/test_helpers/empresas/${stage.id}/onboarding`, body)
const moveStep = (stage: Stage, body: object) => stage.post(`/test_helpers/empresas/${stage.id}/onboarding/steps`, body)

/** Puts a certificate of a made-up person into custody, valid for `days` more. */
async function uploadCertificate(stage: Stage, days: number): Promise<Resource> {
  const { makePfx } = await import('./make-pfx.ts')
  const { file, password } = await makePfx(days)
  return stage.post(`/empresas/${stage.id}/certificate`, { file, password })
}

/** A range of its own, so that the stock in use is not touched. */
async function requestRange(stage: Stage, { until }: Scene, quantity: number): Promise<Resource> {
  const { id } = await stage.post('/folios/requests', { tipo_dte: 33, quantity })
  await until(
    () => stage.get(`/jobs/${id}`),
    ({ status }) => status === 'succeeded' || status === 'failed',
  )
  const { data } = await stage.get<{ data: Resource[] }>('/cafs?limit=1')
  return data[0] as Resource
}

async function annulRange(stage: Stage, scene: Scene): Promise<Resource> {
  const { id } = await requestRange(stage, scene, 5)
  await stage.remove(`/cafs/${id}`)
  return stage.post(`/cafs/${id}/annul`)
}

async function link(stage: Stage, bank: string): Promise<Resource> {
  const { id } = await stage.post('/connections', { holder_type: 'business' })
  return stage.post(`/connections/${id}/exchange`, { exchange_token: `sandbox_${bank}` })
}

const synced = (stage: Stage, { until }: Scene, id: string) =>
  until(
    () => stage.get(`/connections/${id}`),
    ({ status, last_synced_at }) => status === 'needs_reconnect' || (status === 'active' && last_synced_at !== null),
  )

/** An endpoint that answers 410 to its first delivery, on this machine: the server must reach it. */
async function disableEndpoint({ api, until }: Scene, stage: Stage): Promise<unknown> {
  const gone = createServer((_request, response) => response.writeHead(410).end())
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/gone`
  const { id } = await api.call<Resource>('POST', '/webhook_endpoints', {
    body: { url, description: 'timbre trigger' },
  })
  try {
    await stage.patch(`/empresas/${stage.id}`, { giro: `Giro de prueba ${Date.now()}` })
    await until(
      () => api.call<Resource>('GET', `/webhook_endpoints/${id}`),
      ({ status }) => status === 'disabled',
    )
  } finally {
    gone.close()
    await api.call('DELETE', `/webhook_endpoints/${id}`)
  }
  return null
}

export const PLATFORM_TRIGGERS = {
  'empresa.created': { how: 'Creates an empresa.', run: (scene) => scene.fresh() },
  'empresa.updated': inFresh('changes its giro.', (stage) =>
    stage.patch(`/empresas/${stage.id}`, { giro: 'Venta de libros' }),
  ),
  'empresa.archived': inFresh('archives it.', (stage) => stage.patch(`/empresas/${stage.id}`, { status: 'archived' })),
  'empresa.suspended': { why: BY_MANDATO },
  'empresa.reactivated': { why: BY_MANDATO },
  'empresa.deleted': inFresh('deletes it.', (stage) => stage.remove(`/empresas/${stage.id}`)),
  'empresa.onboarding.updated': inFresh('rehearses an onboarding.', (stage) =>
    rehearse(stage, { status: 'waiting_sii' }),
  ),
  'empresa.onboarding.action_required': inFresh('rehearses an onboarding from its beginning.', (stage) =>
    rehearse(stage, { status: 'mandato_pending' }),
  ),
  'empresa.onboarding.step.completed': inFresh(
    'rehearses an onboarding and completes its first step.',
    async (stage) => {
      await rehearse(stage, { status: 'mandato_pending' })
      return moveStep(stage, { step: 'mandato', status: 'completed' })
    },
  ),
  'empresa.onboarding.completed': inFresh('rehearses an onboarding to its end.', async (stage) => {
    await rehearse(stage, { status: 'go_live_pending' })
    return rehearse(stage, { status: 'emitting' })
  }),
  'certificate.uploaded': inFresh('uploads a certificate that was made for it.', (stage) =>
    uploadCertificate(stage, 365),
  ),
  'certificate.expiring': inFresh('uploads a certificate of 40 days and lets 15 pass.', async (stage) => {
    await uploadCertificate(stage, 40)
    return stage.advance('P15D')
  }),
  'certificate.expired': inFresh('uploads a certificate of 40 days and lets 45 pass.', async (stage) => {
    await uploadCertificate(stage, 40)
    return stage.advance('P45D')
  }),
  'certificate.refused': {
    why: 'It takes the real SII, or the simulator of live mode: the sandbox needs no certificate.',
  },
  'certificate.deleted': inFresh('uploads a certificate and deletes it.', async (stage) => {
    await uploadCertificate(stage, 365)
    return stage.remove(`/empresas/${stage.id}/certificate`)
  }),
  'folios.requested': inFresh('asks the SII for folios.', (stage, scene) => requestRange(stage, scene, 5)),
  'folios.received': inFresh('asks the SII for folios.', (stage, scene) => requestRange(stage, scene, 5)),
  'folios.low': inFresh('asks for few folios and uses one.', async (stage, scene) => {
    await requestRange(stage, scene, 5)
    return stage.issue(FACTURA)
  }),
  'folios.exhausted': inFresh('asks for folios and deactivates their range.', async (stage, scene) => {
    const { id } = await requestRange(stage, scene, 5)
    return stage.remove(`/cafs/${id}`)
  }),
  'folios.request_failed': { why: GRANTED },
  'folios.annulment_requested': inFresh(
    'asks for folios, deactivates their range and annuls what is left.',
    annulRange,
  ),
  'folios.annulled': inFresh('asks for folios, deactivates their range and annuls what is left.', annulRange),
  'folios.annulment_failed': { why: GRANTED },
  'folios.expiring': inFresh('asks for folios and lets six months pass.', async (stage, scene) => {
    await requestRange(stage, scene, 5)
    return stage.advance('P180D')
  }),
  'connection.created': inFresh('creates a bank connection.', (stage) =>
    stage.post('/connections', { holder_type: 'business' }),
  ),
  'connection.active': inFresh('links a bank of the sandbox.', (stage) => link(stage, 'banco_prueba')),
  'connection.synced': inFresh('links a bank of the sandbox and reads it.', async (stage, scene) => {
    const { id } = await link(stage, 'banco_prueba')
    return synced(stage, scene, id)
  }),
  'connection.needs_reconnect': inFresh('links a bank that asks for the person again.', async (stage, scene) => {
    const { id } = await link(stage, 'banco_cauteloso')
    await synced(stage, scene, id)
    return stage.post(`/connections/${id}/sync`)
  }),
  'connection.deleted': inFresh('links a bank of the sandbox and removes it.', async (stage) => {
    const { id } = await link(stage, 'banco_prueba')
    return stage.remove(`/connections/${id}`)
  }),
  'api_key.created': { why: BY_A_PERSON },
  'api_key.rolled': { why: BY_A_PERSON },
  'api_key.revoked': { why: BY_A_PERSON },
  'agent_grant.created': { why: BY_CONSENT },
  'agent_grant.revoked': { why: BY_CONSENT },
  'webhook_endpoint.disabled': {
    how: 'Makes an endpoint on this machine that answers 410, sends it an event, and deletes it again. The server must reach this machine.',
    run: async (scene) => disableEndpoint(scene, await scene.own()),
  },
  ping: {
    how: 'Makes a webhook endpoint, pings it, and deletes it again.',
    run: async ({ api }) => {
      const body = { url: 'http://127.0.0.1:9/timbre-trigger', description: 'timbre trigger', enabled_events: ['ping'] }
      const { id } = await api.call<Resource>('POST', '/webhook_endpoints', { body })
      await api.call('POST', `/webhook_endpoints/${id}/ping`)
      return api.call('DELETE', `/webhook_endpoints/${id}`)
    },
  },
} as const satisfies Readonly<Record<string, Trigger>>

const FACTURA = {
  tipo_dte: 33,
  receptor: {
    rut: '77123456-9',
    legal_name: 'Pérez e Hijos Ltda.',
    giro: 'Comercio al por menor',
    address: { street: 'Calle Larga 56', comuna: 'Maipú' },
  },
  items: [{ description: 'Resma de papel carta', quantity: 10, unit_price: 3_490 }],
}
