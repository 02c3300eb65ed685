// A taxpayer goes live on each lane, over the wire of the simulator. Each of their steps is refused once on the way. In the long
// form people do each thing on its hosted page, in a browser where there is one, and by the API when somebody does it again;
// the short form does all of it by the API.

import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { SCOPE_NAMES } from '../../src/catalog/scopes.ts'
import { STEP_KEYS, stepOf } from '../../src/domain/platform/onboarding/lanes.ts'
import { checkoutRoutes } from '../../src/http/page-routes/checkout.ts'
import { onboardingRoutes } from '../../src/http/page-routes/onboarding/routes.ts'
import { REACTIONS } from '../../src/reactions.ts'
import { HAS_CHROMIUM, openChromium } from '../support/chromium.ts'
import { IN_FULL } from '../support/in-full.ts'
import { type LiveWorld, openLiveWorld } from '../support/live-world.ts'
import { firstOnPages, peopleByApi, peopleOnPages } from '../support/onboarding-people.ts'
import { OPERATOR_EMAIL, OPERATOR_SECRET, randomRut } from '../support/world.ts'

const PASSWORD = 'clave del certificado'
const DAY = 86_400
const operator = { 'svc-operator-secret': OPERATOR_SECRET }
const public_url = 'http://timbre.test'
const addresses = { public_url, base_url: `${public_url}/v1`, operator_email: OPERATOR_EMAIL } as never

let live: LiveWorld
let browser: Browser | null = null
let phone: Page | null = null
/** What somebody did on the pages already. */
const walked = new Set<string>()
beforeAll(async () => {
  live = await openLiveWorld({
    plain: (db, parts) => [
      ...checkoutRoutes({ sql: db.sql, ...parts, addresses }),
      ...onboardingRoutes({ sql: db.sql, ...parts, addresses, reactions: REACTIONS }),
    ],
  })
  // People of the operator carry out what is ours; certification.test.ts walks the same road with the job.
  for (const step of STEP_KEYS.filter((key) => stepOf(key).carried_out_at_sii))
    await live.world.patch(`/v1/onboarding/switches/${step}`, { headers: operator, body: { execution: 'operator' } })
  if (!HAS_CHROMIUM || !IN_FULL) return
  browser = await openChromium(await live.world.app.http.listen({ host: '127.0.0.1', port: 0 }))
  const without_script = { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }
  phone = await (await browser.newContext(without_script)).newPage()
})
afterAll(async () => {
  await browser?.close()
  await live?.close()
})

async function open(more: object) {
  const { world, simulator } = live
  const rut = randomRut()
  const holder = randomRut()
  const account = await world.account()
  const key = await world.key(account, { mode: 'live', scopes: SCOPE_NAMES })
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
  const at = `${base}/onboarding`
  const certificate = {
    rut: holder,
    name: 'Rosa Pérez Soto',
    password: PASSWORD,
    private_key: inject('personKey'),
  }
  const { pfx } = await simulator.control('POST', '/control/certificates', certificate)
  const walker = { live, key, account, base, rut, holder, pfx, pfx_password: PASSWORD }
  return {
    ...walker,
    people: phone ? firstOnPages(peopleOnPages(walker, phone), peopleByApi(walker), walked) : peopleByApi(walker),
    read: async () => (await world.get(at, { key })).body,
    step: async (name: string) =>
      (await world.get(at, { key })).body.steps.find((one: { key: string }) => one.key === name),
    post: (path: string, body: object = {}) => world.post(`${at}/${path}`, { key, body }),
    operate: (step: string, act: string, body: object = {}) =>
      world.post(`${at}/steps/${step}/${act}`, { headers: operator, body: { by: 'Elena', ...body } }),
    issue: (body: object) =>
      world.post('/v1/documents', {
        key,
        empresa: rut,
        body,
        headers: { 'idempotency-key': randomUUID() },
      }),
    taxpayer: (facts: object) =>
      simulator.control('POST', '/control/taxpayers', { rut, name: 'Viña Maule S.A.', ...facts }),
  }
}

describe.runIf(IN_FULL)('the mercado lane', () => {
  it('leads from nothing to an accepted factura, its people refused and heard on the way', async () => {
    const { world } = live
    const it = await open({ doc_types: [33, 61] })
    await it.taxpayer({ tipos: [], authorised: false })

    expect((await it.read()).status).toBe('mandato_pending')
    await it.people.sign()
    expect((await it.read()).status).toBe('certificate_pending')
    await it.people.upload()
    expect((await it.read()).status).toBe('action_required')
    await it.people.decide('sii_postulacion', 'representante_legal')
    expect((await it.read()).status).toBe('certifying')
    expect((await it.operate('sii_postulacion', 'done')).status).toBe(200)
    // A set that the SII refuses: the customer learns why, and it is tried again.
    expect((await it.operate('set_de_pruebas', 'refuse', { reason: 'El SII rechazó el caso 3.' })).status).toBe(200)
    expect((await it.read()).status).toBe('blocked')
    expect((await it.post('steps/set_de_pruebas/recheck')).status).toBe(202)
    for (const step of ['set_de_pruebas', 'simulacion', 'intercambio'])
      expect((await it.operate(step, 'done')).status).toBe(200)
    const unseen = await it.operate('muestras_impresas', 'done')
    expect([unseen.status, unseen.body.error.code]).toEqual([422, 'muestras_approval_required'])
    await it.people.decide('muestras_impresas', 'titular_cuenta')
    expect((await it.operate('muestras_impresas', 'done')).status).toBe(200)
    await it.people.decide('cumplimiento', 'representante_legal')
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
    expect((await world.get(it.base, { key: it.key })).body.resolucion).toMatchObject({
      numero: 99,
      fecha: '2026-10-01',
      verified: true,
    })

    await it.people.goLive()
    expect((await it.read()).status).toBe('emitting')
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
    const sent = await it.issue(factura)
    expect([sent.status, sent.text]).toEqual([201, expect.any(String)])
    await live.advance(3600)
    const read = { key: it.key, empresa: it.rut }
    expect((await world.get(`/v1/documents/${sent.body.id}`, read)).body.status).toBe('accepted')

    // The representante changes their mind, and changes it again: the empresa goes on where it was.
    await it.people.revoke()
    expect((await it.read()).status).toBe('suspended')
    expect((await it.issue({ ...factura, tipo_dte: 61 })).status).toBe(403)
    await it.people.sign()
    expect((await it.read()).status).toBe('emitting')
  })
})

describe('the SFG lane', () => {
  it('leads to a live empresa once the SII shows its user and its leave, and boletas do not hold it back', async () => {
    const it = await open({ doc_types: [33, 39, 61], emission_channel: 'sfg', origen: 'gratuito' })
    await it.taxpayer({ tipos: [33, 61], sfg: true, users: [], clave_centralizado: 'central' })
    await it.people.sign()
    expect((await it.read()).blocked_on).toBe('credential')
    await it.people.store('central')
    expect((await it.read()).blocked_on).toBe('clave_centralizado')
    await it.people.attest('clave_centralizado', 'titular_certificado')
    expect((await it.read()).blocked_on).toBe('usuario_autorizado')

    // Two more companies of the same person, so that the SII asks which, and so tells that this one is not among them.
    for (const rut of [randomRut(), randomRut()])
      await live.simulator.control('POST', '/control/taxpayers', { rut, sfg: true, users: [{ rut: it.holder }] })
    await live.advance(3600)
    expect((await it.step('usuario_autorizado')).blocked_reason).toMatchObject({
      code: 'requirement_unmet',
      details: { key: 'usuario_autorizado' },
    })
    await it.people.recheck('usuario_autorizado')
    await live.advance(120)
    expect((await it.read()).blocked_on).toBe('usuario_autorizado')
    await it.taxpayer({ users: [{ rut: it.holder }] })
    await it.people.recheck('usuario_autorizado')
    await live.advance(DAY)
    expect(await it.read()).toMatchObject({ status: 'certifying', blocked_on: 'puesta_en_vivo' })
    expect((await it.operate('puesta_en_vivo', 'done')).status).toBe(200)
    await it.people.goLive()
    expect(await it.read()).toMatchObject({ status: 'emitting', blocked_on: 'habilitacion' })
    expect((await live.world.get(it.base, { key: it.key })).body.capabilities.tipos).toEqual([33, 61])
    const boleta = { tipo_dte: 39, items: [{ description: 'Pan', unit_price: 990 }] }
    const early = await it.issue(boleta)
    expect([early.status, early.body.error.code, early.body.error.details.step]).toEqual([
      422,
      'empresa_not_emitting',
      'habilitacion',
    ])

    await it.people.decide('habilitacion', 'representante_legal')
    await it.taxpayer({ tipos: [33, 39, 61] })
    expect((await it.operate('habilitacion', 'done')).status).toBe(200)
    await live.advance(3600)
    expect(await it.read()).toMatchObject({ status: 'emitting', blocked_on: null, progress: 1 })
    expect((await live.world.get(it.base, { key: it.key })).body.capabilities.tipos).toEqual([33, 39, 61])
  })
})
