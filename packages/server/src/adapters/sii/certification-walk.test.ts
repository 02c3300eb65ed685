import {
  answerExchange,
  chooseSamples,
  type EnvelopeStep,
  type Plan,
  type PlanStep,
  planSet,
  planSimulation,
  readSet,
} from '@timbre/certification'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CertifyingCompany, openCertifyingCompany, TODAY } from '../../../test/support/certifying-company.ts'
import type { CertificationSetKind, CertificationUploadState } from '../../ports/sii-certification.ts'

/**
 * The whole road against the simulator, in another process. Each act is refused once, then done with its answer lost,
 * and asked for again: what the domain relies on is that the second time it says so and does nothing.
 */

const LANE = [33, 56, 61] as const
const BOLETAS = [39, 41] as const

let company: CertifyingCompany
let ask: { readonly empresa: CertifyingCompany['empresa'] }

beforeAll(async () => {
  company = await openCertifyingCompany()
  ask = { empresa: company.empresa }
})
afterAll(() => company?.close())

const held = async () => (await company.simulator.control('GET', '/control/certifications')).data[0]

/** Uploads a file and waits for what became of it. */
async function uploaded(file_name: string, file: Uint8Array): Promise<CertificationUploadState & { track_id: string }> {
  const sent = await company.sii.upload({ ...ask, file_name, file })
  if (sent.outcome !== 'done') return expect.unreachable(`the upload of ${file_name} was refused`)
  const { track_id } = sent
  await company.wait()
  return { track_id, ...(await company.sii.uploadStateOf({ ...ask, track_id })) }
}

const declare = (kind: CertificationSetKind, track_id: string) =>
  company.sii.declare({ ...ask, sets: [{ kind, track_id, date: TODAY }] })

async function stateOf(kind: CertificationSetKind) {
  const advance = await company.sii.advanceOf(ask)
  return advance.outcome === 'done' ? advance.sets.find((set) => set.kind === kind) : undefined
}

const stepOf = (plan: Plan, section: string, step: PlanStep['step'] = 'envelope') =>
  plan.steps.find((one) => one.section === section && one.step === step) ?? expect.unreachable(section)

describe('the road of a company through the SII', () => {
  let resolucion = ''
  let set: ReturnType<typeof readSet>
  let plan: Plan
  let basico: Uint8Array
  let simulation: Uint8Array

  it('begins with a postulación, which is there the second time, and with the authorisation to try', async () => {
    const { sii, refuse, twice } = company
    const order = { ...ask, tipos: [...LANE, ...BOLETAS], accept_loss_of_sfg: false }
    expect(await sii.resolucionOf(ask)).toBeNull()
    await refuse('step_refuse', 'certification', 'pe_confirma', 'No registra Verificación de Actividades')
    expect(await sii.postulate(order)).toMatchObject({ outcome: 'refused', reason: 'no_activity_verification' })
    expect(await sii.resolucionOf(ask)).toBeNull()
    expect(await twice('certification', 'pe_confirma', () => sii.postulate(order))).toMatchObject({
      ...{ outcome: 'done', before: true, sentence: expect.stringContaining('ya se encuentra en el paso') },
    })
    expect(await sii.resolucionOf(ask)).toEqual({ date: TODAY, tipos: [33, 39, 41, 56, 61] })
    resolucion = TODAY
    await company.takeFolios([...LANE, ...BOLETAS])
  })

  it('gets another set where the answer with the first was lost, and that one counts', async () => {
    const { sii, refuse, twice } = company
    await refuse('step_refuse', 'certification', 'pe_generar2', 'Intente más tarde')
    expect(await sii.requestSet(ask)).toEqual({ outcome: 'refused', reason: 'other', sentence: 'Intente más tarde' })
    const given = await twice('certification', 'pe_generar2', () => sii.requestSet(ask))
    if (given.outcome !== 'done') return expect.unreachable('no set was handed out')
    const { requests, set: current } = await held()
    expect(requests).toBe(2)
    set = readSet(given.file)
    expect(set.sections[0]?.attention).toBe(String(current.sections[0].attention))
    plan = planSet(set, company.inputs(resolucion))
    expect([plan.missing, plan.not_built]).toEqual([[], []])
  })

  it('uploads the same bytes once, and follows them to their end', async () => {
    const { sii, simulator, twice } = company
    basico = await company.sign(plan, stepOf(plan, 'basico'))
    const upload = () => sii.upload({ ...ask, file_name: 'basico.xml', file: basico })
    const again = await twice('dte_upload', 'basico.xml', upload)
    const [only, ...more] = await simulator.uploadsOf(company.rut)
    expect(more).toEqual([])
    expect(again).toEqual({ outcome: 'done', track_id: only?.track_id })
    const state = () => sii.uploadStateOf({ ...ask, track_id: only?.track_id ?? '' })
    expect(await state()).toMatchObject({ outcome: 'pending' })
    await company.wait()
    expect(await state()).toMatchObject({ outcome: 'accepted', estado: 'EPR' })
    await simulator.script({ door: 'dte_upload', kind: 'upload_status', status: 7, match: 'other.xml' })
    const broken = { ...ask, file_name: 'other.xml', file: Buffer.concat([basico, Buffer.from('\n')]) }
    expect(await sii.upload(broken)).toMatchObject({ outcome: 'refused' })
  })

  it('is told of the cases that are wrong, and declares a set once however often it is asked to', async () => {
    const { wait, twice } = company
    const more = planSet(set, company.inputs(resolucion))
    const part = company.part(stepOf(more, 'basico') as EnvelopeStep, 0, 1)
    const partial = await uploaded('partial.xml', await company.sign(more, part))
    expect(await declare('basico', partial.track_id)).toMatchObject({ outcome: 'done', taken: ['basico'], refused: [] })
    expect(await stateOf('basico')).toMatchObject({ state: 'in_review', track_id: partial.track_id })
    await wait()
    const second = stepOf(plan, 'basico') as EnvelopeStep
    const words = `CASO ${second.documents[1]?.case_id} - Falta el documento del caso`
    expect(await stateOf('basico')).toMatchObject({ state: 'refused', words: expect.stringContaining(words) })

    const { track_id } = await uploaded('basico.xml', basico)
    await company.refuse('step_refuse', 'certification', 'pe_avance3', 'En este momento no es posible')
    expect(await declare('basico', track_id)).toMatchObject({
      refused: [{ kind: 'basico', reason: 'other', sentence: 'En este momento no es posible' }],
    })
    const before = Date.parse((await company.simulator.control('GET', '/control/clock')).now)
    expect(await twice('certification', 'pe_avance3', () => declare('basico', track_id))).toMatchObject({
      ...{ outcome: 'done', taken: ['basico'], refused: [] },
    })
    expect((await held()).declared.basico.declared_at).toBe(before)
  })

  it('keeps a book waiting for its set, and is told how each book ended', async () => {
    const { simulator, wait } = company
    await simulator.script({ door: 'dte_upload', kind: 'refuse', match: 'ventas.xml' })
    const sign = () => company.sign(plan, stepOf(plan, 'libro_ventas', 'book'))
    const first = await company.sii.upload({ ...ask, file_name: 'ventas.xml', file: await sign() })
    if (first.outcome !== 'done') return expect.unreachable('the book was not taken')
    const { track_id } = first
    const state = () => company.sii.uploadStateOf({ ...ask, track_id })
    expect(await state()).toMatchObject({ outcome: 'pending', estado: 'REC' })
    await wait(1)
    expect(await state()).toMatchObject({ outcome: 'pending', estado: 'LSO' })
    await wait()
    const glosa = 'Envio de Libro Rechazado - Descuadrado'
    expect(await state()).toEqual({ outcome: 'rejected', estado: 'LRH', glosa })

    const purchases = await company.sign(plan, stepOf(plan, 'libro_compras', 'book'))
    const compras = await uploaded('compras.xml', purchases)
    const ventas = await uploaded('ventas.xml', await sign())
    expect(ventas).toMatchObject({ outcome: 'accepted', estado: 'LOK' })
    expect(await uploaded('ventas-again.xml', Buffer.concat([await sign(), Buffer.from('\n')]))).toMatchObject({
      ...{ outcome: 'rejected', estado: 'LNC', glosa: 'Tipo de Envio de Libro No Corresponde' },
    })
    expect(await stateOf('basico')).toMatchObject({ state: 'approved' })
    for (const [kind, book] of [['libro_compras', compras] as const, ['libro_ventas', ventas] as const])
      expect(await declare(kind, book.track_id)).toMatchObject({ taken: [kind] })
    await wait()
    for (const kind of ['libro_compras', 'libro_ventas'] as const)
      expect(await stateOf(kind)).toMatchObject({ state: 'approved' })
  })

  it('leaves a step once, and finds itself in the next where the answer was lost', async () => {
    const { sii, twice, refuse } = company
    await refuse('step_refuse', 'certification', 'pe_avance4', 'No es posible')
    const order = { ...ask, from: 'set_de_pruebas' } as const
    expect(await sii.goOn(order)).toMatchObject({ outcome: 'refused', sentence: 'No es posible' })
    expect(await twice('certification', 'pe_avance4', () => sii.goOn(order))).toMatchObject({
      ...{ outcome: 'done', moved: false, step: 'simulacion' },
    })
    expect(await sii.goOn({ ...ask, from: 'simulacion' })).toMatchObject({
      ...{ outcome: 'refused', reason: 'step_not_finished' },
    })
  })

  it('simulates without a reparo', async () => {
    const { sii, wait, simulator } = company
    const business = { documents: [], counterparties: [], products: [] }
    const simulated = () => planSimulation(business, { ...company.inputs(resolucion), tipos: LANE, set })
    const first = simulated()
    await simulator.script({ door: 'dte_upload', kind: 'reparo', match: 'reparo.xml' })
    const part = company.part(stepOf(first, 'simulacion') as EnvelopeStep, 0, 1)
    const reparo = await uploaded('reparo.xml', await company.sign(first, part))
    expect(reparo).toMatchObject({ outcome: 'reparo' })
    expect(await declare('simulacion', reparo.track_id)).toMatchObject({
      ...{ taken: [], refused: [{ sentence: 'ENVIO CON ERRORES O REPAROS' }] },
    })
    const second = simulated()
    simulation = await company.sign(second, stepOf(second, 'simulacion'))
    const good = await uploaded('simulacion.xml', simulation)
    expect(await declare('simulacion', good.track_id)).toMatchObject({ taken: ['simulacion'] })
    await wait()
    expect(await sii.goOn({ ...ask, from: 'simulacion' })).toMatchObject({ moved: true, step: 'intercambio' })
  })

  it('answers the envelope of the SII, and what was approved stays', async () => {
    const { sii, twice, identity, rut } = company
    const given = await sii.exchangeEnvelope(ask)
    expect(await sii.exchangeEnvelope(ask)).toEqual(given)
    if (given.outcome !== 'done') return expect.unreachable('no envelope came')
    const context = {
      rut,
      name: 'Comercial Quillay SpA',
      signer: identity.signer,
      at: `${TODAY}T12:00:00`,
      recinto: 'Talca',
    }
    const answered = await answerExchange(given.file, context)
    if (!answered.ok) return expect.unreachable(answered.refusal.message)
    const { reception, receipts, results } = answered.value
    if (receipts === null || results === null) return expect.unreachable('the envelope was not taken')
    const wrong = await sii.answerExchange({ ...ask, reception: results, receipts, results })
    expect(wrong).toMatchObject({ outcome: 'refused', sentence: expect.stringContaining('RecepcionEnvio - ') })
    const answer = () => sii.answerExchange({ ...ask, reception, receipts, results })
    const done = { outcome: 'done', sentence: expect.stringContaining('REVISADO CONFORME') }
    expect(await twice('certification_exchange', 'confirm', answer)).toMatchObject(done)
    expect(await sii.answerExchange({ ...ask, reception: results, receipts, results })).toMatchObject(done)
    expect(await sii.goOn({ ...ask, from: 'intercambio' })).toMatchObject({ moved: true, step: 'muestras_impresas' })
  })

  it('hands in its printed samples, which are reviewed once for each time that they are refused', async () => {
    const { sii, wait, twice, refuse } = company
    const chosen = chooseSamples({ set: [basico], simulation: [simulation] })
    const samples = await Promise.all(
      chosen.map(async (sample) => ({ file_name: sample.file_name, pdf: await company.print(sample) })),
    )
    const submit = (some: typeof samples) => sii.submitSamples({ ...ask, samples: some })
    expect(await submit(samples.slice(1))).toMatchObject({
      ...{ outcome: 'refused', sentence: expect.stringContaining('Faltan muestras impresas') },
    })
    await refuse('review_refuse', 'certification_samples', 'DOCUMENTOS IMPRESOS', 'La copia cedible no se lee')
    expect(await twice('certification_samples', 'confirm', () => submit(samples.slice(0, 1)))).toMatchObject({
      ...{ outcome: 'done', sentence: expect.stringContaining('EN REVISION') },
    })
    await wait()
    expect(await sii.samplesReviewOf(ask)).toMatchObject({
      ...{ outcome: 'done', state: 'refused', findings: ['La copia cedible no se lee'] },
    })
    expect(await submit(samples.slice(0, 1))).toMatchObject({ outcome: 'done' })
    await wait()
    expect(await sii.samplesReviewOf(ask)).toMatchObject({ state: 'approved', findings: [] })
    expect(await sii.goOn({ ...ask, from: 'muestras_impresas' })).toMatchObject({ moved: true, step: 'cumplimiento' })
  })

  it('declares compliance once, and is an emitter in production after the resolución', async () => {
    const { sii, wait, twice, refuse, client, rut, approved_by } = company
    expect(await sii.complianceStatements(ask)).toMatchObject({ outcome: 'done', statements: { length: 8 } })
    const order = { ...ask, approved_by }
    await refuse('step_refuse', 'certification', 'pe_avance9', 'Solo el representante legal')
    expect(await sii.declareCompliance(order)).toMatchObject({ outcome: 'refused', reason: 'representative_needed' })
    expect(await twice('certification', 'pe_avance9', () => sii.declareCompliance(order))).toMatchObject({
      ...{ outcome: 'done', moved: false, step: 'finished', statements: [] },
    })
    expect(await sii.progressOf(ask)).toMatchObject({ outcome: 'done', step: 'finished' })
    await wait(60)
    const authorised = await client.taxpayers.authorisation({ rut, ambiente: 'produccion' })
    expect(authorised).toMatchObject({ resolucion: { numero: 101 } })
    expect(authorised?.tipos.map(({ tipo }) => tipo)).toEqual([...LANE])
  })

  it('certifies its boletas apart, with their notes and the summary of their folios', async () => {
    const { sii, wait, twice, refuse, client, rut, approved_by } = company
    const { boletas } = sii
    await refuse('step_refuse', 'certification_boletas', 'SET=1', 'No disponible')
    const files: string[] = []
    for (const exempt of [false, true]) {
      const order = { ...ask, exempt, provider_email: 'dte@timbre.cl' }
      if (!exempt)
        expect(await boletas.requestSet(order)).toMatchObject({ outcome: 'refused', sentence: 'No disponible' })
      const given = await twice('certification_boletas', 'SET=1', () => boletas.requestSet(order))
      if (given.outcome !== 'done') return expect.unreachable('no set was handed out')
      const made = planSet(readSet(given.file), company.inputs(resolucion))
      const tracks: string[] = []
      for (const step of made.steps) {
        const sent = await uploaded(`${step.step}.xml`, await company.sign(made, step))
        expect([step.step, sent]).toEqual([step.step, expect.objectContaining({ outcome: 'accepted', estado: 'EPR' })])
        tracks.push(sent.track_id)
        files.push(step.step)
      }
      const review = () => boletas.requestReview({ ...ask, track_id: tracks[0] ?? '' })
      const tipo = exempt ? 41 : 39
      await refuse('review_refuse', 'certification_boletas', `SET DE BOLETA ${tipo}`, 'CASO-1 - No corresponde')
      expect(await twice('certification_boletas', 'SET=2', review)).toMatchObject({
        ...{ outcome: 'done', sentence: expect.stringContaining('EN REVISION') },
      })
      await wait()
      expect(await boletas.reviewOf({ ...ask, exempt })).toMatchObject({
        ...{ state: 'refused', findings: [`Boleta ${tipo}: CASO-1 - No corresponde`] },
      })
      expect(await review()).toMatchObject({ outcome: 'done' })
      await wait()
      expect(await boletas.reviewOf({ ...ask, exempt })).toMatchObject({ state: 'approved', declared: false })
    }
    // At least one of the two sets asks for notes, which have an envelope of their own.
    expect(files.filter((file) => file === 'envelope').length).toBeGreaterThan(2)
    const comply = () => boletas.declareCompliance({ ...ask, approved_by })
    expect(await twice('certification_boletas', 'declare', comply)).toMatchObject({
      ...{ outcome: 'done', sentence: expect.stringContaining('ya fue efectuada') },
    })
    for (const exempt of [false, true])
      expect(await boletas.reviewOf({ ...ask, exempt })).toMatchObject({ state: 'approved', declared: true })
    await wait(60)
    const authorised = await client.taxpayers.authorisation({ rut, ambiente: 'produccion' })
    expect(authorised?.tipos.map(({ tipo }) => tipo)).toEqual([33, 39, 41, 56, 61])
  })
})
