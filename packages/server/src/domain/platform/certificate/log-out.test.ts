import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LiveEmpresa, type LiveWorld, openLiveWorld } from '../../../../test/support/live-world.ts'

let live: LiveWorld
beforeAll(async () => {
  live = await openLiveWorld()
})
afterAll(() => live.close())

/** Sessions that the SII has open, and those whose cookies are kept here. */
const open = async () => {
  const kept = await live.world.db.sql`select 1 from sii_session where sealed is not null`
  return [(await live.simulator.control('GET', '/control')).sessions, kept.length]
}
const remove = ({ id, key }: LiveEmpresa) => live.world.delete(`/v1/empresas/${id}/certificate`, { key })

describe('a certificate that leaves custody', () => {
  it('is logged out at the SII, whose sessions count against the person, and its cookies are forgotten', async () => {
    const empresa = await live.empresa({ folios: { 33: 1 } })
    await live.simulator.script({ door: 'portal_logout', kind: 'down' })
    expect((await remove(empresa)).status).toBe(204)
    await live.run()
    expect(await open()).toEqual([1, 1])
    // The SII could not be asked the first time.
    await live.advance(30)
    expect(await open()).toEqual([0, 0])
  })

  it('is logged out when another one takes its place', async () => {
    const empresa = await live.empresa({ folios: { 33: 1 } })
    await empresa.changeCertificate()
    await live.run()
    expect(await open()).toEqual([0, 0])
  })

  it('keeps its session while another empresa of the account works with it', async () => {
    const one = await live.empresa({ folios: { 33: 1 } })
    const two = await live.empresa({ account_id: one.account_id })
    const reuse = (await one.get(`/empresas/${one.id}/certificate`)).body.id
    expect((await two.post(`/empresas/${two.id}/certificate`, { reuse })).status).toBe(201)
    await remove(one)
    await live.run()
    expect(await open()).toEqual([1, 1])
    await remove(two)
    await live.run()
    expect(await open()).toEqual([0, 0])
  })
})
