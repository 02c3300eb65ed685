import type { DteDraft } from '@timbre/dte/draft'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Certifying, openCertifying } from '../../../../test/support/certifying.ts'
import { IN_FULL } from '../../../../test/support/in-full.ts'
import { type LiveWorld, openLiveWorld } from '../../../../test/support/live-world.ts'
import { sampleDraft } from '../../../../test/support/signed-document.ts'
import { OPERATOR_SECRET } from '../../../../test/support/world.ts'
import { newId } from '../../../kernel/id.ts'
import type { Sii } from '../../../ports/sii.ts'
import type { SiiCertification } from '../../../ports/sii-certification.ts'

const DAY = 86_400
const TIPOS = [33, 52, 56, 61]

let live: LiveWorld
beforeAll(async () => {
  live = await openLiveWorld()
  // The set is left to people here: it has tests of its own.
  const headers = { 'svc-operator-secret': OPERATOR_SECRET }
  const body = { execution: 'operator' }
  const turned = await live.world.patch('/v1/onboarding/switches/set_de_pruebas', { headers, body })
  expect(turned.status).toBe(200)
})
afterAll(() => live.close())

/** What the empresa sold before it certified, as emission leaves it. */
async function sell({ id, rut }: Certifying, drafts: readonly Partial<DteDraft>[]): Promise<void> {
  const { sql } = live.world.db
  for (const [index, change] of drafts.entries()) {
    const draft = { ...sampleDraft(), ...change }
    await sql`
      insert into document (account_id, empresa_id, mode, id, status, tipo_dte, folio, issue_date, net, iva, exempt, total,
        receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
      select account_id, id, mode, ${newId('document')}, 'accepted', ${draft.tipo_dte}, ${index + 1}, ${draft.issue_date},
        1, 0, 0, 1, ${draft.receptor.rut}, ${JSON.stringify({ ...draft, emisor: { ...draft.emisor, rut } })}, '{}', '{}',
        false, now()
      from empresa where id = ${id}`
  }
}

/** An empresa whose set the SII has approved. */
async function atStep(step: 'SIMULACION' | 'INTERCAMBIO DE INFORMACION', doc_types = TIPOS): Promise<Certifying> {
  const empresa = await openCertifying(live, { doc_types })
  await empresa.approve('sii_postulacion', 'representante_legal')
  await live.run()
  await live.simulator.control('POST', '/control/certifications', { rut: empresa.rut, step })
  expect((await empresa.operate('steps/set_de_pruebas/done')).status).toBe(200)
  return empresa
}

const fileOf = async (empresa: Certifying, kind: string) =>
  (await empresa.certification()).files.find((file: { kind: string }) => file.kind === kind)

const items = (description: string, unit_price: number) => [{ description, quantity: 4, unit_price }]

describe('the simulación of an empresa', () => {
  it('is of its own products, sent and declared once, and opens the exchange, which is answered', async () => {
    const empresa = await atStep('SIMULACION')
    await sell(empresa, [
      { items: items('Vino tinto', 4990) },
      { items: items('Vino blanco', 3990) },
      { items: items('Espumante', 6990) },
      { items: items('Despacho', 2500) },
    ])
    // The answer to the upload is lost, and so is that to the declaration: neither is done twice.
    for (const [door, match] of [
      ['dte_upload', undefined],
      ['certification', 'pe_avance3'],
      ['certification_exchange', 'confirm'],
    ] as const)
      await live.simulator.script({ door, kind: 'reset_before_answer', ...(match && { match }) })
    await live.advance(DAY)
    expect(await empresa.onboarding()).toMatchObject({ blocked_on: 'muestras_impresas' })
    expect(await fileOf(empresa, 'simulacion')).toMatchObject({
      ...{ state: 'approved', attempt: 1, documents: 10, sources: { business: 10, inputs: 0, set: 0 } },
    })
    expect(await live.simulator.uploadsOf(empresa.rut)).toHaveLength(1)
    const documents = await live.simulator.documentsOf(empresa.rut)
    expect(new Set(documents.map(({ tipo }) => tipo))).toEqual(new Set(TIPOS))
    expect(documents.filter(({ outcome }) => outcome !== 'accepted')).toEqual([])
    const { files } = await empresa.certification()
    const exchanged = files.filter(({ step }: { step: string }) => step === 'intercambio')
    expect(exchanged.map(({ kind, state }: Record<string, unknown>) => [kind, state])).toEqual([
      ['exchange_received', 'received'],
      ['exchange_reception', 'approved'],
      ['exchange_receipts', 'approved'],
      ['exchange_results', 'approved'],
    ])
  })

  it('asks what the empresa sells where nothing tells, and goes on with what its people named', async () => {
    const empresa = await atStep('SIMULACION', [33, 56, 61])
    await live.run()
    expect(await empresa.step('simulacion')).toMatchObject({
      blocked_reason: { code: 'requirement_unmet', details: { inputs: ['products'] } },
    })
    expect(await live.simulator.uploadsOf(empresa.rut)).toEqual([])
    expect((await empresa.certification()).inputs).toMatchObject([{ key: 'products', required: true }])
    const value = 'Vino tinto = 4990; Vino blanco = 3990; Flete a Santiago = 25000'
    expect((await empresa.post('certification/inputs', { inputs: [{ key: 'products', value }] })).status).toBe(200)
    await live.advance(DAY)
    expect(await fileOf(empresa, 'simulacion')).toMatchObject({ state: 'approved', sources: { inputs: 10 } })
  })

  it.runIf(IN_FULL)('that the SII refuses fails with its words, and is made anew with fresh folios', async () => {
    const empresa = await atStep('SIMULACION', [33, 56, 61])
    await sell(empresa, [{ items: items('Vino tinto', 4990) }, { items: items('Vino blanco', 3990) }])
    await empresa.post('certification/inputs', { inputs: [{ key: 'products', value: 'Corchos = 100; Copas = 900' }] })
    const glosa = 'Documentos no representativos'
    await live.simulator.script({
      ...{ door: 'certification', kind: 'review_refuse', match: 'SET DE SIMULACION', finding: { code: 'SRH', glosa } },
    })
    await live.advance(DAY / 2)
    const failed = await empresa.step('simulacion')
    expect(failed).toMatchObject({ status: 'failed', blocked_reason: { code: 'sii_refused' } })
    const first = await live.simulator.documentsOf(empresa.rut)
    expect((await empresa.post('steps/simulacion/recheck')).status).toBe(202)
    await live.advance(DAY)
    expect(await fileOf(empresa, 'simulacion')).toMatchObject({ state: 'approved', attempt: 2 })
    const all = await live.simulator.documentsOf(empresa.rut)
    expect([first.length, all.length]).toEqual([10, 20])
    expect(new Set(all.map(({ tipo, folio }) => `${tipo} ${folio}`)).size).toBe(20)
  })
})

describe.runIf(IN_FULL)('the intercambio of an empresa', () => {
  it('that the SII refuses fails with its words, and begins with the envelope again', async () => {
    const empresa = await atStep('INTERCAMBIO DE INFORMACION', [33, 56, 61])
    expect((await empresa.operate('steps/simulacion/take')).status).toBe(200)
    expect((await empresa.operate('steps/simulacion/done')).status).toBe(200)
    const glosa = 'Falta el recibo'
    await live.simulator.script({
      ...{
        door: 'certification_exchange',
        kind: 'review_refuse',
        match: 'INTERCAMBIO DE INFORMACION',
        finding: { code: 'SRH', glosa },
      },
    })
    await live.run()
    expect(await empresa.step('intercambio')).toMatchObject({
      ...{ status: 'failed', blocked_reason: { code: 'sii_refused' } },
    })
    expect((await empresa.post('steps/intercambio/recheck')).status).toBe(202)
    await live.advance(DAY)
    expect(await empresa.onboarding()).toMatchObject({ blocked_on: 'muestras_impresas' })
    expect(await fileOf(empresa, 'exchange_results')).toMatchObject({ state: 'approved', attempt: 2 })
  })

  it('is prepared for a person where there is no wire, and left to one where the envelope cannot be answered', async () => {
    const why = 'The SII takes it in a browser alone.'
    const deaf = (change: Partial<SiiCertification>) => (sii: Sii) => ({
      ...sii,
      certification: { ...(sii.certification as SiiCertification), ...change },
    })
    const attempts: readonly [Partial<SiiCertification>, readonly string[]][] = [
      [
        { answerExchange: async () => ({ outcome: 'operator', why }) },
        ['exchange_received', 'exchange_reception', 'exchange_receipts', 'exchange_results'],
      ],
      [{ exchangeEnvelope: async () => ({ outcome: 'done', file: Buffer.from('<EnvioDTE>') }) }, []],
    ]
    for (const [change, prepared] of attempts) {
      const empresa = await atStep('INTERCAMBIO DE INFORMACION', [33, 56, 61])
      await empresa.operate('steps/simulacion/take')
      await empresa.operate('steps/simulacion/done')
      const other = await live.beside({ sii: deaf(change) })
      await other.run()
      await other.close()
      expect(await empresa.step('intercambio')).toMatchObject({ status: 'in_progress', execution: 'operator' })
      const files = await live.world.db.sql<{ kind: string }>`
        select kind from certification_file where empresa_id = ${empresa.id} and superseded_at is null order by position`
      expect(files.map(({ kind }) => kind)).toEqual(prepared)
      expect((await empresa.operate('steps/intercambio/done')).status).toBe(200)
    }
  })
})
