import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Certifying, openCertifying } from '../../../../test/support/certifying.ts'
import { type LiveWorld, openLiveWorld } from '../../../../test/support/live-world.ts'

/** Every section that a set can have but exportación. */
const TIPOS = [33, 34, 46, 52, 56, 61]
const DAY = 86_400

let live: LiveWorld
beforeAll(async () => {
  live = await openLiveWorld()
})
afterAll(() => live.close())

async function certifying(doc_types = TIPOS): Promise<Certifying> {
  const empresa = await openCertifying(live, { doc_types })
  await empresa.approve('sii_postulacion', 'representante_legal')
  return empresa
}

describe('a certification', () => {
  it('goes from the postulación to an approved set by itself, each file sent once', async () => {
    const empresa = await certifying()
    await live.advance(2 * DAY)
    expect(await empresa.onboarding()).toMatchObject({ blocked_on: 'simulacion' })
    const { sets, cases, files, findings } = await empresa.certification()
    expect(findings).toEqual([])
    expect(sets).toMatchObject([{ kind: 'facturas', source: 'sii' }])
    expect(files.map(({ kind, state, attempt }: Record<string, unknown>) => [kind, state, attempt])).toEqual(
      ['basico', 'guias', 'exenta', 'compra', 'libro_ventas', 'libro_compras', 'libro_guias'].map((kind) => [
        kind,
        'approved',
        1,
      ]),
    )
    for (const one of cases) expect(one).toMatchObject({ state: 'approved', folio: expect.any(Number) })
    expect(await live.simulator.uploadsOf(empresa.rut)).toHaveLength(7)
  })
})
