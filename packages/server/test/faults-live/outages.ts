import { expect, it } from 'vitest'
import { BOLETA, EITHER_ROAD, FACTURA, issue, ROADS, type Scene, startAccount, statuses } from './scene.ts'

const HOUR = 3_600

/** The SII is away, slow, or says something else than it should. */
export function outages(scene: () => Scene): void {
  it('an SII that is away for an hour loses nothing: what was queued goes out once, when it is back', async () => {
    const { live, empresa } = scene()
    const account = await startAccount(scene())
    await live.simulator.script({ door: '*', kind: 'down', times: null })
    const ids = [...(await issue(scene(), FACTURA, 2)), ...(await issue(scene(), BOLETA, 2))]
    await live.advance(HOUR)
    expect(await statuses(scene(), ids)).toEqual(['queued', 'queued', 'queued', 'queued'])
    const asked = await empresa.post('/folios/requests', { tipo_dte: 61, quantity: 1 })
    await live.run()
    expect(await empresa.job(asked.body.id)).toMatchObject({ error: { code: 'sii_unreachable' } })
    await live.simulator.clearScripts()
    await live.advance(HOUR)
    await account.allAccepted(ids, 2)
    expect(await empresa.job(asked.body.id)).toMatchObject({ status: 'succeeded' })
  })

  it('what waited for the SII under the certificate of one person goes out under that of the next', async () => {
    const { live, empresa } = scene()
    const account = await startAccount(scene())
    await live.simulator.script({ door: 'dte_upload', kind: 'down', times: null })
    const ids = await issue(scene(), FACTURA, 2)
    await live.advance(60)
    await empresa.changeCertificate()
    await live.simulator.clearScripts()
    await live.advance(HOUR)
    await account.allAccepted(ids)
  })

  it.each(ROADS)('$road: what the SII lost goes again under the person who sends by then', async (road) => {
    const { live, empresa } = scene()
    const account = await startAccount(scene())
    await live.simulator.script({ door: road.upload, kind: 'answer_then_lose' })
    const ids = await issue(scene(), road.body, 2)
    await live.run()
    await empresa.changeCertificate()
    await live.advance(HOUR)
    await account.allAccepted(ids)
  })

  it.each(EITHER_ROAD)(
    '$road: an SII slower than every limit is asked again later, and has each once',
    async (road) => {
      const { live } = scene()
      const account = await startAccount(scene())
      for (const door of [road.upload, road.status]) {
        await live.simulator.script({ door, kind: 'slow', ms: 3_600_000, times: null })
      }
      live.limits.headers_ms = 40
      const ids = await issue(scene(), road.body)
      await live.advance(30)
      await live.simulator.clearScripts()
      delete live.limits.headers_ms
      await live.advance(HOUR)
      await account.allAccepted(ids)
    },
  )

  it.each(EITHER_ROAD)(
    '$road: a page of HTML or the text of an error is no answer, whichever call it meets',
    async (road) => {
      const { live } = scene()
      const account = await startAccount(scene())
      for (const kind of ['html', 'error_500_text']) {
        await live.simulator.script({ door: road.upload, kind })
        await live.simulator.script({ door: road.status, kind })
      }
      const ids = await issue(scene(), road.body)
      await live.advance(HOUR)
      await account.allAccepted(ids)
    },
  )

  it('a token that expires between any two calls is renewed once and nobody notices', async () => {
    const { live, empresa } = scene()
    const account = await startAccount(scene())
    const before = (await live.simulator.callsByDoor()) as Record<string, number>
    for (const { upload, status } of ROADS) {
      for (const door of [upload, status]) await live.simulator.script({ door, kind: 'expire_tokens' })
    }
    const ids = [...(await issue(scene(), FACTURA)), ...(await issue(scene(), BOLETA))]
    await live.advance(15)
    await account.allAccepted(ids, 2)
    await live.simulator.script({ door: 'claims', kind: 'expire_tokens' })
    expect((await empresa.post(`/documents/${ids[0]}/cesion`)).status).toBe(200)
    const after = (await live.simulator.callsByDoor()) as Record<string, number>
    // Every token is gone each time, those of the other road too.
    expect((after.token ?? 0) - (before.token ?? 0)).toBeLessThanOrEqual(5)
  })

  it('boletas that could not leave for want of a token leave as soon as there is one', async () => {
    const { live } = scene()
    const account = await startAccount(scene())
    await live.simulator.script({ door: '*', kind: 'expire_tokens', times: null })
    await live.simulator.script({ door: 'boleta_token', kind: 'down', times: 2 })
    const ids = await issue(scene(), BOLETA, 2)
    await live.advance(30)
    await account.allAccepted(ids)
  })

  it('too many sessions at the portal: no login is tried for half an hour, then the folios come', async () => {
    const { live, empresa } = scene()
    const logins = async () => (await live.simulator.callsByDoor()).portal_login ?? 0
    await live.advance(3 * HOUR)
    const before = await logins()
    await live.simulator.script({ door: 'portal_login', kind: 'session_cap' })
    const asked = await empresa.post('/folios/requests', { tipo_dte: 61, quantity: 1 })
    await live.advance(29 * 60)
    const capped = await logins()
    expect(await empresa.job(asked.body.id)).toMatchObject({ error: { code: 'sii_unreachable' } })
    await live.advance(2 * HOUR)
    expect(await empresa.job(asked.body.id)).toMatchObject({ status: 'succeeded' })
    // The door is knocked at twice for a login: its page, and the certificate.
    expect([capped - before, (await logins()) - capped]).toEqual([2, 2])
  })
}
