import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR_SECRET, openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'

const SET_FILE = Buffer.from(
  'SET BASICO - NUMERO DE ATENCION: 1\r\nCASO 1-1\r\n=====\r\nDOCUMENTO\tFACTURA ELECTRONICA\r\nITEM\tCANTIDAD\tPRECIO UNITARIO\r\nPan AFECTO\t1\t100',
).toString('base64')

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
      sets: [],
    })
    const helper = base.replace('/v1/', '/v1/test_helpers/').replace('/certification', '')
    await world.post(helper, { key, body: { lane: 'mercado', status: 'certifying' } })
    const { body } = await world.get(base, { key })
    expect(body).toMatchObject({ tipos: [33, 61], cases: [], files: [], findings: [] })
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

  it('shows what a set that is handed in comes to, case by case, and sends nothing of a rehearsal', async () => {
    const set = [
      'SET BASICO - NUMERO DE ATENCION: 900001',
      '===========================================',
      'CASO 900001-1',
      '==============',
      'DOCUMENTO\tFACTURA ELECTRONICA',
      '',
      'ITEM\tCANTIDAD\tPRECIO UNITARIO',
      'Cajón AFECTO\t10\t1000',
      'Relleno AFECTO\t4\t500',
      '',
      'SET DE EXPORTACION (1) - NUMERO DE ATENCION: 900009',
      '===========================================',
      'CASO 900009-1',
      '==============',
      'DOCUMENTO\tFACTURA DE EXPORTACION ELECTRONICA',
    ].join('\r\n')
    const file = Buffer.from(set, 'latin1').toString('base64')
    const { status, body } = await world.post(`${base}/set_file`, { key, body: { file } })
    expect([status, body.findings]).toEqual([200, []])
    expect(body.sets).toMatchObject([{ kind: 'facturas', source: 'file' }])
    expect(body.sets[0].sections.map(({ kind }: { kind: string }) => kind)).toEqual(['basico', 'exportacion'])
    expect(body.cases[0]).toMatchObject({
      ...{ case_id: '900001-1', section: 'basico', line: 3, tipo_dte: 33, folio: null, state: 'not_built' },
      totals: { net: 12_000, exempt: 0, iva: 2_280, total: 14_280 },
    })
    expect(body.files).toEqual([])
  })

  it('404 has nothing printed to give to the operator before anything is', async () => {
    const headers = { 'svc-operator-secret': OPERATOR_SECRET }
    const [, , , id] = base.split('/')
    const sent = await world.get(`/v1/onboarding/certifications/${id}/samples`, { headers })
    expect([sent.status, sent.body.error.code]).toEqual([404, 'certification_sample_not_found'])
  })

  it('409 takes no other set while the SII has a file of the one in use, and 404 none without an onboarding', async () => {
    const [, , , id] = base.split('/')
    await world.db.sql`
      insert into certification_file (account_id, empresa_id, mode, id, step, kind, position, attempt, file_name, status,
        created_at, changed_at)
      select account_id, id, mode, 'cfil_sent', 'set_de_pruebas', 'basico', 0, 1, 'set.xml', 'sent', now(), now()
      from empresa where id = ${id}`
    const under_way = await world.post(`${base}/set_file`, { key, body: { file: SET_FILE } })
    expect([under_way.status, under_way.body.error.code]).toEqual([409, 'certification_under_way'])
    await world.db.sql`delete from certification_file where id = 'cfil_sent'`
    const body = { rut: randomRut(), legal_name: 'Panadería Andina SpA' }
    const other = (await world.post('/v1/empresas', { key, body })).body.id
    const at = `/v1/empresas/${other}/onboarding/certification/set_file`
    const nowhere = await world.post(at, { key, body: { file: SET_FILE } })
    expect([nowhere.status, nowhere.body.error.code]).toEqual([404, 'onboarding_step_not_found'])
  })

  it('400 takes no set of tipos that the empresa does not certify, and names them', async () => {
    const text = Buffer.from(SET_FILE, 'base64')
      .toString('latin1')
      .replace('FACTURA ELECTRONICA', 'FACTURA NO AFECTA O EXENTA ELECTRONICA')
    const file = Buffer.from(text.replace('SET BASICO', 'SET FACTURA EXENTA'), 'latin1').toString('base64')
    const sent = await world.post(`${base}/set_file`, { key, body: { file } })
    expect([sent.status, sent.body.error]).toMatchObject([400, { code: 'invalid_set_file', details: { tipos: [34] } }])
  })

  it('400 refuses what is no set, and a day on which it cannot have been downloaded, by name', async () => {
    const text = Buffer.from('hola').toString('base64')
    for (const [body, code, param] of [
      [{ file: Buffer.from([0, 1, 2, 255]).toString('base64') }, 'invalid_set_file', 'file'],
      [{ file: text }, 'invalid_set_file', 'file'],
      [{ file: text, downloaded_on: '2099-01-01' }, 'invalid_field', 'downloaded_on'],
      [{ file: text, downloaded_on: '2020-01-01' }, 'invalid_field', 'downloaded_on'],
    ] as const) {
      const sent = await world.post(`${base}/set_file`, { key, body })
      expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, code, param])
    }
  })

  it('takes what only the taxpayer knows, and refuses what it did not ask or cannot read', async () => {
    const inputs = (key_: string, value: string) =>
      world.post(`${base}/inputs`, { key, body: { inputs: [{ key: key_, value }] } })
    const told = (await inputs('products', 'Vino tinto; Flete a Santiago')).body
    expect(told.inputs).toMatchObject([{ key: 'products', required: false, value: 'Vino tinto; Flete a Santiago' }])
    for (const [name, value, param] of [
      ['giro', 'Viñas', 'inputs[0].key'],
      ['common_use_factor', '1.5', 'inputs[0].value'],
      ['invoiced_guia', 'la 33', 'inputs[0].value'],
    ] as const) {
      const { status, body } = await inputs(name, value)
      expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_field', param])
    }
  })

  it('takes no set for a step that is closed', async () => {
    const helper = base.replace('/v1/', '/v1/test_helpers/').replace('/certification', '')
    await world.post(helper, { key, body: { lane: 'mercado', status: 'go_live_pending' } })
    const sent = await world.post(`${base}/set_file`, { key, body: { file: SET_FILE } })
    expect([sent.status, sent.body.error.code]).toEqual([409, 'step_not_open'])
  })
})
