import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { journalOf, ROADS } from '../../../../test/faults-live/scene.ts'
import { type LiveEmpresa, type LiveWorld, openLiveWorld } from '../../../../test/support/live-world.ts'

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
      const types = (await journalOf({ live, empresa }, id)).map(([type]) => type)
      expect(types).toContain('document.resubmitted')
    },
  )
})
