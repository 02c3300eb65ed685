import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, randomRut, type World } from '../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../catalog/scopes.ts'
import { POINTS } from '../../domain/platform/onboarding/rehearse.ts'

let world: World
let key: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(await world.account(), { scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

const person = (role: string) => ({ rut: '12345678-5', name: 'Rosa Pérez Soto', role })

async function empresa(doc_types = [33, 61]) {
  const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', doc_types }
  const { id, rut } = (await world.post('/v1/empresas', { key, body })).body
  const helper = `/v1/test_helpers/empresas/${id}/onboarding`
  return {
    id,
    rut,
    begin: (sent: object) => world.post(helper, { key, body: sent }),
    move: (step: string, status: string, blocked_reason?: string) =>
      world.post(`${helper}/steps`, { key, body: { step, status, ...(blocked_reason && { blocked_reason }) } }),
    post: (path: string, sent: object = {}) => world.post(`/v1/empresas/${id}/onboarding/${path}`, { key, body: sent }),
    factura: () =>
      world.post('/v1/documents', {
        key,
        empresa: rut,
        headers: { 'idempotency-key': rut },
        body: {
          tipo_dte: 33,
          receptor: {
            rut: '76192083-9',
            legal_name: 'Comprador SpA',
            giro: 'Comercio',
            address: { street: 'Moneda 1', comuna: 'Santiago' },
          },
          items: [{ description: 'Vino', quantity: 1, unit_price: 1000 }],
        },
      }),
    events: async () =>
      (await world.get(`/v1/events?empresa_rut=${rut}&limit=100`, { key })).body.data
        .filter(({ type }: { type: string }) => type.startsWith('empresa.onboarding'))
        .map(({ type, data }: { type: string; data: { detail?: { step: string } } }) => [type, data.detail?.step])
        .reverse(),
  }
}

describe('the rehearsal of an onboarding', () => {
  it('takes a word that a step is done, and promises no look at the SII, for none comes', async () => {
    const it = await empresa()
    await it.begin({ lane: 'sfg', status: 'waiting_sii' })
    const asked = await it.post('steps/emisor_verificado/recheck')
    expect([asked.status, asked.body.next_poll_at]).toEqual([202, null])
    const { steps } = (await world.get(`/v1/empresas/${it.id}/onboarding`, { key })).body
    expect(steps.find((step: { key: string }) => step.key === 'emisor_verificado').next_poll_at).toBeNull()
  })

  it('begins at every status that a lane knows, and says which those are otherwise', async () => {
    const it = await empresa()
    for (const lane of ['mercado', 'sfg'] as const) {
      for (const [status, point] of Object.entries(POINTS[lane])) {
        const sent = await it.begin({ lane, status })
        expect([sent.status, sent.body.lane, sent.body.status, sent.body.blocked_on]).toEqual([
          200,
          lane,
          status,
          point.step,
        ])
      }
    }
    const { steps } = (await it.begin({ lane: 'mercado', status: 'go_live_pending' })).body
    for (const step of steps) expect([step.key, step.opened_at]).toEqual([step.key, expect.any(String)])
    for (const [lane, status] of [
      ['sfg', 'certifying'],
      ['sfg', 'certificate_pending'],
      ['mercado', 'credential_pending'],
      ['mercado', 'suspended'],
    ]) {
      const { status: code, body } = await it.begin({ lane, status })
      expect([code, body.error.code, body.error.param]).toEqual([400, 'invalid_field', 'status'])
    }
  })

  it('keeps documents back naming the step, is walked with the calls of a live one, and emits at its end', async () => {
    const it = await empresa()
    await it.begin({ lane: 'mercado', status: 'action_required' })
    const early = await it.factura()
    expect([early.status, early.body.error.code, early.body.error.details.step]).toEqual([
      422,
      'empresa_not_emitting',
      'sii_postulacion',
    ])
    const approve = { decision: 'approve', approved_by: person('representante_legal') }
    expect((await it.post('steps/sii_postulacion/approve', approve)).body.status).toBe('certifying')
    for (const step of ['sii_postulacion', 'set_de_pruebas', 'simulacion']) await it.move(step, 'completed')
    await it.move('intercambio', 'skipped')
    const reviewed = { decision: 'approve', approved_by: person('titular_cuenta') }
    await it.post('steps/muestras_impresas/approve', reviewed)
    await it.move('muestras_impresas', 'completed')
    await it.move('cumplimiento', 'completed')
    const held = await it.move('resolucion', 'in_progress', 'sii_unreachable')
    expect(held.body.status).toBe('waiting_sii')
    expect(held.body.steps[8]).toMatchObject({ key: 'resolucion', blocked_reason: { code: 'sii_unreachable' } })
    await it.move('resolucion', 'completed')
    await it.move('folios', 'failed', 'requirement_unmet')
    expect((await it.post('steps/folios/recheck')).status).toBe(202)
    expect((await it.move('folios', 'completed')).body.status).toBe('go_live_pending')
    expect((await it.post('go_live', reviewed)).body.status).toBe('emitting')
    expect((await it.factura()).status).toBe(201)
    expect(await it.events()).toEqual(
      expect.arrayContaining([
        ['empresa.onboarding.action_required', 'sii_postulacion'],
        ['empresa.onboarding.step.completed', 'set_de_pruebas'],
        ['empresa.onboarding.action_required', 'muestras_impresas'],
        ['empresa.onboarding.updated', undefined],
        ['empresa.onboarding.completed', undefined],
      ]),
    )
  })

  it('takes a step that was done back as the SII does, and ends with no steps at all', async () => {
    const it = await empresa()
    await it.begin({ lane: 'sfg', status: 'go_live_pending' })
    const back = await it.move('usuario_autorizado', 'action_required', 'requirement_unmet')
    expect(back.body).toMatchObject({ status: 'action_required', blocked_on: 'usuario_autorizado' })
    expect(back.body.steps.at(-1)).toMatchObject({ key: 'emitting', status: 'pending' })
    const attested = await it.post('steps/usuario_autorizado/attest', { performed_by: person('usuario_administrador') })
    expect(attested.body.blocked_on).toBe('emitting')
    const ended = await it.begin({ status: 'emitting' })
    expect(ended.body).toMatchObject({ status: 'emitting', steps: [], progress: 1 })
    expect((await it.factura()).status).toBe(201)
    expect((await it.events()).at(-1)).toEqual(['empresa.onboarding.completed', undefined])
    expect((await it.move('mandato', 'completed')).body.error.code).toBe('onboarding_step_not_found')
  })

  it('does nothing that the world never does', async () => {
    const it = await empresa()
    await it.begin({ lane: 'mercado', status: 'certifying' })
    const refused = async (...move: Parameters<typeof it.move>) => {
      const { status, body } = await it.move(...move)
      return [status, body.error.code]
    }
    expect(await refused('set_de_pruebas', 'action_required')).toEqual([400, 'invalid_field'])
    expect(await refused('set_de_pruebas', 'completed', 'sii_unreachable')).toEqual([400, 'invalid_field'])
    expect(await refused('cumplimiento', 'in_progress')).toEqual([409, 'step_not_open'])
    expect(await refused('mandato', 'skipped')).toEqual([409, 'step_not_open'])
    expect(await refused('credential', 'completed')).toEqual([404, 'onboarding_step_not_found'])
  })
})
