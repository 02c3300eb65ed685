import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOLETA, FACTURA } from '../../../../test/faults-live/scene.ts'
import { type LiveEmpresa, type LiveWorld, openLiveWorld } from '../../../../test/support/live-world.ts'
import { personPfx } from '../../../../test/support/person-pfx.ts'

let live: LiveWorld
beforeAll(async () => {
  live = await openLiveWorld()
})
afterAll(() => live.close())

/** Who may send for the empresa at the SII; null for anybody. */
const permit = (empresa: LiveEmpresa, users: readonly string[] | null) =>
  live.simulator.control('POST', '/control/taxpayers', {
    rut: empresa.rut,
    users: users?.map((rut) => ({ rut })) ?? null,
  })
const certificate = async (empresa: LiveEmpresa) => (await empresa.get(`/empresas/${empresa.id}/certificate`)).body
const capabilities = async (empresa: LiveEmpresa) => (await empresa.get(`/empresas/${empresa.id}`)).body.capabilities
const told = async (empresa: LiveEmpresa, type = 'certificate.refused') =>
  (await live.world.get(`/v1/events?type=${type}&empresa_rut=${empresa.rut}`, { key: empresa.key })).body.data
const drawn = async (empresa: LiveEmpresa) =>
  (await live.world.db.sql`select 1 from document where empresa_id = ${empresa.id} and folio is not null`).length

describe('a certificate whose holder the SII does not let send', () => {
  it('holds documents before a folio is drawn, tells who has to act once, and another certificate takes them up', async () => {
    const empresa = await live.empresa({ folios: { 33: 5, 39: 5 } })
    await permit(empresa, [])
    const ids = [await empresa.issue(FACTURA), await empresa.issue(FACTURA)]
    await live.run()
    const refused = await empresa.post('/documents', FACTURA)
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.objectContaining({
        code: 'empresa_inactive',
        details: expect.objectContaining({ reason: 'certificate_refused', because: 'no_permission' }),
      }),
    ])
    // The boletas go by a road of their own, on which nobody has been refused yet.
    expect(await capabilities(empresa)).toMatchObject({ can_emit: true, tipos: [39] })
    ids.push(await empresa.issue(BOLETA))
    await live.run()
    expect(await capabilities(empresa)).toEqual({
      can_emit: false,
      tipos: [],
      blocked_by: 'certificate_refused',
      next: { who: 'customer', api: `POST /empresas/${empresa.id}/certificate`, url: null },
    })
    expect(await certificate(empresa)).toMatchObject({
      authority: 'refused',
      refusals: [
        { road: 'dte', reason: 'no_permission', advice: expect.stringContaining('representante legal') },
        { road: 'boleta', reason: 'no_permission', sentence: 'Rut que envia no autorizado en la empresa' },
      ],
    })
    const queued = async () => Promise.all(ids.map(async (id) => (await empresa.document(id)).status))
    expect(await queued()).toEqual(['queued', 'queued', 'queued'])
    const folios = await Promise.all(ids.map(async (id) => (await empresa.document(id)).folio))
    await live.advance(400)
    expect([await queued(), await drawn(empresa)]).toEqual([['queued', 'queued', 'queued'], 3])
    expect((await told(empresa)).map(({ data }: { data: { detail: object } }) => data.detail)).toEqual([
      expect.objectContaining({ road: 'boleta', message: expect.any(String) }),
      expect.objectContaining({ road: 'dte', message: expect.any(String) }),
    ])
    await empresa.changeCertificate()
    await permit(empresa, [(await certificate(empresa)).holder.rut])
    await live.advance(120)
    const ended = await Promise.all(ids.map(empresa.document))
    expect(ended.map(({ status, folio }) => [status, folio])).toEqual(folios.map((folio) => ['accepted', folio]))
    expect(await certificate(empresa)).toMatchObject({ authority: 'proven', refusals: [] })
    expect((await capabilities(empresa)).can_emit).toBe(true)
  })

  it('holds them, too, where the SII does not have the empresa as authorised, and says that no certificate mends it', async () => {
    const empresa = await live.empresa({ folios: { 33: 5 } })
    await live.simulator.script({ door: 'dte_upload', kind: 'upload_status', status: 6 })
    const id = await empresa.issue(FACTURA)
    await live.run()
    expect((await certificate(empresa)).refusals).toEqual([
      expect.objectContaining({
        reason: 'empresa_not_authorised',
        advice: expect.stringContaining('No other certificate'),
      }),
    ])
    // The SII has nothing against the person.
    const [event, ...others] = await told(empresa)
    expect([others, event.data.object.authority]).toEqual([[], 'unproven'])
    expect((await certificate(empresa)).authority).toBe('unproven')
    const { status, folio } = await empresa.document(id)
    expect([status, await drawn(empresa)]).toEqual(['queued', 1])
    await live.advance(120)
    expect(await empresa.document(id)).toMatchObject({ status: 'accepted', folio })
    expect((await certificate(empresa)).refusals).toEqual([])
  })

  it('keeps nothing waiting on the other road, where the SII is only away for a moment', async () => {
    const empresa = await live.empresa({ folios: { 33: 5, 39: 5 } })
    await live.simulator.script({ door: 'dte_upload', kind: 'upload_status', status: 6, times: 1_000 })
    const held = await empresa.issue(FACTURA)
    await live.run()
    expect(await capabilities(empresa)).toMatchObject({ tipos: [39] })
    await live.simulator.script({ door: 'boleta_token', kind: 'down', times: 2 })
    const id = await empresa.issue(BOLETA)
    await live.advance(30)
    expect([(await empresa.document(id)).status, (await empresa.document(held)).status]).toEqual(['accepted', 'queued'])
    await live.simulator.clearScripts()
    await live.advance(60)
    expect((await empresa.document(held)).status).toBe('accepted')
  })

  it('is asked for again by one document at growing intervals, and goes on by itself once the SII lets it', async () => {
    const empresa = await live.empresa({ folios: { 33: 9 } })
    const rut = (await certificate(empresa)).holder.rut
    await permit(empresa, [])
    const first = await empresa.issue(FACTURA)
    await live.run()
    // Two that came before the refusal was known to whoever took them in.
    await live.world.db.sql`update empresa set certificate_refused = '{}' where id = ${empresa.id}`
    live.world.app.cache.invalidate(empresa.account_id)
    const [second, third] = [await empresa.issue(FACTURA), await empresa.issue(FACTURA)]
    const facts = {
      reason: 'no_permission',
      sentence: null,
      at: live.now(),
      retry_at: new Date(live.now().getTime() + 60_000),
      refusals: 1,
    }
    await live.world.db.sql`
      update empresa set certificate_refused = ${JSON.stringify({ dte: facts })}::json where id = ${empresa.id}`
    await live.run()
    expect(await drawn(empresa)).toBe(1)
    await live.advance(290)
    expect(await drawn(empresa)).toBe(1)
    await permit(empresa, [rut])
    await live.advance(120)
    const statuses = await Promise.all([first, second, third].map(async (id) => (await empresa.document(id)).status))
    expect(statuses).toEqual(['accepted', 'accepted', 'accepted'])
    expect(await certificate(empresa)).toMatchObject({ authority: 'proven', refusals: [] })
  })

  it('is one that the SII gives no session for, too', async () => {
    const empresa = await live.empresa({ folios: { 33: 5 } })
    const upload = { file: personPfx(), password: 'x' }
    expect((await empresa.post(`/empresas/${empresa.id}/certificate`, upload)).status).toBe(201)
    const id = await empresa.issue(FACTURA)
    await live.run()
    expect((await certificate(empresa)).refusals).toMatchObject([{ road: 'dte', reason: 'certificate_not_taken' }])
    expect((await empresa.post('/documents', FACTURA)).status).toBe(403)
    await empresa.changeCertificate()
    await live.advance(60)
    expect(await empresa.document(id)).toMatchObject({ status: 'accepted', folio: 1 })
  })

  it('no longer stands in the way of folios once it is another one', async () => {
    const empresa = await live.empresa({ folios: { 33: 2 } })
    const settings = { key: empresa.key, body: { request_folios_when_low: true } }
    await live.world.patch(`/v1/empresas/${empresa.id}/automation_settings`, settings)
    await permit(empresa, [])
    const asked = await empresa.post('/folios/requests', { tipo_dte: 33, quantity: 10 })
    await live.run()
    expect(await empresa.job(asked.body.id)).toMatchObject({ status: 'failed', error: { code: 'folios_refused' } })
    const [refusal] = await live.world.db.sql`select retry_at from folio_refusal where empresa_id = ${empresa.id}`
    expect(refusal).toEqual({ retry_at: null })
    const before = await told(empresa, 'folios.received')
    await permit(empresa, null)
    await empresa.changeCertificate()
    await live.run()
    expect(await told(empresa, 'folios.received')).toHaveLength(before.length + 1)
  })
})
