import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Certifying, openCertifying } from '../../../../test/support/certifying.ts'
import { IN_FULL } from '../../../../test/support/in-full.ts'
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
  // Of facturas alone, kills.test.ts walks the same road, and dies on the way.
  it.runIf(IN_FULL)('goes from the postulación past an approved set by itself, each file sent once', async () => {
    const empresa = await certifying()
    await live.advance(2 * DAY)
    expect(await empresa.onboarding()).toMatchObject({ blocked_on: 'muestras_impresas' })
    const { sets, cases, files, findings } = await empresa.certification()
    expect(findings).toEqual([])
    expect(sets).toMatchObject([{ kind: 'facturas', source: 'sii' }])
    const of_set = files.filter(({ step }: Record<string, unknown>) => step === 'set_de_pruebas')
    expect(of_set.map(({ kind, state, attempt }: Record<string, unknown>) => [kind, state, attempt])).toEqual(
      ['basico', 'guias', 'exenta', 'compra', 'libro_ventas', 'libro_compras', 'libro_guias'].map((kind) => [
        kind,
        'approved',
        1,
      ]),
    )
    for (const one of cases) expect(one).toMatchObject({ state: 'approved', folio: expect.any(Number) })
    expect(await live.simulator.uploadsOf(empresa.rut)).toHaveLength(8)
  })

  it.runIf(IN_FULL)(
    'has a set refused by case, and after a recheck sends that one alone again, with other folios',
    async () => {
      const empresa = await certifying([33, 34, 56, 61])
      const glosa = 'CASO 2: EL MONTO TOTAL NO CORRESPONDE'
      await live.simulator.script({
        door: 'certification',
        kind: 'review_refuse',
        match: 'EXENT',
        finding: { code: 'SRH', glosa },
      })
      await live.advance(DAY)
      expect(await empresa.onboarding()).toMatchObject({ status: 'blocked', blocked_on: 'set_de_pruebas' })
      const { blocked_reason } = await empresa.step('set_de_pruebas')
      expect(blocked_reason).toMatchObject({ code: 'sii_refused', details: { files: [{ kind: 'exenta' }] } })
      const refused = await empresa.certification()
      const before = refused.files.find((file: { kind: string }) => file.kind === 'exenta')
      expect(before).toMatchObject({ state: 'refused', attempt: 1 })
      expect((await empresa.post('steps/set_de_pruebas/recheck')).status).toBe(202)
      await live.advance(2 * DAY)
      expect(await empresa.onboarding()).toMatchObject({ blocked_on: 'muestras_impresas' })
      const { files, cases } = await empresa.certification()
      const of_set = files.filter(({ step }: Record<string, unknown>) => step === 'set_de_pruebas')
      expect(of_set.map(({ kind, state, attempt }: Record<string, unknown>) => [kind, state, attempt])).toEqual([
        ['basico', 'approved', 1],
        ['exenta', 'approved', 2],
        ['libro_ventas', 'approved', 1],
        ['libro_compras', 'approved', 1],
      ])
      const folioOf = (of: { cases: { section: string; tipo_dte: number; folio: number }[] }) =>
        of.cases.filter(({ section }) => section === 'exenta').map(({ tipo_dte, folio }) => `${tipo_dte}:${folio}`)
      expect(folioOf({ cases }).some((folio) => folioOf(refused).includes(folio))).toBe(false)
    },
  )

  it.runIf(IN_FULL)(
    'sends a book that was refused again for the month before, as the SII takes no second one of a period',
    async () => {
      const empresa = await certifying([33, 56, 61])
      await live.simulator.script({
        ...{ door: 'certification', kind: 'review_refuse', match: 'LIBRO DE VENTAS' },
        finding: { code: 'SRH', glosa: 'EL LIBRO NO CUADRA' },
      })
      await live.advance(DAY)
      expect((await empresa.step('set_de_pruebas')).blocked_reason).toMatchObject({
        ...{ code: 'sii_refused', details: { files: [{ kind: 'libro_ventas' }] } },
      })
      expect((await empresa.post('steps/set_de_pruebas/recheck')).status).toBe(202)
      await live.advance(2 * DAY)
      expect(await empresa.onboarding()).toMatchObject({ blocked_on: 'muestras_impresas' })
      const { files } = await empresa.certification()
      expect(files.find(({ kind }: { kind: string }) => kind === 'libro_ventas')).toMatchObject({
        ...{ state: 'approved', attempt: 2 },
      })
      const books = (await live.simulator.uploadsOf(empresa.rut)).filter(({ kind }) => kind === 'LibroCompraVenta')
      expect(books).toHaveLength(3)
    },
  )

  it.runIf(IN_FULL)('sends a file again that the SII took and knows nothing of an hour later', async () => {
    const empresa = await certifying([33, 56, 61])
    await live.simulator.script({ door: 'dte_upload', kind: 'answer_then_lose' })
    await live.advance(DAY)
    const { files } = await empresa.certification()
    const [basico] = files
    expect(basico).toMatchObject({ kind: 'basico', state: 'approved', attempt: 1 })
    const envelopes = (await live.simulator.uploadsOf(empresa.rut)).filter(({ kind }) => kind === 'EnvioDTE')
    const sent = files.filter(({ kind }: { kind: string }) => kind === 'basico' || kind === 'simulacion')
    expect(envelopes.map(({ track_id }) => track_id)).toEqual(
      sent.map(({ track_id }: { track_id: string }) => track_id).filter(Boolean),
    )
  })

  it('of boletas alone goes from its set to the habilitación, with the approval of the representante', async () => {
    const empresa = await openCertifying(live, { doc_types: [39, 41] })
    expect(await empresa.onboarding()).toMatchObject({ status: 'action_required', blocked_on: 'habilitacion' })
    await live.advance(DAY)
    expect(await live.simulator.uploadsOf(empresa.rut)).toEqual([])
    await empresa.approve('habilitacion', 'representante_legal')
    await live.advance(3 * DAY)
    expect(await empresa.onboarding()).toMatchObject({ status: 'go_live_pending' })
    const { sets, files } = await empresa.certification()
    expect(sets.map(({ kind }: { kind: string }) => kind)).toEqual(['boletas_exentas', 'boletas'])
    for (const file of files) expect(file).toMatchObject({ step: 'habilitacion', state: 'approved' })
  })
})
