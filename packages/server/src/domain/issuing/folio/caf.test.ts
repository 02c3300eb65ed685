import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FolioWorld, openFolioWorld } from '../../../../test/support/folio-stock.ts'
import type { Sent } from '../../../../test/support/world.ts'
import { MAGIC_QUANTITIES } from '../../../catalog/limits.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

let at: FolioWorld
beforeAll(async () => {
  at = await openFolioWorld()
})
afterAll(() => at.world.close())

const get = (path: string, rut: string) => at.world.get(path, { key: at.live, empresa: rut })
const put_away = (id: string, rut: string) => at.world.delete(`/v1/cafs/${id}`, { key: at.live, empresa: rut })
const idsOf = (sent: { body: { data: { id: string }[] } }) => sent.body.data.map(({ id }) => id)

describe('GET /v1/cafs', () => {
  it('200 lists them newest first, page by page, by tipo and by status', async () => {
    const { rut, ...scope } = await at.empresa()
    const own = { ...scope, rut }
    const a = await at.grant(own, { first_folio: 1, last_folio: 5 })
    const b = await at.grant(own, { first_folio: 1, last_folio: 5, tipo_dte: 39 })
    const c = await at.grant(own, { first_folio: 6, last_folio: 9 })
    await put_away(a, rut)
    expect(idsOf(await get('/v1/cafs', rut))).toEqual([c, b, a])
    expect(idsOf(await get('/v1/cafs?tipo_dte=33', rut))).toEqual([c, a])
    expect(idsOf(await get('/v1/cafs?status=active', rut))).toEqual([c, b])
    expect(idsOf(await get('/v1/cafs?status=inactive&tipo_dte=33', rut))).toEqual([a])
    const first = await get('/v1/cafs?limit=2', rut)
    expect([idsOf(first), first.body.has_more]).toEqual([[c, b], true])
    const second = await get(`/v1/cafs?limit=2&cursor=${first.body.next_cursor}`, rut)
    expect([idsOf(second), second.body.has_more, second.body.next_cursor]).toEqual([[a], false, null])
  })

  it('400 invalid_cursor for the cursor of another list', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 5 })
    await at.grant(scope, { first_folio: 6, last_folio: 9 })
    const { next_cursor } = (await get('/v1/cafs?limit=1', scope.rut)).body
    const sent = await get(`/v1/cafs?status=active&cursor=${next_cursor}`, scope.rut)
    expect([sent.status, sent.body.error.code]).toEqual([400, 'invalid_cursor'])
  })
})

describe('GET /v1/cafs/{caf_id}', () => {
  it('200 shows how far it was used', async () => {
    const scope = await at.empresa()
    const id = await at.grant(scope, { first_folio: 5, last_folio: 9 })
    await at.draw(scope, 2)
    expect((await get(`/v1/cafs/${id}`, scope.rut)).body).toMatchObject({ from: 5, to: 9, next_folio: 7, remaining: 3 })
    await at.draw(scope, 3)
    expect((await get(`/v1/cafs/${id}`, scope.rut)).body).toMatchObject({ next_folio: null, remaining: 0 })
  })

  it('404 caf_not_found for one of another empresa of the same account', async () => {
    const [scope, other] = [await at.empresa(), await at.empresa()]
    const id = await at.grant(scope, { first_folio: 5, last_folio: 9 })
    const sent = await get(`/v1/cafs/${id}`, other.rut)
    expect([sent.status, sent.body.error.code]).toEqual([404, 'caf_not_found'])
  })
})

describe('DELETE /v1/cafs/{caf_id}', () => {
  it('204 puts it away and keeps it readable; a second time changes nothing', async () => {
    const scope = await at.empresa()
    const id = await at.grant(scope, { first_folio: 1, last_folio: 50 })
    expect((await put_away(id, scope.rut)).status).toBe(204)
    const after = (await get(`/v1/cafs/${id}`, scope.rut)).body
    expect(after).toMatchObject({ status: 'inactive', deactivated_at: expect.stringMatching(/Z$/), remaining: 50 })
    expect(await at.folios(scope)).toMatchObject({ available: 0, status: 'exhausted', ranges: [] })
    expect((await put_away(id, scope.rut)).status).toBe(204)
    expect((await get(`/v1/cafs/${id}`, scope.rut)).body).toEqual(after)
    expect(await at.events(scope, 'folios.exhausted')).toHaveLength(1)
  })

  it('404 caf_not_found for one of another empresa of the same account, which stays as it is', async () => {
    const [scope, other] = [await at.empresa(), await at.empresa()]
    const id = await at.grant(scope, { first_folio: 5, last_folio: 9 })
    const sent = await put_away(id, other.rut)
    expect([sent.status, sent.body.error.code]).toEqual([404, 'caf_not_found'])
    expect((await get(`/v1/cafs/${id}`, scope.rut)).body.status).toBe('active')
  })

  it('204 goes with a sandbox empresa that is deleted', async () => {
    const scope = await at.empresa({ mode: 'test' })
    await at.world.post('/v1/folios/requests', {
      key: at.test,
      empresa: scope.rut,
      body: { tipo_dte: 33, quantity: 5 },
    })
    await expect.poll(async () => (await at.folios(scope)).available).toBe(5)
    expect((await at.world.delete(`/v1/empresas/${scope.empresa_id}`, { key: at.test })).status).toBe(204)
    expect(await at.world.db.sql`select id from caf where empresa_id = ${scope.empresa_id}`).toEqual([])
  })
})

describe('POST /v1/cafs/{caf_id}/annul', () => {
  const annul = (id: string, scope: EmpresaScope) =>
    at.world.post(`/v1/cafs/${id}/annul`, { key: at.keyOf(scope), empresa: scope.rut })
  const ended = async (scope: EmpresaScope, job_id: string) => {
    const read = async () => (await at.world.get(`/v1/jobs/${job_id}`, { key: at.keyOf(scope) })).body
    await expect.poll(async () => (await read()).status).toMatch(/succeeded|failed/)
    return read()
  }
  /** A range that the SII of test mode granted; its id. */
  async function requested(scope: EmpresaScope, quantity: number): Promise<string> {
    const body = { tipo_dte: 33, quantity }
    const sent = await at.world.post('/v1/folios/requests', { key: at.test, empresa: scope.rut, body })
    return (await ended(scope, sent.body.id)).result.caf_id
  }
  const away = (id: string, scope: EmpresaScope) =>
    at.world.delete(`/v1/cafs/${id}`, { key: at.keyOf(scope), empresa: scope.rut })
  const caf = async (id: string, scope: EmpresaScope) =>
    (await at.world.get(`/v1/cafs/${id}`, { key: at.keyOf(scope), empresa: scope.rut })).body
  const refusal = (sent: Sent) => [sent.status, sent.body.error.code, sent.body.error.details?.reason]

  it('202 annuls what no document got, once nothing draws from it, and tells each step', async () => {
    const scope = await at.empresa({ mode: 'test' })
    const id = await requested(scope, 20)
    await at.draw(scope, 3)
    expect(refusal(await annul(id, scope))).toEqual([409, 'caf_not_annullable', 'in_use'])
    expect((await caf(id, scope)).annulment).toBeNull()
    await away(id, scope)
    const sent = await annul(id, scope)
    expect([sent.status, sent.body.type]).toEqual([202, 'folio_annulment'])
    const job = await ended(scope, sent.body.id)
    // Folios 1 to 3 are on documents: 4 to 20 are the seventeen that were never used.
    expect([job.status, job.result]).toEqual(['succeeded', { caf_id: id, from: 4, to: 20 }])
    expect((await caf(id, scope)).annulment).toMatchObject({ status: 'annulled', from: 4, to: 20, failure: null })
    for (const type of ['folios.annulment_requested', 'folios.annulled']) {
      const [event] = await at.events(scope, type)
      expect(event.data).toMatchObject({
        object: { object: 'folio_availability', tipo_dte: 33 },
        detail: { caf_id: id, from: 4, to: 20, job_id: job.id },
      })
    }
    expect(refusal(await annul(id, scope))).toEqual([409, 'caf_not_annullable', 'annulled'])
  })

  it('202 of one that the SII refuses fails with its words, and may be requested again', async () => {
    const scope = await at.empresa({ mode: 'test' })
    const id = await requested(scope, MAGIC_QUANTITIES.not_annulled)
    await away(id, scope)
    for (const _ of [1, 2]) {
      const job = await ended(scope, (await annul(id, scope)).body.id)
      expect([job.status, job.error.code]).toEqual(['failed', 'folios_not_annulled'])
    }
    const { annulment } = await caf(id, scope)
    expect(annulment).toMatchObject({ status: 'failed', failure: { code: 'folios_not_annulled' } })
    expect(await at.events(scope, 'folios.annulment_failed')).toHaveLength(2)
  })

  it('409 where every folio was used, and while the SII is asked; an expired range needs no deactivation', async () => {
    const sandbox = await at.empresa({ mode: 'test' })
    const spent = await requested(sandbox, 2)
    await at.draw(sandbox, 2)
    await away(spent, sandbox)
    expect(refusal(await annul(spent, sandbox))).toEqual([409, 'caf_not_annullable', 'spent'])
    const scope = await at.empresa()
    const id = await at.grant(scope, { first_folio: 1, last_folio: 5 })
    await at.world.db.sql`update caf set expires_on = '2026-01-01' where id = ${id}`
    expect((await annul(id, scope)).status).toBe(202)
    expect(refusal(await annul(id, scope))).toEqual([409, 'caf_not_annullable', 'annulment_in_progress'])
    expect(await caf(id, scope)).toMatchObject({ status: 'inactive', annulment: { status: 'queued', from: 1, to: 5 } })
    const other = await at.empresa()
    expect(refusal(await annul(id, other)).slice(0, 2)).toEqual([404, 'caf_not_found'])
  })
})
