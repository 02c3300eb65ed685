import { expect, it } from 'vitest'
import { countLost } from '../../src/domain/issuing/document/lost.ts'
import { EITHER_ROAD, FACTURA, issue, journalOf, ROADS, type Scene, startAccount, statuses } from './scene.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** What may become of a file on its way, and after it came. */
export function envelopes(scene: () => Scene): void {
  it.each(EITHER_ROAD)(
    '$road: an upload lost before it arrived is sent again, and the SII has it once',
    async (road) => {
      const { live } = scene()
      const account = await startAccount(scene())
      await live.simulator.script({ door: road.upload, kind: 'lose_upload' })
      const ids = await issue(scene(), road.body, 2)
      await live.advance(HOUR)
      await account.allAccepted(ids)
    },
  )

  it.each(ROADS)(
    '$road: an upload whose answer was lost is looked up, and never becomes a second one',
    async (road) => {
      for (const kind of ['reset_before_answer', 'truncate']) {
        const { live, empresa } = scene()
        const account = await startAccount(scene())
        await live.simulator.script({ door: road.upload, kind })
        const ids = await issue(scene(), road.body, 2)
        await live.advance(HOUR)
        await account.allAccepted(ids)
        // The SII never said how it calls those boletas; facturas it names when they come again.
        const [upload] = await account.uploads()
        const track_id = road.road === 'boletas' ? null : upload?.track_id
        for (const id of ids) expect((await empresa.document(id)).sii.track_id).toBe(track_id)
      }
    },
  )

  it('boletas that the SII shows later than they are waited for go again as the same bytes, and it has each once', async () => {
    const { live } = scene()
    const account = await startAccount(scene())
    const { body, upload } = ROADS[1]
    await live.simulator.script({ door: upload, kind: 'verdict_delay', ms: HOUR * 1000 })
    await live.simulator.script({ door: upload, kind: 'reset_before_answer' })
    const ids = await issue(scene(), body, 2)
    await live.advance(HOUR / 2)
    expect((await account.uploads()).length).toBe(2)
    await live.advance(2 * HOUR)
    await account.allAccepted(ids, 2)
    expect((await account.uploads()).map(({ verdict }) => verdict?.estado)).toEqual(['EPR', 'RPT'])
  })

  it('facturas acknowledged twice keep the track id that the SII told first', async () => {
    const { live, empresa } = scene()
    const account = await startAccount(scene())
    await live.simulator.script({ door: 'dte_upload', kind: 'reset_before_answer', times: 2 })
    const [id = ''] = await issue(scene(), FACTURA)
    await live.advance(HOUR)
    await account.allAccepted([id])
    const [upload] = await account.uploads()
    expect((await empresa.document(id)).sii.track_id).toBe(upload?.track_id)
  })

  it.each(ROADS)('$road: a file that the SII acknowledged and then knows nothing of is sent again', async (road) => {
    const { live, empresa } = scene()
    const account = await startAccount(scene())
    await live.simulator.script({ door: road.upload, kind: 'answer_then_lose' })
    const ids = await issue(scene(), road.body, 2)
    await live.advance(30)
    for (const { status, sii } of await Promise.all(ids.map(empresa.document))) {
      expect([status, sii.explanation?.code]).toEqual(['sent', 'envelope_not_found'])
    }
    await live.advance(HOUR / 4)
    await account.allAccepted(ids)
  })

  it.each(EITHER_ROAD)(
    '$road: VOF, the file is not found: it is sent again, and known by the sending that counts',
    async (road) => {
      const { live, empresa } = scene()
      const account = await startAccount(scene())
      await live.simulator.script({ door: road.upload, kind: 'vof' })
      const [id = ''] = await issue(scene(), road.body)
      await live.advance(HOUR)
      await account.allAccepted([id], 2)
      const [lost, found] = await account.uploads()
      expect([lost?.verdict?.estado, found?.verdict?.estado]).toEqual(['VOF', 'EPR'])
      expect((await empresa.document(id)).sii.track_id).toBe(found?.track_id)
      const told = await journalOf(scene(), id)
      expect(told).toContainEqual([
        'document.sii_estado',
        expect.objectContaining({ estado: 'VOF', track_id: lost?.track_id }),
      ])
      expect(told).toContainEqual([
        'document.resubmitted',
        { track_id: found?.track_id, former_track_id: lost?.track_id },
      ])
    },
  )

  it.each(EITHER_ROAD)('$road: lost every time, it is sent a few times and then waits for somebody', async (road) => {
    const { live, empresa } = scene()
    const account = await startAccount(scene())
    await live.simulator.script({ door: road.upload, kind: 'vof', times: null })
    const ids = await issue(scene(), road.body, 2)
    await live.advance(12 * HOUR)
    const sendings = await account.uploads()
    const gaps = sendings.slice(1).map((one, i) => one.received_at - (sendings[i]?.received_at ?? 0))
    expect(gaps).toHaveLength(4)
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b))
    for (const id of ids) {
      const sii = { estado: 'VOF', track_id: sendings.at(-1)?.track_id }
      expect(await empresa.document(id)).toMatchObject({ status: 'sent', sii, failure: { code: 'sii_lost_envelope' } })
    }
    expect(await countLost(live.world.db.sql)).toBe(2)
    await live.simulator.clearScripts()
    expect((await empresa.post(`/documents/${ids[0]}/retry`)).body).toMatchObject({ status: 'sent', failure: null })
    await live.advance(HOUR)
    await account.allAccepted(ids, 6)
    expect(await countLost(live.world.db.sql)).toBe(0)
  })

  it.each(ROADS)('$road: one refused leaves the others accepted, and tells why in words of both', async (road) => {
    const { live, empresa } = scene()
    const [first = ''] = await issue(scene(), road.body)
    await live.advance(15)
    const folio = (await empresa.document(first)).folio + 2
    await live.simulator.script({ door: road.upload, kind: 'refuse', folio })
    const ids = await issue(scene(), road.body, 3)
    await live.advance(HOUR)
    expect(await statuses(scene(), ids)).toEqual(['accepted', 'rejected', 'accepted'])
    const refused = await empresa.document(ids[1] ?? '')
    expect(refused).toMatchObject({
      folio,
      sii: {
        glosa: expect.stringMatching(/\w/),
        explanation: { message: expect.any(String), fix: expect.any(String) },
      },
    })
    const held = await live.simulator.documentsOf(empresa.rut)
    expect(held.filter((one) => one.tipo === road.body.tipo_dte && one.folio === folio)).toEqual([])
  })

  it.each(EITHER_ROAD)(
    '$road: a verdict a day later, and an envelope held in CRT, end as the SII says',
    async (road) => {
      const { live, empresa } = scene()
      const account = await startAccount(scene())
      await live.simulator.script({ door: road.upload, kind: 'verdict_delay', ms: DAY * 1000 })
      const late = await issue(scene(), road.body)
      await live.run()
      await live.simulator.script({ door: road.upload, kind: 'stuck_crt' })
      const stuck = await issue(scene(), road.body)
      await live.advance(2 * HOUR)
      expect(await statuses(scene(), [...late, ...stuck])).toEqual(['sent', 'sent'])
      const [held = ''] = stuck
      expect((await empresa.document(held)).sii.estado).toBe('CRT')
      const since = (await journalOf(scene(), held)).filter(([type]) => type === 'document.sii_estado').at(-1)
      expect(since).toMatchObject(['document.sii_estado', { estado: 'CRT' }])
      // Without the ninety looks of a day.
      await live.setTime(new Date(live.now().getTime() + DAY * 1000))
      await live.run()
      expect(await statuses(scene(), [...late, ...stuck])).toEqual(['accepted', 'sent'])
      await live.simulator.control('POST', '/control/uploads/release')
      await live.advance(HOUR)
      await account.allAccepted([...late, ...stuck], 2)
    },
  )

  it.each(['lose_upload', 'reset_before_answer'])(
    'a cesión whose upload ends with %s is found by its document, and confirmed once',
    async (kind) => {
      const { live, empresa } = scene()
      const account = await startAccount(scene())
      const ids = await issue(scene(), FACTURA)
      await live.advance(60)
      await account.allAccepted(ids)
      // The eight days of the receptor, who says nothing.
      await live.setTime(new Date(live.now().getTime() + 9 * DAY * 1000))
      await live.simulator.script({ door: 'cesion_upload', kind })
      const cesionario = { rut: '78901234-2', legal_name: 'Factoring del Sur S.A.', address: { street: 'Moneda 1000' } }
      const asked = await empresa.post(`/documents/${ids[0]}/cede`, {
        cesionario: { ...cesionario, email: 'cesiones@factoring.cl' },
      })
      expect([asked.status, asked.text]).toEqual([202, expect.any(String)])
      await live.advance(2 * HOUR)
      expect((await empresa.document(ids[0] ?? '')).cesion).toMatchObject({ status: 'confirmed', estado: 'EOK' })
    },
  )

  it('a document carries the day of Santiago on both sides of midnight, four hours after that of UTC', async () => {
    const { live, empresa } = scene()
    const account = await startAccount(scene())
    const today = live.now().toISOString().slice(0, 10)
    const midnight = new Date(Date.parse(`${today}T04:00:00Z`) + DAY * 1000)
    const tomorrow = midnight.toISOString().slice(0, 10)
    await live.setTime(new Date(midnight.getTime() - 10_000))
    const before = [...(await issue(scene(), FACTURA)), ...(await issue(scene(), ROADS[1].body))]
    await live.advance(20)
    const after = [...(await issue(scene(), FACTURA)), ...(await issue(scene(), ROADS[1].body))]
    await live.advance(20)
    await account.allAccepted([...before, ...after], 4)
    const days = await Promise.all([...before, ...after].map(async (id) => (await empresa.document(id)).issue_date))
    expect(days).toEqual([today, today, tomorrow, tomorrow])
  })
}
