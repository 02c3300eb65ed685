import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertCertificate } from '../../../../test/support/insert-certificate.ts'
import { behind } from '../../../../test/support/lock-contention.ts'
import { standInSii } from '../../../../test/support/stand-in-sii.ts'
import { OPERATOR_SECRET, openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import type { Sql } from '../../../kernel/db.ts'
import { type CafAnswer, type CafRequest, SiiUnreachable } from '../../../ports/sii.ts'
import type { Authorisation } from '../../../ports/sii-taxpayer.ts'

const standIn = standInSii()
const ALL: Authorisation = { resolucion: { numero: 80, fecha: '2014-08-22' }, tipos: [33, 34, 52, 56, 61] }
const person = (role: string) => ({ rut: '12345678-5', name: 'Rosa Pérez Soto', role })
const operator = { 'svc-operator-secret': OPERATOR_SECRET }

let world: World
let key: string
let authorisation: () => Promise<Authorisation | null>
let works: boolean | null
let grant: (request: CafRequest) => Promise<CafAnswer>

beforeAll(async () => {
  const taxpayer = {
    authorisationOf: () => authorisation(),
    worksOnPortal: async () => works,
    recognises: async () => null,
  }
  const requestCaf = (request: CafRequest) => grant(request)
  world = await openWorld({ live_sii: { ...standIn.sii, requestCaf, taxpayer }, runs_jobs: true })
  key = await world.key(await world.account({ plan: 'house' }), { mode: 'live', scopes: SCOPE_NAMES })
})
beforeEach(() => {
  authorisation = async () => ALL
  works = true
  grant = standIn.grant
})
afterAll(() => world.close())

async function empresa(more: object = {}) {
  const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', origen: 'mercado', doc_types: [33, 56, 61], ...more }
  const made = await world.post('/v1/empresas', { key, body })
  const base = `/v1/empresas/${made.body.id}`
  const at = `${base}/onboarding`
  return {
    id: made.body.id as string,
    rut: made.body.rut as string,
    base,
    read: async () => (await world.get(at, { key })).body,
    step: async (name: string) =>
      (await world.get(at, { key })).body.steps.find((one: { key: string }) => one.key === name),
    post: (path: string, sent: object = {}) => world.post(`${at}/${path}`, { key, body: sent }),
    async sign() {
      const { version } = (await world.get('/v1/mandato_terms', {})).body
      const signer = person('representante_legal')
      expect((await world.post(`${base}/mandato`, { key, body: { terms_version: version, signer } })).status).toBe(201)
    },
    /** What stands in custody, told as an upload tells it. */
    async certify() {
      await insertCertificate(world, made.body.id)
      await world.patch(base, { key, body: { giro: 'Viñas' } })
    },
    events: async () =>
      (await world.get(`/v1/events?empresa_rut=${made.body.rut}&limit=100`, { key })).body.data
        .filter(({ type }: { type: string }) => type.startsWith('empresa.onboarding'))
        .reverse(),
  }
}

const declared = { resolucion: { numero: 80, fecha: '2014-08-22' } }

describe('the mercado lane', () => {
  it('is walked from the mandato to a live empresa, skipping the certification that a verified resolución makes needless', async () => {
    const it = await empresa(declared)
    const born = await it.read()
    expect(born).toMatchObject({ lane: 'mercado', status: 'mandato_pending', progress: 0, blocked_on: 'mandato' })
    expect(born.steps.map((step: { key: string }) => step.key)).toEqual([
      'mandato',
      'certificate',
      'sii_postulacion',
      'set_de_pruebas',
      'simulacion',
      'intercambio',
      'muestras_impresas',
      'cumplimiento',
      'resolucion',
      'folios',
    ])
    expect(born.pending_action).toMatchObject({
      step: 'mandato',
      performed_by: { role: 'representante_legal' },
      link: { mint: { method: 'POST', body: { step: 'mandato' } } },
    })

    await it.sign()
    expect(await it.read()).toMatchObject({ status: 'certificate_pending', blocked_on: 'certificate' })
    await it.certify()
    expect(await it.read()).toMatchObject({ status: 'action_required', blocked_on: 'sii_postulacion' })
    const early = await it.post('go_live', { decision: 'approve', approved_by: person('titular_cuenta') })
    expect([early.status, early.body.error.code, early.body.error.details]).toEqual([
      422,
      'requirement_unmet',
      { key: 'sii_postulacion' },
    ])

    await world.post(`${it.base}/resolucion/verify`, { headers: operator, body: { confirm: true } })
    await expect.poll(async () => (await it.read()).status).toBe('go_live_pending')
    const ready = await it.read()
    expect(new Set(ready.steps.slice(2, 9).map((step: { status: string }) => step.status))).toEqual(
      new Set(['skipped']),
    )
    expect(ready.pending_action.approval).toMatchObject({ act: 'go_live', role: 'titular_cuenta' })
    expect(ready.estimated_ready_at.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10))

    const other = await it.post('go_live', { decision: 'approve', approved_by: person('representante_legal') })
    expect([other.status, other.body.error.code]).toEqual([403, 'approval_role_required'])
    expect((await it.post('go_live', { decision: 'decline', approved_by: person('titular_cuenta') })).status).toBe(202)
    expect((await it.read()).status).toBe('go_live_pending')
    const live = await it.post('go_live', { decision: 'approve', approved_by: person('titular_cuenta') })
    expect([live.status, live.body.status, live.body.progress]).toEqual([202, 'emitting', 1])
    expect((await world.get(it.base, { key })).body).toMatchObject({
      ambiente: 'produccion',
      onboarding: { status: 'emitting', blocked_on: null },
      capabilities: { can_emit: true, tipos: [33, 56, 61] },
    })
    const twice = await it.post('go_live', { decision: 'approve', approved_by: person('titular_cuenta') })
    expect(twice.body.error.code).toBe('step_not_awaiting_approval')

    const told = await it.events()
    expect(
      told.map(({ type, data }: { type: string; data: { detail?: { step: string } } }) => [type, data.detail?.step]),
    ).toEqual(
      expect.arrayContaining([
        ['empresa.onboarding.step.completed', 'mandato'],
        ['empresa.onboarding.action_required', 'certificate'],
        ['empresa.onboarding.step.completed', 'folios'],
        ['empresa.onboarding.action_required', 'emitting'],
        ['empresa.onboarding.completed', undefined],
      ]),
    )
    expect(told.at(-1).data.object).toEqual(live.body)
  })

  it('waits for the approval of each step that asks for one, and for the SII at the resolución', async () => {
    const it = await empresa({ doc_types: [33] })
    await it.sign()
    await it.certify()
    const approve = (step: string, decision: string, role: string) =>
      it.post(`steps/${step}/approve`, { decision, approved_by: person(role), reason: 'todavía no' })
    const other = await approve('sii_postulacion', 'approve', 'titular_cuenta')
    expect([other.status, other.body.error.code]).toEqual([403, 'approval_role_required'])
    expect((await approve('sii_postulacion', 'decline', 'representante_legal')).body.status).toBe('action_required')
    expect((await it.step('sii_postulacion')).blocked_reason).toMatchObject({ code: 'approval_declined' })
    const begun = await approve('sii_postulacion', 'approve', 'representante_legal')
    expect(begun.body).toMatchObject({ status: 'certifying', blocked_on: 'sii_postulacion' })
    const step = await it.step('sii_postulacion')
    expect(step).toMatchObject({
      status: 'in_progress',
      execution: 'operator',
      actor: 'facturia',
      stall_actor: 'customer',
    })
    expect(step.eta_business_days).toBeGreaterThanOrEqual(2)
    const again = await approve('sii_postulacion', 'approve', 'representante_legal')
    expect([again.status, again.body.error.code]).toEqual([409, 'step_not_awaiting_approval'])
  })

  it('asks again for an approval that was given for fewer tipos than are declared now', async () => {
    const it = await empresa({ doc_types: [33] })
    await it.sign()
    await it.certify()
    const approve = () =>
      it.post('steps/sii_postulacion/approve', {
        decision: 'approve',
        approved_by: person('representante_legal'),
      })
    expect((await approve()).body).toMatchObject({ status: 'certifying' })
    await world.patch(it.base, { key, body: { doc_types: [33, 34] } })
    expect(await it.read()).toMatchObject({ status: 'action_required', blocked_on: 'sii_postulacion' })
    const done = () =>
      world.post(`${it.base}/onboarding/steps/sii_postulacion/done`, {
        headers: operator,
        body: { by: 'Marta' },
      })
    expect([(await done()).status, (await done()).body.error.code]).toEqual([409, 'step_not_open'])
    expect((await approve()).body).toMatchObject({ status: 'certifying' })
    // Fewer than what was approved is covered by it.
    await world.patch(it.base, { key, body: { doc_types: [33] } })
    expect(await it.read()).toMatchObject({ status: 'certifying' })
  })

  it('gives the application back with the words of the SII when it refuses the resolución that was declared', async () => {
    grant = async () => ({ granted: false, sentence: 'NO AUTORIZADO A TIMBRAR', reason: 'not_authorised' })
    const it = await empresa(declared)
    await it.sign()
    await it.certify()
    await world.post(`${it.base}/resolucion/verify`, { headers: operator, body: { confirm: true } })
    expect(await it.step('sii_postulacion')).toMatchObject({
      actor: 'customer',
      status: 'action_required',
      blocked_reason: { code: 'resolucion_claim', details: { sentence: 'NO AUTORIZADO A TIMBRAR' } },
    })
    await world.patch(it.base, { key, body: declared })
    expect(await it.step('sii_postulacion')).toMatchObject({ actor: 'facturia', status: 'action_required' })
  })

  it('says why the SII gives no first folios, and asks again when somebody says to', async () => {
    const refused = { granted: false, sentence: 'DEBE CONCURRIR A LA UNIDAD', reason: 'visit_required' } as const
    // The verification asks for one folio of 33; those of 56 and 61 are refused.
    grant = async (request) => (request.quantity === 1 ? standIn.grant(request) : refused)
    const it = await empresa(declared)
    await it.sign()
    await it.certify()
    await world.post(`${it.base}/resolucion/verify`, { headers: operator, body: { confirm: true } })
    await expect.poll(async () => (await it.step('folios')).status).toBe('failed')
    expect((await it.step('folios')).blocked_reason).toMatchObject({
      code: 'requirement_unmet',
      details: { key: 'folios' },
    })
    expect((await it.read()).status).toBe('blocked')
    // Both were refused at one moment, and both jobs end with that, at the first try.
    const asked = () => world.db.sql`
      select status, attempts, error->>'code' as code from job where name = 'folio.request' and empresa_id = ${it.id}`
    const ended = { status: 'failed', attempts: 1, code: 'folios_refused' }
    await expect.poll(asked).toEqual([ended, ended])
    grant = standIn.grant
    expect((await it.post('steps/folios/recheck')).status).toBe(202)
    await expect.poll(async () => (await it.step('folios')).status).toBe('completed')
  })
})

describe('the SFG lane', () => {
  const sfg = { emission_channel: 'sfg', origen: 'gratuito', doc_types: [33, 61] }
  async function withCredential(it: Awaited<ReturnType<typeof empresa>>) {
    await it.sign()
    await it.certify()
    const body = { rut: '11111111-1', password: 'clave del SII' }
    expect((await world.post(`${it.base}/sfg_credential`, { key, body })).status).toBe(201)
  }

  it('asks the SII by itself, keeps an attestation where it cannot, and never lets a person attest what it can see', async () => {
    works = false
    const it = await empresa(sfg)
    await withCredential(it)
    expect((await it.read()).blocked_on).toBe('clave_centralizado')
    const wrong = await it.post('steps/clave_centralizado/attest', { performed_by: person('titular_cuenta') })
    expect([wrong.status, wrong.body.error.code]).toEqual([403, 'approval_role_required'])
    const other = await it.post('steps/emisor_verificado/attest', { performed_by: person('titular_certificado') })
    expect([other.status, other.body.error.code]).toEqual([409, 'step_not_attestable'])
    const future = { performed_by: person('titular_certificado'), done_at: '2999-01-01T00:00:00Z' }
    expect((await it.post('steps/clave_centralizado/attest', future)).body.error.param).toBe('done_at')
    const told = { performed_by: person('titular_certificado'), note: 'Clave nueva desde hoy' }
    await it.post('steps/clave_centralizado/attest', told)
    expect(await it.step('clave_centralizado')).toMatchObject({ status: 'completed', note: told.note })
    expect(await it.step('usuario_autorizado')).toMatchObject({
      status: 'action_required',
      next_poll_at: expect.any(String),
    })

    const asked = await it.post('steps/usuario_autorizado/recheck')
    expect([asked.status, asked.body.step]).toEqual([202, 'usuario_autorizado'])
    await expect.poll(async () => (await it.step('usuario_autorizado')).blocked_reason?.code).toBe('requirement_unmet')
    expect((await it.step('usuario_autorizado')).blocked_reason.details.key).toBe('usuario_autorizado')
    // Again within a minute: it looks once, and says when it looks next.
    const again = (await it.post('steps/usuario_autorizado/recheck')).body
    expect(again.message).toMatch(/Acabamos de mirar .* Volvemos a mirar el /)
    expect(Date.parse(again.next_poll_at)).toBeGreaterThan(Date.now())
    await world.db
      .sql`update onboarding_step set next_poll_at = now() - interval '1 second' where empresa_id = ${it.id}`
    expect((await it.post('steps/usuario_autorizado/recheck')).body.message).toMatch(/Ya estamos mirando/)

    works = true
    await world.db.sql`update onboarding_step set rechecked_at = null where empresa_id = ${it.id}`
    await it.post('steps/usuario_autorizado/recheck')
    await expect.poll(async () => (await it.read()).blocked_on).toBe('emisor_verificado')
    authorisation = async () => {
      throw new SiiUnreachable('down')
    }
    await it.post('steps/emisor_verificado/recheck')
    await expect.poll(async () => (await it.step('emisor_verificado')).blocked_reason?.code).toBe('sii_unreachable')
    expect((await it.read()).status).toBe('waiting_sii')
    authorisation = async () => ALL
    await world.db.sql`update onboarding_step set rechecked_at = null where empresa_id = ${it.id}`
    await it.post('steps/emisor_verificado/recheck')
    await expect.poll(async () => (await it.read()).blocked_on).toBe('puesta_en_vivo')
    expect((await it.read()).status).toBe('certifying')
    expect(await it.step('puesta_en_vivo')).toMatchObject({
      actor: 'facturia',
      stall_actor: 'facturia',
      status: 'in_progress',
    })
    const evidence = (await world.get(`${it.base}/onboarding/evidence`, { key })).body.data
    expect(evidence.map(({ act, via }: { act: string; via: string }) => [act, via])).toEqual(
      expect.arrayContaining([
        ['step_attested', 'api'],
        ['sii_confirmed', 'sii'],
      ]),
    )
  })

  it('takes no answer of the SII for tipos that it was not asked about', async () => {
    const it = await empresa(sfg)
    await withCredential(it)
    await it.post('steps/clave_centralizado/attest', { performed_by: person('titular_certificado') })
    await it.post('steps/usuario_autorizado/recheck')
    await expect.poll(async () => (await it.read()).blocked_on).toBe('emisor_verificado')
    const doc_types = [...new Set([...(await world.get(it.base, { key })).body.doc_types, 34])]
    authorisation = async () => {
      await world.patch(it.base, { key, body: { doc_types } })
      return { ...ALL, tipos: ALL.tipos.filter((tipo) => tipo !== 34) }
    }
    await it.post('steps/emisor_verificado/recheck')
    await expect.poll(async () => (await it.step('emisor_verificado')).blocked_reason?.details.tipos).toEqual([34])
  })

  it('changes to the other lane and back without losing what was done', async () => {
    const it = await empresa(sfg)
    await withCredential(it)
    await it.post('steps/clave_centralizado/attest', { performed_by: person('titular_certificado') })
    await world.patch(it.base, { key, body: { certification_track: 'mercado' } })
    expect(await it.read()).toMatchObject({ lane: 'mercado', blocked_on: 'sii_postulacion' })
    expect(await it.step('mandato')).toMatchObject({ status: 'completed' })
    await world.patch(it.base, { key, body: { certification_track: null } })
    expect(await it.step('clave_centralizado')).toMatchObject({ status: 'completed' })
  })

  it('answers 404 for a step that is not of its lane, and 409 for one that is not open', async () => {
    const it = await empresa(sfg)
    const foreign = await it.post('steps/cumplimiento/recheck')
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'onboarding_step_not_found'])
    const closed = await it.post('steps/usuario_autorizado/recheck')
    expect([closed.status, closed.body.error.code]).toEqual([409, 'step_not_open'])
    const codeOf = async (path: string, sent: object) => (await it.post(path, sent)).body.error.code
    const performed_by = person('usuario_administrador')
    const approved_by = person('representante_legal')
    expect(await codeOf('steps/cumplimiento/attest', { performed_by })).toBe('onboarding_step_not_found')
    expect(await codeOf('steps/usuario_autorizado/attest', { performed_by })).toBe('step_not_open')
    expect(await codeOf('steps/nothing/approve', { decision: 'approve', approved_by })).toBe(
      'onboarding_step_not_found',
    )
  })
})

describe('a suspended empresa', () => {
  it('takes no decision from whoever was let in before the mandato was revoked', async () => {
    const it = await empresa({ doc_types: [33] })
    await it.sign()
    await it.certify()
    const approve = { decision: 'approve', approved_by: person('representante_legal') }
    const hold = (sql: Sql) => sql`select 1 from empresa where id = ${it.id} for update`
    const change = (sql: Sql) => sql`update empresa set status = 'suspended' where id = ${it.id}`
    const answer = await behind(world, { hold, change }, () => it.post('steps/sii_postulacion/approve', approve))
    expect([answer.status, answer.body.error.code]).toEqual([403, 'empresa_inactive'])
  })

  it('keeps the position that it held, and takes it up again when the mandato is signed again', async () => {
    const it = await empresa(declared)
    await it.sign()
    await it.certify()
    const before = await it.read()
    await world.delete(`${it.base}/mandato`, { key })
    expect(await it.read()).toMatchObject({ status: 'suspended', steps: before.steps })
    await world.post(`${it.base}/mandato`, { key, body: {} })
    expect(await it.read()).toMatchObject({ status: before.status, steps: before.steps })
  })
})

describe('a step that the SII showed to be done', () => {
  it('is open again once two looks in a row find otherwise, and not after one', async () => {
    const it = await empresa({ emission_channel: 'sfg', origen: 'gratuito', doc_types: [33, 61] })
    await it.sign()
    await it.certify()
    await world.post(`${it.base}/sfg_credential`, { key, body: { rut: '11111111-1', password: 'clave del SII' } })
    await it.post('steps/clave_centralizado/attest', { performed_by: person('titular_certificado') })
    /** The next look comes due now. */
    const look = async (step: string) => {
      await world.db.sql`
        update job set run_at = now(), due_at = now(), parked = false
        where name = 'onboarding.look' and empresa_id = ${it.id} and payload->>'step' = ${step}`
      world.app.worker.wake()
    }
    const looks = async () =>
      (
        await world.db.sql<{ looks: number }>`
        select looks from onboarding_step where empresa_id = ${it.id} and key = 'usuario_autorizado'`
      )[0]?.looks
    await look('usuario_autorizado')
    await expect.poll(async () => (await it.step('usuario_autorizado')).status).toBe('completed')
    // An SII that says nothing, as it does to whoever has a single company, undoes nothing.
    works = null
    const due = async () =>
      (
        await world.db.sql<{ due: boolean }>`
        select run_at <= now() or status = 'running' as due from job
        where name = 'onboarding.look' and empresa_id = ${it.id} and payload->>'step' = 'usuario_autorizado'`
      )[0]?.due
    for (let i = 0; i < 2; i++) {
      await look('usuario_autorizado')
      await expect.poll(due).toBe(false)
    }
    expect([await looks(), (await it.step('usuario_autorizado')).status]).toEqual([0, 'completed'])
    works = false
    await look('usuario_autorizado')
    await expect.poll(looks).toBe(1)
    expect((await it.step('usuario_autorizado')).status).toBe('completed')
    await look('usuario_autorizado')
    await expect.poll(async () => (await it.step('usuario_autorizado')).status).toBe('action_required')
    expect((await it.step('usuario_autorizado')).blocked_reason.details.key).toBe('usuario_autorizado')
  })
})
