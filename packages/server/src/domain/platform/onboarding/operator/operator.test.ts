import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertCertificate } from '../../../../../test/support/insert-certificate.ts'
import { standInSii } from '../../../../../test/support/stand-in-sii.ts'
import { OPERATOR_SECRET, openWorld, randomRut, type World } from '../../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../../catalog/scopes.ts'
import { LANES, type StepKey } from '../lanes.ts'

const headers = { 'svc-operator-secret': OPERATOR_SECRET }
const person = (role: string) => ({ rut: '12345678-5', name: 'Rosa Pérez Soto', role })
const ANA = { by: 'Ana Soto' }
const LUIS = { by: 'Luis Rojas' }

let world: World
let key: string
beforeAll(async () => {
  world = await openWorld({ live_sii: standInSii().sii, runs_jobs: true })
  key = await world.key(await world.account({ plan: 'house' }), { mode: 'live', scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

/** A live empresa whose steps before one are done. */
async function at(step: StepKey, lane: 'mercado' | 'sfg' = 'mercado', doc_types = [33]) {
  const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', origen: 'mercado', doc_types, emission_channel: lane }
  const { id, rut } = (await world.post('/v1/empresas', { key, body })).body
  const base = `/v1/empresas/${id}`
  const { version } = (await world.get('/v1/mandato_terms', {})).body
  const signer = person('representante_legal')
  await world.post(`${base}/mandato`, { key, body: { terms_version: version, signer } })
  await insertCertificate(world, id)
  if (lane === 'sfg')
    await world.post(`${base}/sfg_credential`, { key, body: { rut: '11111111-1', password: 'clave del SII' } })
  const keys: readonly StepKey[] = LANES[lane]
  const done = keys.slice(0, keys.indexOf(step))
  await world.db.sql`
    update onboarding_step set status = case when key = any(${done}) then 'completed' else 'pending' end, tipos = ${doc_types}
    where empresa_id = ${id}`
  await world.patch(base, { key, body: { giro: 'Viñas' } })
  return {
    id,
    rut,
    base,
    read: async () => (await world.get(`${base}/onboarding`, { key })).body,
    step: async (name: string) =>
      (await world.get(`${base}/onboarding`, { key })).body.steps.find((one: { key: string }) => one.key === name),
    approve: (name: string, role: string) =>
      world.post(`${base}/onboarding/steps/${name}/approve`, {
        key,
        body: { decision: 'approve', approved_by: person(role) },
      }),
    act: (name: string, act: string, sent: object) =>
      world.post(`${base}/onboarding/steps/${name}/${act}`, { headers, body: sent }),
  }
}
const work = async (query = '') => (await world.get(`/v1/onboarding/work${query}`, { headers })).body
const refusal = (sent: { status: number; body: { error: { code: string } } }) => [sent.status, sent.body.error.code]

const EVERY_ACT = [
  ['take', ANA],
  ['automatic', ANA],
  ['done', ANA],
  ['refuse', { ...ANA, reason: 'No se pudo.' }],
] as const

describe('a step that a person of the operator executes', () => {
  it('is on the work list once it is approved, oldest first, taken by one of two, and closed by whoever has it', async () => {
    const first = await at('sii_postulacion')
    expect((await work()).data).toEqual([])
    await first.approve('sii_postulacion', 'representante_legal')
    const second = await at('puesta_en_vivo', 'sfg')
    const page = await work('?limit=1')
    expect(page).toMatchObject({
      has_more: true,
      data: [
        {
          empresa: { id: first.id, rut: first.rut },
          step: 'sii_postulacion',
          approval: { act: 'postulacion', approved_by: person('representante_legal') },
          taken_by: null,
        },
      ],
    })
    expect((await work('?cursor=nothing')).error.code).toBe('invalid_cursor')
    const rest = await work(`?limit=1&cursor=${page.next_cursor}`)
    expect(rest).toMatchObject({ has_more: false, data: [{ empresa: { id: second.id }, approval: null }] })

    const taken = await Promise.all([ANA, LUIS].map((who) => first.act('sii_postulacion', 'take', who)))
    expect(taken.map(({ status }) => status).sort()).toEqual([200, 409])
    const [holder, other] = taken[0]?.status === 200 ? [ANA, LUIS] : [LUIS, ANA]
    expect((await work(`?taken_by=${encodeURIComponent(holder.by)}`)).data).toHaveLength(1)
    expect(refusal(await first.act('sii_postulacion', 'done', other))).toEqual([409, 'step_taken'])
    const refused = await first.act('sii_postulacion', 'refuse', { ...other, reason: 'No se pudo.' })
    expect(refusal(refused)).toEqual([409, 'step_taken'])
    const instead = await first.act('sii_postulacion', 'take', { ...other, instead_of: holder.by })
    expect([instead.status, instead.body.taken_by]).toEqual([200, other.by])
    const done = await first.act('sii_postulacion', 'done', { ...other, note: 'Inscrita en el SII' })
    expect([done.status, done.body.blocked_on]).toEqual([200, 'set_de_pruebas'])
    expect(done.body.steps.find(({ key: of }: { key: string }) => of === 'sii_postulacion').note).toBe(
      'Inscrita en el SII',
    )
    expect(refusal(await first.act('sii_postulacion', 'done', other))).toEqual([409, 'step_not_open'])

    const evidence = (await world.get(`${first.base}/onboarding/evidence`, { key })).body.data
    expect(evidence.slice(0, 3)).toMatchObject([
      { act: 'operator_done', via: 'operator', actor: { rut: null, name: other.by, role: null } },
      { act: 'operator_took', actor: { name: other.by } },
      { act: 'operator_took', actor: { name: holder.by } },
    ])
    const told = (await world.get(`/v1/events?empresa_rut=${first.rut}`, { key })).body.data
    const completed = told.filter(({ type }: { type: string }) => type === 'empresa.onboarding.step.completed')
    expect(completed[0].data.detail).toEqual({ step: 'sii_postulacion' })
    // What comes next has an executor of its own, and nobody has it in hand.
    expect((await work('?step=set_de_pruebas')).data).toMatchObject([{ empresa: { id: first.id }, taken_by: null }])
  })

  it('is refused with plain words for the customer, who asks for another try', async () => {
    const it = await at('set_de_pruebas')
    await it.act('set_de_pruebas', 'take', ANA)
    const sent = { ...ANA, reason: 'El SII pide el giro de la empresa.', details: 'Código 14' }
    expect((await it.act('set_de_pruebas', 'refuse', sent)).body.status).toBe('blocked')
    expect(await it.step('set_de_pruebas')).toMatchObject({
      status: 'failed',
      blocked_reason: {
        code: 'operator_refused',
        message: 'Nuestro equipo no pudo completar este paso. El SII pide el giro de la empresa.',
        details: { reason: sent.reason, explanation: 'Código 14' },
      },
    })
    expect(
      (await work('?step=set_de_pruebas')).data.map((one: { empresa: { id: string } }) => one.empresa.id),
    ).not.toContain(it.id)
    await world.post(`${it.base}/onboarding/steps/set_de_pruebas/recheck`, { key })
    expect(await it.step('set_de_pruebas')).toMatchObject({ status: 'in_progress' })
    const again = (await work('?step=set_de_pruebas')).data.find(
      (one: { empresa: { id: string } }) => one.empresa.id === it.id,
    )
    expect(again).toMatchObject({ taken_by: null })
  })

  it('is never closed before it is approved, open and theirs, nor while the mandato is revoked', async () => {
    const it = await at('muestras_impresas')
    for (const [act, sent] of EVERY_ACT) {
      expect(refusal(await it.act('muestras_impresas', act, sent))).toEqual([422, 'muestras_approval_required'])
      expect(refusal(await it.act('cumplimiento', act, sent))).toEqual([409, 'step_not_open'])
      expect(refusal(await it.act('resolucion', act, sent))).toEqual([409, 'step_not_operators'])
      expect(refusal(await it.act('credential', act, sent))).toEqual([404, 'onboarding_step_not_found'])
    }
    for (const act of ['look', 'restart']) {
      expect(refusal(await it.act('muestras_impresas', act, ANA))).toEqual([409, 'step_not_open'])
      expect(refusal(await it.act('credential', act, ANA))).toEqual([404, 'onboarding_step_not_found'])
    }
    expect(refusal(await it.act('resolucion', 'restart', ANA))).toEqual([409, 'step_not_operators'])
    await it.approve('muestras_impresas', 'titular_cuenta')
    const done = await it.act('muestras_impresas', 'done', ANA)
    expect([done.body.blocked_on, done.body.status]).toEqual(['cumplimiento', 'action_required'])
    const early = await it.act('cumplimiento', 'done', ANA)
    expect([...refusal(early), early.body.error.details.role]).toEqual([409, 'step_not_open', 'representante_legal'])
    await world.delete(`${it.base}/mandato`, { key })
    for (const [act, sent] of [...EVERY_ACT, ['look', ANA], ['restart', ANA]] as const)
      expect(refusal(await it.act('cumplimiento', act, sent))).toEqual([403, 'empresa_inactive'])
    const keyed = await world.post(`${it.base}/onboarding/steps/cumplimiento/done`, { key, body: ANA })
    expect(refusal(keyed)).toEqual([401, 'operator_authentication_required'])
  })

  it('begins again with nobody holding it, and is not acted upon by whoever saw it before it moved', async () => {
    const it = await at('set_de_pruebas')
    const shown = async () => (await world.get(`/v1/onboarding/certifications?rut=${it.rut}`, { headers })).body.data[0]
    const { version: seen } = await shown()
    expect((await it.act('set_de_pruebas', 'look', { ...ANA, seen })).status).toBe(202)
    await it.act('set_de_pruebas', 'take', { ...ANA, seen })
    for (const [act, sent] of [...EVERY_ACT, ['look', ANA], ['restart', ANA]] as const)
      expect(refusal(await it.act('set_de_pruebas', act, { ...sent, seen }))).toEqual([409, 'step_changed'])
    expect(refusal(await it.act('set_de_pruebas', 'restart', LUIS))).toEqual([409, 'step_taken'])
    const { version } = await shown()
    expect((await it.act('set_de_pruebas', 'restart', { ...ANA, seen: version })).status).toBe(200)
    expect(await shown()).toMatchObject({ status: 'in_progress', taken_by: null, blocked_reason: null })
    const [evidence] = (await world.get(`${it.base}/onboarding/evidence`, { key })).body.data
    expect(evidence).toMatchObject({ act: 'operator_restarted', actor: { name: 'Ana Soto' } })
  })

  it('opens what it stood before: going live after the puesta en vivo, boletas after the habilitación and their folios', async () => {
    const it = await at('puesta_en_vivo', 'sfg', [33, 39])
    expect((await it.act('puesta_en_vivo', 'done', ANA)).body).toMatchObject({
      status: 'go_live_pending',
      blocked_on: 'emitting',
    })
    const body = { decision: 'approve', approved_by: person('titular_cuenta') }
    await world.post(`${it.base}/onboarding/go_live`, { key, body })
    await it.approve('habilitacion', 'representante_legal')
    expect((await world.get(it.base, { key })).body).toMatchObject({ boleta_emission_enabled_at: null })
    await it.act('habilitacion', 'done', ANA)
    await expect
      .poll(async () => (await world.get(it.base, { key })).body.boleta_emission_enabled_at)
      .toEqual(expect.any(String))
  })
})

describe('the switch of a step', () => {
  it('is turned for every empresa at once, and only to what is able to execute it', async () => {
    const turn = (step: string, execution: string) =>
      world.patch(`/v1/onboarding/switches/${step}`, { headers, body: { execution } })
    expect(refusal(await turn('mandato', 'operator'))).toEqual([404, 'onboarding_step_not_found'])
    expect(refusal(await turn('set_de_pruebas', 'automatic'))).toEqual([400, 'invalid_field'])
    expect((await turn('folios', 'operator')).body).toMatchObject({ step: 'folios', execution: 'operator' })
    const it = await at('folios')
    expect(await it.step('folios')).toMatchObject({
      execution: 'operator',
      status: 'in_progress',
      eta_business_days: 2,
    })
    expect((await work('?step=folios')).data).toMatchObject([{ empresa: { id: it.id } }])
    // The folios are in or they are not, whatever anybody says.
    const said = await it.act('folios', 'done', ANA)
    expect([...refusal(said), said.body.error.details]).toEqual([422, 'requirement_unmet', { key: 'folios' }])
    await turn('folios', 'automatic')
    const { data } = (await world.get('/v1/onboarding/switches', { headers })).body
    expect(data.find((one: { step: string }) => one.step === 'folios')).toMatchObject({
      execution: 'automatic',
      executions: ['automatic', 'operator'],
      changed_at: expect.any(String),
    })
    // The job takes over what was waiting, as soon as somebody looks again.
    await world.post(`${it.base}/onboarding/steps/folios/recheck`, { key })
    await expect.poll(async () => (await it.step('folios')).status).toBe('completed')
  })
})
