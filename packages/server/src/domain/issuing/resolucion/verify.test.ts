import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { behind } from '../../../../test/support/lock-contention.ts'
import { standInSii } from '../../../../test/support/stand-in-sii.ts'
import { OPERATOR_SECRET, openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { type CafAnswer, type CafRequest, SiiUnreachable } from '../../../ports/sii.ts'
import { REFUSED_RESOLUCION } from '../../../sandbox/sii/sii.ts'

const standIn = standInSii()

let world: World
let account: string
let test: string
let live: string
let asked: CafRequest[]
let answer: (request: CafRequest) => Promise<CafAnswer>

beforeAll(async () => {
  const requestCaf = (request: CafRequest) => {
    asked.push(request)
    return answer(request)
  }
  world = await openWorld({ live_sii: { ...standIn.sii, requestCaf } })
  account = await world.account()
  test = await world.key(account)
  live = await world.key(account, { mode: 'live' })
})
beforeEach(() => {
  asked = []
  answer = standIn.grant
})
afterAll(() => world.close())

async function make(key: string, resolucion?: { numero: number; fecha: string }, more: object = {}) {
  const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', origen: 'mercado', resolucion, ...more }
  return (await world.post('/v1/empresas', { key, body })).body
}

const DECLARED = { numero: 80, fecha: '2014-08-22' }
const operator = { 'svc-operator-secret': OPERATOR_SECRET }
const verify = (id: string, body: object = { confirm: true }, headers: Record<string, string> = operator) =>
  world.post(`/v1/empresas/${id}/resolucion/verify`, { headers, body })
const read = async (id: string, key: string) => (await world.get(`/v1/empresas/${id}`, { key })).body

/** An SII that was asked and does not answer until it is told to; then it grants. */
function thinking() {
  let answers: () => void = () => undefined
  const asked = new Promise<void>((tell) => {
    answer = async (request) => {
      tell()
      await new Promise<void>((resolve) => {
        answers = resolve
      })
      return standIn.grant(request)
    }
  })
  return { asked, answers: () => answers() }
}

async function updatesOf(rut: string, key: string) {
  return (await world.get(`/v1/events?type=empresa.updated&empresa_rut=${rut}`, { key })).body.data
}

describe('POST /v1/empresas/{empresa_id}/resolucion/verify', () => {
  it('200 verifies when the SII grants a range, asks it once and tells of it', async () => {
    const before = await make(live, DECLARED)
    const sent = await verify(before.id)
    expect(sent.status).toBe(200)
    expect(sent.body.resolucion).toMatchObject({
      ...DECLARED,
      verified: true,
      verification_status: 'verified',
      verification_request: { tipo: 33, quantity: 1, ambiente: 'produccion' },
      refusal: null,
    })
    expect(sent.body.resolucion.verified_at).toMatch(/Z$/)
    expect(asked).toMatchObject([
      { rut: before.rut, tipo_dte: 33, quantity: 1, resolucion_numero: 80, ambiente: 'produccion', first_folio: 1 },
    ])
    expect(await read(before.id, live)).toEqual(sent.body)
    const events = await updatesOf(before.rut, live)
    expect(events).toHaveLength(1)
    expect(events[0].data).toEqual({
      object: sent.body,
      previous_attributes: { resolucion: before.resolucion, onboarding: before.onboarding },
    })
  })

  it('200 keeps the granted range with the other CAFs of the empresa, tells of it, and leaves it out of a refusal', async () => {
    const { id, rut } = await make(live, DECLARED)
    await verify(id)
    const [caf, ...others] = (await world.get('/v1/cafs', { key: live, empresa: rut })).body.data
    expect(others).toEqual([])
    expect(caf).toMatchObject({
      tipo_dte: 33,
      from: 1,
      to: 1,
      remaining: 1,
      source: 'resolucion',
      ambiente: 'produccion',
    })
    const events = await world.get(`/v1/events?type=folios.received&empresa_rut=${rut}`, { key: live })
    expect(events.body.data[0].data.detail).toMatchObject({ caf_id: caf.id, source: 'resolucion' })

    answer = async () => ({ granted: false, sentence: 'NO', reason: 'not_authorised' })
    const refused = await make(live, DECLARED)
    await verify(refused.id)
    expect((await world.get('/v1/cafs', { key: live, empresa: refused.rut })).body.data).toEqual([])
  })

  it('200 asks for a tipo that the empresa declares', async () => {
    const { id } = await make(live, DECLARED, { doc_types: [39, 52] })
    expect((await verify(id)).body.resolucion.verification_request.tipo).toBe(52)
  })

  it('200 records a refusal with the words of the SII, and declaring again opens it anew', async () => {
    answer = async () => ({ granted: false, sentence: 'NO AUTORIZADO A TIMBRAR', reason: 'not_authorised' })
    const { id, rut } = await make(live, DECLARED)
    const refused = await verify(id)
    expect(refused.status).toBe(200)
    expect(refused.body.resolucion).toMatchObject({
      verified: false,
      verified_at: null,
      verification_status: 'refused',
      verification_request: { tipo: 33, quantity: 1, ambiente: 'produccion' },
      refusal: 'NO AUTORIZADO A TIMBRAR',
    })
    expect(await updatesOf(rut, live)).toHaveLength(1)

    const again = await world.patch(`/v1/empresas/${id}`, { key: live, body: { resolucion: DECLARED } })
    expect(again.body.resolucion).toEqual({
      ...DECLARED,
      verified: false,
      verified_at: null,
      verification_status: 'pending_verification',
      verification_request: null,
      refusal: null,
    })
    answer = standIn.grant
    expect((await verify(id)).body.resolucion.verified).toBe(true)
  })

  it('200 puts a verified claim back to pending when another one is declared', async () => {
    const { id } = await make(live, DECLARED)
    await verify(id)
    const other = { numero: 99, fecha: '2014-10-21' }
    const { body } = await world.patch(`/v1/empresas/${id}`, { key: live, body: { resolucion: other } })
    expect(body.resolucion).toMatchObject({
      verified: false,
      verified_at: null,
      verification_status: 'pending_verification',
    })
  })

  it('200 rehearses both answers in the sandbox without asking the real SII', async () => {
    const yes = await make(test, DECLARED)
    const no = await make(test, { numero: REFUSED_RESOLUCION, fecha: '2014-08-22' })
    expect((await verify(yes.id)).body.resolucion.verification_status).toBe('verified')
    const refused = (await verify(no.id)).body.resolucion
    expect(refused.verification_status).toBe('refused')
    expect(refused.refusal).toContain('NO AUTORIZADO')
    expect(asked).toEqual([])
  })

  it('502 sii_unreachable changes nothing, tells nothing and may be repeated', async () => {
    const before = await make(live, DECLARED)
    answer = async () => {
      throw new SiiUnreachable('connection refused')
    }
    const failed = await verify(before.id)
    expect(failed.status).toBe(502)
    expect(failed.body.error).toMatchObject({ type: 'sii_error', code: 'sii_unreachable', retriable: true })
    expect(await read(before.id, live)).toEqual(before)
    expect(await updatesOf(before.rut, live)).toEqual([])
    answer = standIn.grant
    expect((await verify(before.id)).status).toBe(200)
  })

  it('500 for a fault of ours while asking leaves nothing that blocks the next try', async () => {
    const before = await make(live, DECLARED)
    answer = async () => {
      throw new TypeError('a bug')
    }
    expect((await verify(before.id)).status).toBe(500)
    expect(await read(before.id, live)).toEqual(before)
  })

  it('400 confirmation_required unless confirm is true, and the SII is not asked', async () => {
    const { id } = await make(live, DECLARED)
    for (const body of [{}, { confirm: false }]) {
      const refused = await verify(id, body)
      expect(refused.status).toBe(400)
      expect(refused.body.error).toMatchObject({ code: 'confirmation_required', param: 'confirm' })
    }
    expect((await verify(id, { confirm: 'true' })).body.error).toMatchObject({
      code: 'invalid_field',
      param: 'confirm',
    })
    expect(asked).toEqual([])
  })

  it('401 operator_authentication_required for every API key, root included, and a wrong secret', async () => {
    const { id } = await make(live, DECLARED)
    const root = await world.key(account, { mode: 'live', scopes: ['keys:write', 'empresas:write'] })
    for (const headers of [
      { authorization: `Bearer ${root}` },
      { authorization: `Bearer ${live}` },
      { 'svc-operator-secret': `${OPERATOR_SECRET}x` },
      {},
    ]) {
      const refused = await verify(id, { confirm: true }, headers as Record<string, string>)
      expect(refused.status).toBe(401)
      expect(refused.body.error.code).toBe('operator_authentication_required')
    }
    expect(asked).toEqual([])
  })

  it('404 empresa_not_found for an id that is none', async () => {
    expect((await verify('emp_nothing')).body.error.code).toBe('empresa_not_found')
  })
})

describe('409 resolucion_verification_not_allowed', () => {
  async function reasonFor(id: string): Promise<string> {
    const refused = await verify(id)
    expect(refused.status).toBe(409)
    expect(refused.body.error.code).toBe('resolucion_verification_not_allowed')
    return refused.body.error.details.reason
  }

  it('409 says no_resolucion when none was declared', async () => {
    expect(await reasonFor((await make(live)).id)).toBe('no_resolucion')
  })

  it('409 says already_verified, and the SII is not asked twice', async () => {
    const { id } = await make(live, DECLARED)
    await verify(id)
    expect(await reasonFor(id)).toBe('already_verified')
    expect(asked).toHaveLength(1)
  })

  it('409 says refused_redeclare_first after a refusal', async () => {
    answer = async () => ({ granted: false, sentence: 'NO', reason: 'not_authorised' })
    const { id } = await make(live, DECLARED)
    await verify(id)
    expect(await reasonFor(id)).toBe('refused_redeclare_first')
  })

  it('409 says empresa_inactive for an archived one', async () => {
    const { id } = await make(live, DECLARED)
    await world.patch(`/v1/empresas/${id}`, { key: live, body: { status: 'archived' } })
    expect(await reasonFor(id)).toBe('empresa_inactive')
  })

  it('409 says verification_running to the second of two at once: the SII is asked once', async () => {
    const { id } = await make(live, DECLARED)
    const sii = thinking()
    const first = verify(id)
    await sii.asked
    expect(await reasonFor(id)).toBe('verification_running')
    sii.answers()
    expect((await first).status).toBe(200)
    expect(asked).toHaveLength(1)
  })

  it('409 says verification_running to one that was let in an instant later', async () => {
    const { id } = await make(live, DECLARED)
    const other = {
      hold: (sql: Sql) => sql`select 1 from empresa where id = ${id} for update`,
      change: (sql: Sql) => sql`
        update empresa set resolucion_asked_by = 'req_other', resolucion_asked_at = ${new Date(systemNow())}
        where id = ${id}`,
    }
    expect(await behind(world, other, () => reasonFor(id))).toBe('verification_running')
    expect(asked).toEqual([])
  })

  it('409 says claim_changed_meanwhile when another resolución is declared while the SII thinks', async () => {
    const { id } = await make(live, DECLARED)
    const sii = thinking()
    const first = verify(id)
    await sii.asked
    await world.patch(`/v1/empresas/${id}`, { key: live, body: { resolucion: { numero: 99, fecha: '2014-10-21' } } })
    sii.answers()
    expect((await first).body.error.details.reason).toBe('claim_changed_meanwhile')
    expect((await read(id, live)).resolucion).toMatchObject({ numero: 99, verification_status: 'pending_verification' })
  })

  it('200 asks again once a question has lapsed whose process died before the answer', async () => {
    const { id } = await make(live, DECLARED)
    const died = (seconds: number) => world.db.sql`
      update empresa set resolucion_asked_by = 'req_gone', resolucion_asked_at = ${new Date(systemNow() - seconds * 1000)}
      where id = ${id}`
    await died(200)
    expect(await reasonFor(id)).toBe('verification_running')
    await died(301)
    expect((await verify(id)).status).toBe(200)
  })
})
