import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertCertificate } from '../../../../../test/support/insert-certificate.ts'
import { standInSii } from '../../../../../test/support/stand-in-sii.ts'
import { OPERATOR_SECRET, openWorld, randomRut, type World } from '../../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../../catalog/scopes.ts'
import { nowOf, REAL_TIME } from '../../../../kernel/clock.ts'
import type { EmpresaScope } from '../../../../kernel/scope.ts'
import type { Ports } from '../../../../ports/ports.ts'
import { REACTIONS } from '../../../../reactions.ts'
import { executionOf, executorsOf, listSwitches } from '../execution.ts'
import { handOver } from '../hand-over.ts'
import { LANES } from '../lanes.ts'

const headers = { 'svc-operator-secret': OPERATOR_SECRET }
const ANA = { by: 'Ana Soto' }
const LUIS = { by: 'Luis Rojas' }
const WHY = 'The SII offers it in a browser alone.'

let world: World
let key: string
let account_id: string
let granting = false
beforeAll(async () => {
  const { sii, grant } = standInSii()
  const requestCaf: typeof grant = (order) =>
    granting ? grant(order) : Promise.reject(new Error('nobody may ask for folios now'))
  world = await openWorld({ live_sii: { ...sii, requestCaf }, runs_jobs: true })
  account_id = await world.account({ plan: 'house' })
  key = await world.key(account_id, { mode: 'live', scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

/** A live empresa for which a job brings the first folios, and is not let to. */
async function atFolios() {
  const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', origen: 'mercado', doc_types: [33] }
  const { id, rut } = (await world.post('/v1/empresas', { key, body })).body
  const base = `/v1/empresas/${id}`
  const { version } = (await world.get('/v1/mandato_terms', {})).body
  const signer = { rut: '12345678-5', name: 'Rosa Pérez Soto', role: 'representante_legal' }
  await world.post(`${base}/mandato`, { key, body: { terms_version: version, signer } })
  await insertCertificate(world, id)
  const done = LANES.mercado.slice(0, LANES.mercado.indexOf('folios'))
  await world.db.sql`
    update onboarding_step set status = case when key = any(${[...done]}) then 'completed'
      when key = 'folios' then 'in_progress' else 'pending' end, opened_at = now(), tipos = '{33}'
    where empresa_id = ${id}`
  const scope: EmpresaScope = { account_id, mode: 'live', empresa_id: id, rut }
  return {
    id,
    rut,
    base,
    scope,
    folios: async () =>
      (await world.get(`${base}/onboarding`, { key })).body.steps.find((one: { key: string }) => one.key === 'folios'),
    act: (act: string, sent: object) =>
      world.post(`${base}/onboarding/steps/folios/${act}`, { headers, body: { ...sent } }),
    work: async () =>
      (await world.get('/v1/onboarding/work?step=folios', { headers })).body.data.find(
        (one: { empresa: { id: string } }) => one.empresa.id === id,
      ),
    handOver: (why: string) =>
      world.app.transactor.transact({ ...scope, clock: REAL_TIME }, (sql, unit) =>
        handOver(
          {
            sql,
            now: () => nowOf(REAL_TIME),
            ports: { sii: { live: {} } } as never,
            addresses: { base_url: 'http://timbre.test/v1', docs_url: 'http://timbre.test/docs' } as never,
            reactions: REACTIONS,
            emit: (event) => unit.emit({ empresa: { id, rut }, ...event }),
            enqueue: unit.enqueue.bind(unit, sql),
            invalidate: unit.invalidate.bind(unit),
          },
          scope,
          'folios',
          why,
        ),
      ),
  }
}
const refusal = (sent: { status: number; body: { error: { code: string } } }) => [sent.status, sent.body.error.code]

describe('a step of one empresa that a job handed to people', () => {
  it('is theirs alone, with why, until it fails: then the job begins it again', async () => {
    const it = await atFolios()
    expect((await it.folios()).execution).toBe('automatic')
    expect(refusal(await it.act('done', ANA))).toEqual([409, 'step_not_operators'])
    expect(refusal(await it.act('automatic', ANA))).toEqual([409, 'step_not_operators'])
    await it.handOver(WHY)
    await it.handOver('Something else.')
    expect((await it.folios()).execution).toBe('operator')
    expect(await it.work()).toMatchObject({ why: WHY, taken_by: null })
    const told = (await world.get(`/v1/events?empresa_rut=${it.rut}`, { key })).body.data
    expect(told[0].type).toBe('empresa.onboarding.updated')
    // A fact that moves nothing leaves it with them: no job begins.
    await world.patch(it.base, { key, body: { giro: 'Viñas' } })
    expect((await it.folios()).blocked_reason).toBeUndefined()
    await it.act('take', ANA)
    expect((await it.act('refuse', { ...ANA, reason: 'Falta un dato.' })).status).toBe(200)
    await world.post(`${it.base}/onboarding/steps/folios/recheck`, { key })
    expect(await it.folios()).toMatchObject({ status: 'in_progress', execution: 'automatic' })
    expect(await it.work()).toBeUndefined()
  })

  it('is given back to the job by whoever has it, and the job goes on', async () => {
    const it = await atFolios()
    await it.handOver(WHY)
    await it.act('take', ANA)
    expect(refusal(await it.act('automatic', LUIS))).toEqual([409, 'step_taken'])
    granting = true
    const given = await it.act('automatic', ANA)
    expect([given.status, given.body.steps.find((one: { key: string }) => one.key === 'folios').execution]).toEqual([
      200,
      'automatic',
    ])
    await world.until(async () => (await it.folios()).status === 'completed')
    granting = false
    const [evidence] = (await world.get(`${it.base}/onboarding/evidence`, { key })).body.data.filter(
      ({ act }: { act: string }) => act === 'operator_gave_back',
    )
    expect(evidence).toMatchObject({ via: 'operator', actor: { name: 'Ana Soto' } })
  })

  it('is taken from the job by a person, and not given back while the switch of the step says operator', async () => {
    const it = await atFolios()
    expect((await it.act('take', ANA)).body).toMatchObject({
      taken_by: 'Ana Soto',
      why: 'Lo tomó Ana Soto.',
    })
    expect((await it.folios()).execution).toBe('operator')
    const turn = (execution: string) => world.patch('/v1/onboarding/switches/folios', { headers, body: { execution } })
    await turn('operator')
    expect(refusal(await it.act('automatic', ANA))).toEqual([409, 'step_not_automatic'])
    await turn('automatic')
    // Turning the switch takes it from nobody.
    expect((await it.folios()).execution).toBe('operator')
    expect((await it.act('automatic', ANA)).status).toBe(200)
  })
})

describe('the steps of the certification', () => {
  it('stay with people where nothing connects us to the SII for them, whatever their switch says', async () => {
    const ports = (certification?: object) => ({ sii: { live: { certification } } }) as unknown as Pick<Ports, 'sii'>
    for (const step of ['set_de_pruebas', 'cumplimiento', 'habilitacion'] as const) {
      expect(executorsOf(step, ports())).toEqual(['operator'])
      const switches = await listSwitches({ sql: world.db.sql, ports: ports() })
      expect(executionOf(step, switches)).toBe('operator')
    }
    expect(executorsOf('folios', ports())).toEqual(['automatic', 'operator'])
    expect(executorsOf('resolucion', ports({}))).toEqual([])
  })
})
