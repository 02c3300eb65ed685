import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, randomRut, type World } from '../../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../../catalog/scopes.ts'

let world: World
let key: string
let base: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(await world.account(), { scopes: SCOPE_NAMES })
  const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', doc_types: [33, 39, 61] }
  base = `/v1/empresas/${(await world.post('/v1/empresas', { key, body })).body.id}/onboarding/certification`
})
afterAll(() => world.close())

describe('the certification', () => {
  it('tells what is to be certified and the steps that do, and nothing where nothing is', async () => {
    expect((await world.get(base, { key })).body).toMatchObject({
      object: 'certification',
      tipos: [],
      steps: [],
      set: null,
    })
    const helper = base.replace('/v1/', '/v1/test_helpers/').replace('/certification', '')
    await world.post(helper, { key, body: { lane: 'mercado', status: 'certifying' } })
    const { body } = await world.get(base, { key })
    expect(body).toMatchObject({ tipos: [33, 61], cases: [], inputs: [] })
    expect(body.steps.map((step: { key: string; status: string }) => [step.key, step.status])).toEqual([
      ['sii_postulacion', 'completed'],
      ['set_de_pruebas', 'in_progress'],
      ['simulacion', 'pending'],
      ['intercambio', 'pending'],
      ['muestras_impresas', 'pending'],
      ['cumplimiento', 'pending'],
      ['resolucion', 'pending'],
    ])
  })

  it('409 takes no set and no inputs while people of the operator run it', async () => {
    const file = Buffer.from('CASO 1-1').toString('base64')
    for (const [path, body] of [
      ['set_file', { file }],
      ['inputs', { inputs: [{ key: 'giro', value: 'Viñas' }] }],
    ] as const) {
      const sent = await world.post(`${base}/${path}`, { key, body })
      expect([sent.status, sent.body.error.code]).toEqual([409, 'certification_run_by_operator'])
    }
  })
})
