// A taxpayer goes from its postulación to documents that count, over the wire of the simulator: its people approve, a job does
// the rest. Once without a hitch, and once refused in every step.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Certifying, openCertifying } from '../support/certifying.ts'
import { IN_FULL } from '../support/in-full.ts'
import { type LiveWorld, openLiveWorld } from '../support/live-world.ts'
import { skipYearBefore } from '../support/year-before.ts'

const TIPOS = [33, 34, 39, 41, 46, 52, 56, 61]
const DAY = 86_400

let live: LiveWorld
beforeAll(async () => {
  live = await openLiveWorld()
})
afterAll(() => live.close())

/** Who approves what, in the order in which they are asked. */
const APPROVALS = [
  ['sii_postulacion', 'representante_legal'],
  ['muestras_impresas', 'titular_cuenta'],
  ['cumplimiento', 'representante_legal'],
  ['habilitacion', 'representante_legal'],
] as const

async function goLive(empresa: Certifying): Promise<void> {
  const approved_by = { rut: '12345678-5', name: 'Rosa Pérez Soto', role: 'titular_cuenta' }
  const sent = await empresa.post('go_live', { decision: 'approve', approved_by })
  expect([sent.status, sent.text]).toEqual([202, expect.any(String)])
}

async function issueAndSee(empresa: Certifying): Promise<void> {
  const receptor = {
    rut: '77123456-9',
    legal_name: 'Compradora SpA',
    giro: 'Comercio',
    address: { street: 'Calle Larga 56', comuna: 'Maipú' },
  }
  const body = { tipo_dte: 33, receptor, items: [{ description: 'Vino', quantity: 6, unit_price: 4_990 }] }
  const who = { key: empresa.key, empresa: empresa.rut }
  const sent = await live.world.post('/v1/documents', { ...who, body, headers: { 'idempotency-key': randomUUID() } })
  expect([sent.status, sent.text]).toEqual([201, expect.any(String)])
  await live.advance(120)
  expect((await live.world.get(`/v1/documents/${sent.body.id}`, who)).body).toMatchObject({ status: 'accepted' })
}

const products = { inputs: [{ key: 'products', value: 'Vino tinto = 4990; Cata guiada = 15000 exento' }] }

describe.runIf(IN_FULL)('a certification', () => {
  it('leads from the postulación to an accepted factura with nothing but approvals', async () => {
    const empresa = await openCertifying(live, { doc_types: TIPOS })
    await skipYearBefore(live.world, { account: empresa.account_id, empresa_id: empresa.id, rut: empresa.rut }, 'live')
    expect((await empresa.post('certification/inputs', products)).status).toBe(200)
    for (const [step, role] of APPROVALS) {
      expect(await empresa.onboarding()).toMatchObject({ status: 'action_required', blocked_on: step })
      await empresa.approve(step, role)
      await live.advance(12 * DAY)
    }
    expect(await empresa.onboarding()).toMatchObject({ status: 'go_live_pending', progress: 1 })
    const { files, findings } = await empresa.certification()
    expect(findings).toEqual([])
    for (const { state, kind, attempt } of files)
      expect([kind, state, attempt]).toEqual([kind, kind === 'exchange_received' ? 'received' : 'approved', 1])
    await goLive(empresa)
    await issueAndSee(empresa)
  })

  /** What the SII refuses, by the step that then has to be tried again. */
  const REFUSALS: readonly (readonly [
    step: string,
    script: { door: string; kind: string; match?: string; finding?: object },
  ])[] = [
    ['sii_postulacion', { door: 'certification', kind: 'step_refuse', match: 'pe_confirma' }],
    ['set_de_pruebas', { door: 'certification', kind: 'step_refuse', match: 'pe_generar2' }],
    ['set_de_pruebas', { door: 'folios', kind: 'no_folios', finding: { code: 'visit' } }],
    ['set_de_pruebas', { door: 'dte_upload', kind: 'reparo' }],
    ['set_de_pruebas', { door: 'certification', kind: 'review_refuse', match: 'SET BASICO' }],
    ['set_de_pruebas', { door: 'certification', kind: 'review_refuse', match: 'LIBRO DE VENTAS' }],
    ['simulacion', { door: 'certification', kind: 'review_refuse', match: 'SET DE SIMULACION' }],
    ['intercambio', { door: 'certification_exchange', kind: 'step_refuse' }],
    ['muestras_impresas', { door: 'certification', kind: 'review_refuse', match: 'DOCUMENTOS IMPRESOS' }],
    ['cumplimiento', { door: 'certification', kind: 'step_refuse', match: 'pe_avance9' }],
    ['habilitacion', { door: 'certification', kind: 'review_refuse', match: 'SET DE BOLETA 39' }],
  ]

  it('is refused in every step, told with the words of the SII, and tried again to the same end', async () => {
    const empresa = await openCertifying(live, { doc_types: [33, 34, 39, 56, 61] })
    await skipYearBefore(live.world, { account: empresa.account_id, empresa_id: empresa.id, rut: empresa.rut }, 'live')
    await empresa.post('certification/inputs', products)
    const roles = new Map<string, string>(APPROVALS)
    const approve = async () => {
      const { status, blocked_on } = await empresa.onboarding()
      const role = status === 'action_required' ? roles.get(blocked_on) : undefined
      if (role) await empresa.approve(blocked_on, role)
    }
    const refused: string[] = []
    for (const [step, script] of REFUSALS) {
      const glosa = `NO SE PUEDE: ${step}`
      await live.simulator.script({ ...script, finding: { code: 'X', glosa, ...(script.finding ?? {}) } })
      for (let days = 0; days < 20 && (await empresa.onboarding()).status !== 'blocked'; days++) {
        await approve()
        await live.advance(DAY)
      }
      const { status, blocked_on } = await empresa.onboarding()
      expect([status, blocked_on, script.kind]).toEqual(['blocked', step, script.kind])
      const { blocked_reason } = await empresa.step(step)
      expect(blocked_reason).toMatchObject({ details: { sentence: expect.any(String) } })
      refused.push(step)
      expect((await empresa.post(`steps/${step}/recheck`)).status).toBe(202)
    }
    expect(refused).toHaveLength(REFUSALS.length)
    for (let days = 0; days < 30 && (await empresa.onboarding()).status !== 'go_live_pending'; days++) {
      await approve()
      await live.advance(DAY)
    }
    expect(await empresa.onboarding()).toMatchObject({ status: 'go_live_pending' })
    await goLive(empresa)
    await issueAndSee(empresa)
  })

  it('is carried out for twenty empresas at once, none with the files of another', async () => {
    const empresas = await Promise.all(Array.from({ length: 20 }, () => openCertifying(live, { doc_types: TIPOS })))
    for (const empresa of empresas) {
      await skipYearBefore(
        live.world,
        { account: empresa.account_id, empresa_id: empresa.id, rut: empresa.rut },
        'live',
      )
      await empresa.post('certification/inputs', products)
    }
    for (const [step, role] of APPROVALS) {
      await Promise.all(empresas.map((empresa) => empresa.approve(step, role)))
      await live.advance(12 * DAY)
    }
    for (const empresa of empresas) {
      expect(await empresa.onboarding()).toMatchObject({ status: 'go_live_pending' })
      const { files } = await empresa.certification()
      for (const { attempt } of files) expect(attempt).toBe(1)
    }
  }, 1_200_000)
})
