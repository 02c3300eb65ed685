// A taxpayer goes live on each lane, over the wire of the simulator, with a refusal and its recovery on the way.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPE_NAMES } from '../../src/catalog/scopes.ts'
import { type LiveWorld, openLiveWorld } from '../support/live-world.ts'
import { OPERATOR_SECRET, randomRut } from '../support/world.ts'

const PASSWORD = 'clave del certificado'
const DAY = 86_400
const operator = { 'svc-operator-secret': OPERATOR_SECRET }

let live: LiveWorld
let key: string
beforeAll(async () => {
  live = await openLiveWorld()
  key = await live.world.key(await live.world.account({ plan: 'house' }), { mode: 'live', scopes: SCOPE_NAMES })
})
afterAll(() => live.close())

async function open(more: object) {
  const { world, simulator } = live
  const rut = randomRut()
  const holder = randomRut()
  const made = await world.post('/v1/empresas', {
    key,
    body: {
      rut,
      legal_name: 'Viña Maule S.A.',
      giro: 'Viñas',
      acteco: [110_200],
      address: { street: 'Camino Real 5', comuna: 'Talca', city: 'Talca' },
      origen: 'ninguno',
      ...more,
    },
  })
  const base = `/v1/empresas/${made.body.id}`
  const person = (role: string) => ({ rut: holder, name: 'Rosa Pérez Soto', role })
  const at = `${base}/onboarding`
  return {
    base,
    rut,
    holder,
    person,
    read: async () => (await world.get(at, { key })).body,
    step: async (name: string) =>
      (await world.get(at, { key })).body.steps.find((one: { key: string }) => one.key === name),
    post: (path: string, body: object = {}) => world.post(`${at}/${path}`, { key, body }),
    operate: (step: string, act: string, body: object = {}) =>
      world.post(`${at}/steps/${step}/${act}`, { headers: operator, body: { by: 'Elena', ...body } }),
    approve: (step: string, role: string, decision = 'approve') =>
      world.post(`${at}/steps/${step}/approve`, { key, body: { decision, approved_by: person(role) } }),
    async sign() {
      const { version } = (await world.get('/v1/mandato_terms')).body
      const signer = person('representante_legal')
      return world.post(`${base}/mandato`, { key, body: { terms_version: version, signer } })
    },
    async upload(password = PASSWORD) {
      const { pfx } = await simulator.control('POST', '/control/certificates', {
        rut: holder,
        name: 'Rosa Pérez Soto',
        password: PASSWORD,
      })
      return world.post(`${base}/certificate`, { key, body: { file: pfx, password } })
    },
    taxpayer: (facts: object) =>
      simulator.control('POST', '/control/taxpayers', { rut, name: 'Viña Maule S.A.', ...facts }),
  }
}

describe('the mercado lane', () => {
  it('leads from nothing to an accepted factura, its people refused and heard on the way', async () => {
    const { world } = live
    const it = await open({ doc_types: [33, 61] })
    await it.taxpayer({ tipos: [], authorised: false })

    expect((await it.read()).status).toBe('mandato_pending')
    expect((await it.sign()).status).toBe(201)
    expect((await it.upload('otra clave')).body.error.code).toBe('certificate_password_wrong')
    expect((await it.read()).status).toBe('certificate_pending')
    expect((await it.upload()).status).toBe(201)

    expect((await it.approve('sii_postulacion', 'representante_legal', 'decline')).body.status).toBe('action_required')
    expect((await it.approve('sii_postulacion', 'representante_legal')).body.status).toBe('certifying')
    expect((await it.operate('sii_postulacion', 'done')).status).toBe(200)
    // A set that the SII refuses: the customer learns why, and it is tried again.
    expect((await it.operate('set_de_pruebas', 'refuse', { reason: 'El SII rechazó el caso 3.' })).status).toBe(200)
    expect((await it.read()).status).toBe('blocked')
    expect((await it.post('steps/set_de_pruebas/recheck')).status).toBe(202)
    for (const step of ['set_de_pruebas', 'simulacion', 'intercambio'])
      expect((await it.operate(step, 'done')).status).toBe(200)
    const unseen = await it.operate('muestras_impresas', 'done')
    expect([unseen.status, unseen.body.error.code]).toEqual([422, 'muestras_approval_required'])
    expect((await it.approve('muestras_impresas', 'titular_cuenta')).status).toBe(200)
    expect((await it.operate('muestras_impresas', 'done')).status).toBe(200)
    await it.approve('cumplimiento', 'representante_legal')
    expect((await it.operate('cumplimiento', 'done')).status).toBe(200)

    // The SII has not published anything for days.
    await live.advance(3 * DAY)
    expect(await it.read()).toMatchObject({ status: 'waiting_sii', blocked_on: 'resolucion' })
    expect((await it.step('resolucion')).blocked_reason.code).toBe('sii_propagation')
    await it.taxpayer({
      tipos: [33, 61],
      authorised: true,
      resolutions: { produccion: { number: 99, date: '2026-10-01' } },
    })
    await live.advance(2 * DAY)
    const ready = await it.read()
    expect(ready).toMatchObject({ status: 'go_live_pending', progress: 1 })
    expect((await world.get(it.base, { key })).body.resolucion).toMatchObject({
      numero: 99,
      fecha: '2026-10-01',
      verified: true,
    })

    const gone = await it.post('go_live', { decision: 'approve', approved_by: it.person('titular_cuenta') })
    expect([gone.status, gone.body.status]).toEqual([202, 'emitting'])
    const factura = {
      tipo_dte: 33,
      receptor: {
        rut: '77123456-9',
        legal_name: 'Pérez',
        giro: 'Comercio',
        address: { street: 'Calle 5', comuna: 'Maipú' },
      },
      items: [{ description: 'Vino', quantity: 6, unit_price: 4990 }],
    }
    const sent = await world.post('/v1/documents', {
      key,
      empresa: it.rut,
      body: factura,
      headers: { 'idempotency-key': 'one' },
    })
    expect([sent.status, sent.text]).toEqual([201, expect.any(String)])
    await live.advance(3600)
    expect((await world.get(`/v1/documents/${sent.body.id}`, { key, empresa: it.rut })).body.status).toBe('accepted')
  })
})

describe('the SFG lane', () => {
  it('leads to a live empresa once the SII shows its user and its leave, and boletas do not hold it back', async () => {
    const it = await open({ doc_types: [33, 39, 61], emission_channel: 'sfg', origen: 'gratuito' })
    await it.taxpayer({ tipos: [33, 61], sfg: true, users: [], clave_centralizado: 'central' })
    await it.sign()
    const credential = { rut: it.holder, password: 'central' }
    expect((await live.world.post(`${it.base}/sfg_credential`, { key, body: credential })).status).toBe(201)
    expect((await it.read()).blocked_on).toBe('credential')
    expect((await it.upload()).status).toBe(201)
    const said = { performed_by: it.person('titular_certificado') }
    expect((await it.post('steps/clave_centralizado/attest', said)).body.blocked_on).toBe('usuario_autorizado')

    await live.advance(3600)
    expect((await it.step('usuario_autorizado')).blocked_reason).toMatchObject({
      code: 'requirement_unmet',
      details: { key: 'usuario_autorizado' },
    })
    // Another company of the same person, so that the SII asks which, and now this one.
    await live.simulator.control('POST', '/control/taxpayers', {
      rut: randomRut(),
      sfg: true,
      users: [{ rut: it.holder }],
    })
    await it.taxpayer({ users: [{ rut: it.holder }] })
    await it.post('steps/usuario_autorizado/recheck')
    await live.advance(DAY)
    expect(await it.read()).toMatchObject({ status: 'go_live_pending', blocked_on: 'puesta_en_vivo' })
    expect((await it.operate('puesta_en_vivo', 'done')).status).toBe(200)
    const gone = await it.post('go_live', { decision: 'approve', approved_by: it.person('titular_cuenta') })
    expect([gone.status, gone.body.status, gone.body.blocked_on]).toEqual([202, 'emitting', 'habilitacion'])
    expect((await live.world.get(it.base, { key })).body.capabilities.tipos).toEqual([33, 61])
    const boleta = { tipo_dte: 39, items: [{ description: 'Pan', unit_price: 990 }] }
    const early = await live.world.post('/v1/documents', {
      key,
      empresa: it.rut,
      body: boleta,
      headers: { 'idempotency-key': 'b' },
    })
    expect([early.status, early.body.error.code, early.body.error.details.step]).toEqual([
      422,
      'empresa_not_emitting',
      'habilitacion',
    ])

    await it.approve('habilitacion', 'representante_legal')
    await it.taxpayer({ tipos: [33, 39, 61] })
    expect((await it.operate('habilitacion', 'done')).status).toBe(200)
    await live.advance(3600)
    expect(await it.read()).toMatchObject({ status: 'emitting', blocked_on: null, progress: 1 })
    expect((await live.world.get(it.base, { key })).body.capabilities.tipos).toEqual([33, 39, 61])
  })
})
