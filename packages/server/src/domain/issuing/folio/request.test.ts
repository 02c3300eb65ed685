import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type FolioWorld, openFolioWorld } from '../../../../test/support/folio-stock.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import { FOLIO_REFUSALS } from '../../../catalog/folio-refusals.ts'
import { MAGIC_QUANTITIES } from '../../../catalog/limits.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type CafAnswer, type CafRequest, SiiUnreachable } from '../../../ports/sii.ts'
import { REFUSED_RESOLUCION } from '../../../sandbox/sii/sii.ts'
import { REQUEST_ATTEMPTS } from './jobs.ts'

let at: FolioWorld
/** What the SII gives again, by its range. */
const given = new Map<string, Uint8Array>()
beforeAll(async () => {
  at = await openFolioWorld({ reobtainCaf: async ({ from, to }) => given.get(`${from}-${to}`) ?? null })
})
afterEach(() => {
  at.live_sii.answer = at.standIn.grant
  given.clear()
})
afterAll(() => at.world.close())

const ask = (scope: EmpresaScope, body: object = { tipo_dte: 33, quantity: 20 }) =>
  at.world.post('/v1/folios/requests', { key: at.keyOf(scope), empresa: scope.rut, body })

async function ended(scope: EmpresaScope, job_id: string) {
  const read = async () => (await at.world.get(`/v1/jobs/${job_id}`, { key: at.keyOf(scope) })).body
  await expect.poll(async () => (await read()).status).toMatch(/succeeded|failed/)
  return read()
}

async function openTransactions(): Promise<number | undefined> {
  const [row] = await at.world.db.sql<{ open: number }>`
    select count(*) as open from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`
  return row?.open
}

async function fileOf(request: CafRequest): Promise<Uint8Array> {
  const answer = await at.standIn.grant(request)
  if (!answer.granted) throw new Error(answer.sentence)
  return answer.file
}

/** Lets the wait between two tries pass. */
async function bringForward(job_id: string): Promise<void> {
  await at.world.db.sql`update job set run_at = now(), parked = false where id = ${job_id} and status = 'queued'`
  at.world.app.worker.wake()
}

describe('POST /v1/folios/requests', () => {
  it('202 gives the job that asks the SII; the range arrives right after the highest folio and is told of', async () => {
    const scope = await at.empresa({ mode: 'test' })
    const sent = await ask(scope)
    expect(sent.status).toBe(202)
    expect(sent.body).toMatchObject({ object: 'job', type: 'folio_request', status: 'queued', empresa: scope.rut })
    const job = await ended(scope, sent.body.id)
    expect(job).toMatchObject({ status: 'succeeded', result: { from: 1, to: 20 }, error: null })
    const second = await ended(scope, (await ask(scope, { tipo_dte: 33, quantity: 5 })).body.id)
    expect(second.result).toMatchObject({ from: 21, to: 25 })
    expect(await at.folios(scope)).toMatchObject({ available: 25, next_folio: 1, ranges: [{ source: 'request' }, {}] })

    const requested = await at.events(scope, 'folios.requested')
    expect(requested.map((event: { data: { detail: object } }) => event.data.detail)).toEqual([
      { quantity: 5, job_id: second.id, reason: 'asked' },
      { quantity: 20, job_id: job.id, reason: 'asked' },
    ])
    const usage = await at.world.get(`/v1/usage/records?kind=folios_requested&empresa_rut=${scope.rut}`, {
      key: at.test,
    })
    expect(
      usage.body.data.map((one: { quantity: number; subject_id: string }) => [one.quantity, one.subject_id]),
    ).toEqual([
      [5, second.id],
      [20, job.id],
    ])

    const [received] = await at.events(scope, 'folios.received')
    expect(received.data).toEqual({
      object: await at.folios(scope),
      detail: { caf_id: second.result.caf_id, from: 21, to: 25, source: 'request' },
    })
  })

  it('202 asks for as many folios as the last range has when no quantity is said, and for 100 the first time', async () => {
    const scope = await at.empresa({ mode: 'test' })
    const granted = async (body: object) => (await ended(scope, (await ask(scope, body)).body.id)).result
    expect(await granted({ tipo_dte: 33 })).toMatchObject({ from: 1, to: 100 })
    expect(await granted({ tipo_dte: 33, quantity: 7 })).toMatchObject({ from: 101, to: 107 })
    expect(await granted({ tipo_dte: 33 })).toMatchObject({ from: 108, to: 114 })
  })

  it('202 answers with the request that is on its way instead of making a second one of the same tipo', async () => {
    let answer = () => {}
    const waiting = new Promise<void>((resolve) => {
      answer = resolve
    })
    at.live_sii.answer = async (request) => {
      await waiting
      return at.standIn.grant(request)
    }
    const scope = await at.empresa()
    const sent = await Promise.all([ask(scope), ask(scope), ask(scope, { tipo_dte: 33, quantity: 7 })])
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(1)
    const other = await ask(scope, { tipo_dte: 39, quantity: 3 })
    expect(other.body.id).not.toBe(sent[0]?.body.id)
    answer()
    await ended(scope, sent[0]?.body.id)
    await ended(scope, other.body.id)
    const requested = await at.events(scope, 'folios.requested')
    expect(requested.map((event: { data: { object: { tipo_dte: number } } }) => event.data.object.tipo_dte)).toEqual([
      39, 33,
    ])
    const later = (await ask(scope)).body.id
    expect(later).not.toBe(sent[0]?.body.id)
    await ended(scope, later)
  })

  it('asks the SII in the words it needs, with no transaction open', async () => {
    const asked: object[] = []
    at.live_sii.answer = async (request) => {
      asked.push(request)
      // Those of others end by themselves; one of the asking job would stay as long as it waits here.
      await expect.poll(openTransactions).toBe(0)
      return at.standIn.grant(request)
    }
    const scope = await at.empresa()
    await at.world.db.sql`update empresa set resolucion_numero = 80 where id = ${scope.empresa_id}`
    await ended(scope, (await ask(scope)).body.id)
    expect(asked).toMatchObject([
      {
        rut: scope.rut,
        legal_name: 'Viña Maule S.A.',
        tipo_dte: 33,
        quantity: 20,
        resolucion_numero: 80,
        ambiente: 'produccion',
        first_folio: 1,
      },
    ])
  })

  it('brings the range that the SII gave to a process that died before any other, and forgets one that it did not give', async () => {
    const offers = [
      { from: 1, to: 20 },
      { from: 21, to: 40 },
    ]
    let asked = 0
    at.live_sii.answer = async (request) => {
      const offer = offers[asked++]
      if (offer) await request.onOffer?.(offer)
      // The first died before the SII gave anything, the second before it was kept.
      if (asked === 2) given.set('21-40', await fileOf({ ...request, first_folio: 21 }))
      if (asked <= 2) throw new SiiUnreachable('as if the process had died')
      return at.standIn.grant(request)
    }
    const scope = await at.empresa()
    const job_id = (await ask(scope)).body.id
    for (const runs of [1, 2]) {
      await expect.poll(() => asked).toBe(runs)
      await expect
        .poll(async () => (await at.world.get(`/v1/jobs/${job_id}`, { key: at.keyOf(scope) })).body.status)
        .toBe('queued')
      await bringForward(job_id)
    }
    expect(await ended(scope, job_id)).toMatchObject({ status: 'succeeded', result: { from: 21, to: 40 } })
    expect(asked).toBe(2)
    const { sql } = at.world.db
    expect(await sql`select from_folio from folio_offer where empresa_id = ${scope.empresa_id}`).toEqual([])
    expect((await ended(scope, (await ask(scope)).body.id)).result).toMatchObject({ from: 41 })
  })

  it('ends failed with the words of the SII, what to do about them and the reason in a word, and tells of it', async () => {
    const sentence = 'NO SE AUTORIZA TIMBRAJE'
    at.live_sii.answer = async (): Promise<CafAnswer> => ({ granted: false, sentence, reason: 'visit_required' })
    const scope = await at.empresa()
    const job = await ended(scope, (await ask(scope)).body.id)
    const message = `${sentence} – ${FOLIO_REFUSALS.visit_required.advice}`
    const error = { code: 'folios_refused', message, details: { reason: 'visit_required' } }
    expect(job).toMatchObject({ status: 'failed', error })
    const [failed] = await at.events(scope, 'folios.request_failed')
    expect(failed.data).toEqual({
      object: await at.folios(scope),
      detail: { quantity: 20, job_id: job.id, code: 'folios_refused', message, reason: 'visit_required' },
    })
  })

  it('asks again while the SII does not answer, and gives up with folios.request_failed after the last try', async () => {
    let asked = 0
    at.live_sii.answer = async () => {
      asked++
      throw new SiiUnreachable('connection refused')
    }
    const scope = await at.empresa()
    const { id } = (await ask(scope)).body
    for (let tries = 1; tries < REQUEST_ATTEMPTS; tries++) {
      await expect.poll(() => asked).toBe(tries)
      await expect.poll(async () => (await at.world.get(`/v1/jobs/${id}`, { key: at.live })).body.status).toBe('queued')
      expect(await at.events(scope, 'folios.request_failed')).toEqual([])
      await bringForward(id)
    }
    const job = await ended(scope, id)
    expect([asked, job.status, job.error.code]).toEqual([REQUEST_ATTEMPTS, 'failed', 'sii_unreachable'])
    const [failed, ...more] = await at.events(scope, 'folios.request_failed')
    expect([failed.data.detail.code, more]).toEqual(['sii_unreachable', []])
  })

  it('shows sii_unreachable between two tries, and takes up where it left off when the SII is back', async () => {
    at.live_sii.answer = async () => {
      throw new SiiUnreachable('connection refused')
    }
    const scope = await at.empresa()
    const { id } = (await ask(scope)).body
    await expect
      .poll(async () => (await at.world.get(`/v1/jobs/${id}`, { key: at.live })).body.error?.code)
      .toBe('sii_unreachable')
    at.live_sii.answer = at.standIn.grant
    await bringForward(id)
    expect((await ended(scope, id)).result).toMatchObject({ from: 1, to: 20 })
  })

  it('never keeps a range that is not what was asked for', async () => {
    const scope = await at.empresa()
    at.live_sii.answer = (request) => at.standIn.grant({ ...request, tipo_dte: 39 })
    const { id } = (await ask(scope)).body
    await expect
      .poll(async () => (await at.world.get(`/v1/jobs/${id}`, { key: at.live })).body.error?.code)
      .toBe('internal_error')
    expect((await at.world.get('/v1/cafs', { key: at.live, empresa: scope.rut })).body.data).toEqual([])
  })

  it('asks once, and tells once, when its worker dies after the range was kept', async () => {
    const scope = await at.empresa({ mode: 'test' })
    const { id } = (await ask(scope)).body
    const job = await ended(scope, id)
    await at.world.db.sql`update job set status = 'queued', finished_at = null, result = null where id = ${id}`
    await bringForward(id)
    expect(await ended(scope, id)).toMatchObject({ status: 'succeeded', result: job.result })
    expect((await at.world.get('/v1/cafs', { key: at.test, empresa: scope.rut })).body.data).toHaveLength(1)
    expect(await at.events(scope, 'folios.received')).toHaveLength(1)
  })

  it('is content with the very range it asked for when somebody uploaded it meanwhile', async () => {
    const scope = await at.empresa()
    const file = at.issue(scope.rut, { first_folio: 1, last_folio: 20 })
    await at.upload(scope, file)
    at.live_sii.answer = async (): Promise<CafAnswer> => ({ granted: true, file })
    const job = await ended(scope, (await ask(scope)).body.id)
    expect(job).toMatchObject({ status: 'succeeded', result: { from: 1, to: 20 } })
    expect((await at.world.get('/v1/cafs', { key: at.live, empresa: scope.rut })).body.data).toHaveLength(1)
  })

  it('rehearses a refusal in the sandbox by the quantity and by the resolución', async () => {
    const scope = await at.empresa({ mode: 'test' })
    const job = await ended(scope, (await ask(scope, { tipo_dte: 33, quantity: MAGIC_QUANTITIES.refused })).body.id)
    expect(job.error).toMatchObject({ code: 'folios_refused', message: expect.stringContaining('NO AUTORIZADO') })
    const resolucion = { numero: REFUSED_RESOLUCION, fecha: '2014-08-22' }
    const refused = await at.empresa({ mode: 'test', body: { resolucion } })
    expect((await ended(refused, (await ask(refused)).body.id)).error.code).toBe('folios_refused')
  })

  it('rehearses an SII that is away in the sandbox: the test clock runs through every try', async () => {
    const scope = await at.empresa({ mode: 'test' })
    const { id } = (await ask(scope, { tipo_dte: 33, quantity: MAGIC_QUANTITIES.unanswered })).body
    await expect
      .poll(async () => (await at.world.get(`/v1/jobs/${id}`, { key: at.test })).body.error?.code)
      .toBeDefined()
    await moveClock(at.world, at.test, { empresa_rut: scope.rut, advance: 'P1D' })
    expect((await ended(scope, id)).error.code).toBe('sii_unreachable')
    expect(await at.events(scope, 'folios.request_failed')).toHaveLength(1)
  })

  it('asks nothing for an empresa that was archived meanwhile', async () => {
    let asked = 0
    at.live_sii.answer = async () => {
      asked++
      throw new SiiUnreachable('connection refused')
    }
    const scope = await at.empresa()
    const { id } = (await ask(scope)).body
    await expect.poll(() => asked).toBeGreaterThan(0)
    await at.world.patch(`/v1/empresas/${scope.empresa_id}`, { key: at.live, body: { status: 'archived' } })
    // A try that began before may still be on its way.
    await expect
      .poll(async () => (await at.world.get(`/v1/jobs/${id}`, { key: at.live })).body.status)
      .not.toBe('running')
    const before = asked
    await bringForward(id)
    expect((await ended(scope, id)).error.code).toBe('empresa_inactive')
    expect(asked).toBe(before)
  })

  it('422 tipo_not_declared and tipo_not_available_for_channel, before the SII is asked', async () => {
    const scope = await at.empresa()
    const undeclared = await ask(scope, { tipo_dte: 46, quantity: 1 })
    expect([undeclared.status, undeclared.body.error.code]).toEqual([422, 'tipo_not_declared'])
    expect(undeclared.body.error.param).toBe('tipo_dte')
    const sfg = await at.empresa({ body: { emission_channel: 'sfg', origen: 'gratuito' } })
    const refused = await ask(sfg)
    expect([refused.status, refused.body.error.code]).toEqual([422, 'tipo_not_available_for_channel'])
    expect(await at.events(sfg, 'folios.requested')).toEqual([])
  })

  it('422 empresa_not_emitting names the step while a live empresa is in its onboarding', async () => {
    const scope = await at.empresa()
    await at.world.db.sql`update empresa set emitting_since = null where id = ${scope.empresa_id}`
    const sent = await ask(scope)
    expect([sent.status, sent.body.error.code]).toEqual([422, 'empresa_not_emitting'])
    expect(sent.body.error).toMatchObject({
      message: 'The empresa cannot emit yet: mandato is pending.',
      details: { step: 'mandato', next: { who: 'customer' } },
    })
  })

  it('402 subscription_required for a live empresa without one, never in test mode', async () => {
    const account = await at.world.account()
    const key = await at.world.key(account, { mode: 'live', scopes: ['empresas:write', 'folios:write'] })
    const rut = '76192083-9'
    await at.world.post('/v1/empresas', { key, body: { rut, legal_name: 'Sin Plan SpA', origen: 'mercado' } })
    const sent = await at.world.post('/v1/folios/requests', { key, empresa: rut, body: { tipo_dte: 33, quantity: 1 } })
    expect([sent.status, sent.body.error.code]).toEqual([402, 'subscription_required'])
  })

  it('400 invalid_field for a quantity or a tipo outside its domain', async () => {
    const scope = await at.empresa()
    for (const [body, param] of [
      [{ tipo_dte: 33, quantity: 0 }, 'quantity'],
      [{ tipo_dte: 33, quantity: 100_001 }, 'quantity'],
      [{ tipo_dte: 33, quantity: 1.5 }, 'quantity'],
      [{ tipo_dte: 110, quantity: 1 }, 'tipo_dte'],
      [{ quantity: 1 }, 'tipo_dte'],
    ] as const) {
      const sent = await ask(scope, body)
      expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'invalid_field', param])
    }
  })
})
