import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { journalOf, ROADS } from '../../../../test/faults-live/scene.ts'
import { type LiveEmpresa, type LiveWorld, openLiveWorld } from '../../../../test/support/live-world.ts'
import type { SiiCall } from '../../../ports/sii-weather.ts'
import { openWeatherStation } from '../../platform/sii-weather/station.ts'

let live: LiveWorld
let empresa: LiveEmpresa
beforeAll(async () => {
  live = await openLiveWorld()
  empresa = await live.empresa({ folios: { 33: 20, 39: 20 } })
})
afterAll(() => live.close())
beforeEach(() => live.simulator.clearScripts())

describe('a file that the SII acknowledged and then knows nothing of', () => {
  it.each(ROADS)(
    '$road: shows what it says, explained, and is sent again within a quarter of an hour',
    async (road) => {
      await live.simulator.script({ door: road.upload, kind: 'answer_then_lose' })
      const id = await empresa.issue(road.body)
      await live.advance(15)
      const [estado, glosa] = road.road === 'facturas' ? ['-11', 'ERR_CODE 2'] : ['HTTP 404', 'No existe el envio']
      expect(await empresa.document(id)).toMatchObject({
        status: 'sent',
        failure: null,
        sii: { estado, glosa: expect.stringContaining(glosa), explanation: { code: 'envelope_not_found' } },
      })
      await live.advance(900)
      const ended = await empresa.document(id)
      expect([ended.status, ended.sii.explanation]).toEqual(['accepted', null])
      expect(ended.sii.glosa).toEqual(road.road === 'facturas' ? expect.stringMatching(/./) : null)
      const types = (await journalOf({ live, empresa }, id)).map(([type]) => type)
      expect(types).toContain('document.resubmitted')
    },
  )
})

describe('boletas whose upload was not acknowledged', () => {
  it('wait alone until the SII would show them: others of the same run leave, and it has each once', async () => {
    const [, { body, upload }] = ROADS
    const issueTwo = async () => [await empresa.issue(body), await empresa.issue(body)]
    const statuses = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await empresa.document(id)).status))
    await live.simulator.script({ door: upload, kind: 'reset_before_answer' })
    const doubted = await issueTwo()
    await live.run()
    // All of them are due together.
    await live.setTime(new Date(live.now().getTime() + 1_000))
    const fresh = await issueTwo()
    await live.run()
    expect([await statuses(doubted), await statuses(fresh)]).toEqual([
      ['queued', 'queued'],
      ['sent', 'sent'],
    ])
    await live.advance(900)
    expect(await statuses([...doubted, ...fresh])).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
    const held = (await live.simulator.documentsOf(empresa.rut)).filter(({ tipo }) => tipo === 39)
    expect(new Set(held.map(({ folio }) => folio)).size).toBe(held.length)
  })
})

describe('documents that wait because the SII does not answer', () => {
  it('are sent, and asked about, soon after it answers again, whichever process hears of it', async () => {
    const [facturas, boletas] = ROADS
    const asked = await empresa.issue(facturas.body)
    await live.run()
    for (const door of ['envelope_status', 'dte_upload', 'boleta_upload'])
      await live.simulator.script({ door, kind: 'down', times: null })
    const unsent = await empresa.issue(facturas.body)
    const boleta = await empresa.issue(boletas.body)
    await live.advance(1_500)
    await live.simulator.clearScripts()
    const next = await waiting()
    expect(next.map(({ waits_for }) => waits_for).sort()).toEqual([
      'sii produccion dte DTEUpload',
      'sii produccion dte getEstUp',
    ])
    // A seed that is given says nothing of the uploads.
    await answers({ operation: 'getSeed' })
    expect(await waiting()).toEqual(next)
    // One that still fails now and then is left alone.
    await answers({ operation: 'DTEUpload' }, { operation: 'DTEUpload', outcome: 'unreachable' })
    expect(await waiting()).toEqual(next)
    await answers({ operation: 'DTEUpload' }, { operation: 'getEstUp' })
    await live.advance(60)
    for (const id of [asked, unsent]) expect((await empresa.document(id)).status).toBe('accepted')
    // Boletas that may have arrived wait until the SII would show them, and no longer.
    await live.advance(600)
    expect((await empresa.document(boleta)).status).toBe('accepted')
  })

  it('are called together where they share an envelope', async () => {
    await live.simulator.script({ door: 'dte_upload', kind: 'down', times: null })
    await empresa.issue(ROADS[0].body)
    await live.advance(700)
    await empresa.issue(ROADS[0].body)
    await live.advance(600)
    const instants = async () => new Set((await waiting()).map(({ run_at }) => run_at.getTime())).size
    expect(await instants()).toBe(2)
    await answers({ operation: 'DTEUpload' })
    expect(await instants()).toBe(1)
    await live.simulator.clearScripts()
    await live.advance(60)
    expect(await waiting()).toEqual([])
  })

  it('are called no second time within half an hour: an SII that comes and goes is not asked without end', async () => {
    await live.simulator.script({ door: 'dte_upload', kind: 'down', times: null })
    await empresa.issue(ROADS[0].body)
    await live.advance(1_500)
    await answers({ operation: 'DTEUpload' })
    await live.advance(60)
    const next = await waiting()
    await answers({ operation: 'DTEUpload' })
    expect(await waiting()).toEqual(next)
    await live.advance(3_600)
    const later = await waiting()
    await answers({ operation: 'DTEUpload' })
    expect(await waiting()).not.toEqual(later)
  })
})

describe('documents that the SII refuses one after the other for the data of the empresa', () => {
  it('are held before a folio is drawn; other data, or a person, let one through, and one that is taken all of them', async () => {
    const own = await live.empresa({ folios: { 39: 10 } })
    const boleta = ROADS[1].body
    const at = `/v1/empresas/${own.id}`
    const drawn = async () =>
      (await live.world.db.sql`select 1 from document where empresa_id = ${own.id} and folio is not null`).length
    const finding = { code: 'CRT-3-19', glosa: 'Numero de Resolucion Invalido', detail: null }
    await live.simulator.script({ door: 'boleta_upload', kind: 'refuse', finding, times: null })
    for (let nth = 0; nth < 3; nth++) await own.issue(boleta)
    await live.advance(60)
    const refused = await own.post('/documents', boleta)
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.objectContaining({
        code: 'empresa_inactive',
        details: expect.objectContaining({ reason: 'documents_refused', because: 'resolucion_mismatch' }),
      }),
    ])
    expect((await own.get(`/empresas/${own.id}`)).body.capabilities.tipos).not.toContain(39)
    await live.world.patch(at, { key: own.key, body: { address: { street: 'Av. Los Boldos 1201' } } })
    const [tried, held] = [await own.issue(boleta), await own.issue(boleta)]
    await live.advance(60)
    expect([(await own.document(tried)).status, (await own.document(held)).status]).toEqual(['rejected', 'queued'])
    expect(await drawn()).toBe(4)
    await live.simulator.clearScripts()
    expect((await own.post(`/documents/${held}/retry`)).body.status).toBe('queued')
    await live.advance(60)
    expect((await own.document(held)).status).toBe('accepted')
    const next = await own.issue(boleta)
    await live.advance(60)
    expect((await own.document(next)).status).toBe('accepted')
  })

  it('go one by one, ever later, also where the one that was let through is refused for something else', async () => {
    const own = await live.empresa({ folios: { 39: 10 } })
    const boleta = ROADS[1].body
    const drawn = async () =>
      (await live.world.db.sql`select 1 from document where empresa_id = ${own.id} and folio is not null`).length
    const refuse = (code: string) => {
      const finding = { code, glosa: 'Rechazado', detail: null }
      return live.simulator.script({ door: 'boleta_upload', kind: 'refuse', finding, times: null })
    }
    await refuse('CRT-3-19')
    for (let nth = 0; nth < 3; nth++) await own.issue(boleta)
    await live.advance(60)
    await live.simulator.clearScripts()
    await refuse('ZZZ-9-999')
    await live.world.patch(`/v1/empresas/${own.id}`, { key: own.key, body: { address: { street: 'Los Boldos 3' } } })
    for (let nth = 0; nth < 4; nth++) await own.issue(boleta)
    await live.advance(1_800)
    expect(await drawn()).toBe(4)
    await live.advance(3_600)
    expect(await drawn()).toBe(5)
    await live.advance(4 * 3_600)
    expect(await drawn()).toBe(5)
  })

  it('hold nothing once the data were corrected, though their verdicts come later', async () => {
    const own = await live.empresa({ folios: { 39: 10 } })
    const boleta = ROADS[1].body
    const finding = { code: 'CRT-3-19', glosa: 'Numero de Resolucion Invalido', detail: null }
    await live.simulator.script({ door: 'boleta_upload', kind: 'refuse', finding, times: null })
    const wrong = await Promise.all([own.issue(boleta), own.issue(boleta), own.issue(boleta)])
    await live.run()
    await live.simulator.clearScripts()
    await live.world.patch(`/v1/empresas/${own.id}`, { key: own.key, body: { address: { street: 'Los Boldos 2' } } })
    await live.advance(60)
    const ends = await Promise.all(wrong.map(async (id) => (await own.document(id)).status))
    expect(ends).toEqual(['rejected', 'rejected', 'rejected'])
    const right = await own.issue(boleta)
    await live.advance(60)
    expect((await own.document(right)).status).toBe('accepted')
    const [row] = await live.world.db.sql`select documents_refused from empresa where id = ${own.id}`
    expect(row).toEqual({ documents_refused: {} })
  })
})

const waiting = () =>
  live.world.db.sql<{ waits_for: string; run_at: Date }>`
    select waits_for, run_at from job where status = 'queued' and waits_for is not null order by id`

/** What another process hears of the SII until its next sweep. */
async function answers(...calls: readonly Partial<SiiCall>[]): Promise<void> {
  const station = openWeatherStation(live.world.db.sql)
  const fine = { service: 'dte', ambiente: 'produccion', outcome: 'ok', ms: 1, estado: null, detail: null } as const
  for (const call of calls) station.called({ ...fine, operation: '', at: live.now(), trace: {}, ...call })
  await station.sweep()
}
