import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CertificationService,
  type Identity,
  memorySessions,
  memoryTokens,
  openSiiClient,
  type SiiClient,
  simulatedHosts,
} from '../src/index.ts'
import { failureOf } from './support/failure-of.ts'
import { type SimulatorProcess, startSimulator } from './support/simulator.ts'

/** The pages of certification against the simulator's, which were written from the same facts by other hands. */

const RUT = '76543210-3'
const FREE_RUT = '77777777-7'

let simulator: SimulatorProcess
let identity: Identity
let client: SiiClient
let certification: CertificationService

const control = async (path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${simulator.http}/control/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}

beforeAll(async () => {
  simulator = await startSimulator()
  identity = (await simulator.person('12345678-5', 'clave')).identity
  client = openSiiClient({
    hosts: simulatedHosts(simulator.https),
    ca: simulator.ca,
    tokens: memoryTokens(),
    sessions: memorySessions(),
    onCall: () => undefined,
    sleep: async () => undefined,
  })
  certification = client.certification
  await control('taxpayers', { rut: RUT, name: 'Ñandú Ltda.', representatives: ['12345678-5'] })
  await control('taxpayers', { rut: FREE_RUT, sfg: true, representatives: ['11111111-1'] })
})
afterAll(async () => {
  await client?.close()
  await simulator?.close()
})

const question = (rut = RUT) => ({ user: { kind: 'certificate' as const, identity }, rut })
const tipos = [33, 34, 46, 52, 56, 61, 39, 41] as const
const approved_by = { rut: '12345678-5', name: 'Ana Soto Reyes' }

describe('a certification on the simulator', () => {
  it('has neither set nor advance before it is postulated', async () => {
    expect(await failureOf(certification.requestSet(question()))).toMatchObject({ reason: 'not_postulated' })
    expect(await failureOf(certification.advance(question()))).toMatchObject({ reason: 'not_postulated' })
  })

  it('is postulated once, and a user of the free system is asked first', async () => {
    const order = { ...question(), tipos, accept_loss_of_sfg: false }
    expect(await certification.postulate(order)).toMatchObject({ postulated: true, before: false, warning: null })
    expect(await certification.postulate(order)).toMatchObject({ postulated: true, before: true })
    const free = { ...question(FREE_RUT), tipos: [33] as const }
    expect(await certification.postulate({ ...free, accept_loss_of_sfg: false })).toMatchObject({
      ...{ postulated: false, warning: expect.stringContaining('Gratuito') },
    })
    expect(await failureOf(certification.advance(free))).toMatchObject({ reason: 'not_postulated' })
    expect(await certification.postulate({ ...free, accept_loss_of_sfg: true })).toMatchObject({ postulated: true })
  })

  it('gets a set with all its parts, whose rows are then to be declared', async () => {
    const { file, asked } = await certification.requestSet(question())
    expect(Buffer.from(file).toString('latin1')).toMatch(/SET BASICO - NUMERO DE ATENCION/)
    expect(asked.map(({ field }) => field)).toEqual(['SET01', 'SET03', 'SET06', 'SET72'])
    const { sets, step } = await certification.advance(question())
    expect(step).toBe('set_de_pruebas')
    expect(sets.map(({ kind, state }) => [kind, state])).toEqual(
      ['basico', 'libro_ventas', 'libro_compras', 'guias', 'libro_guias', 'exenta', 'factura_compra'].map((kind) => [
        ...[kind, 'to_do'],
      ]),
    )
    expect(await certification.progress(question())).toMatchObject({ step: 'set_de_pruebas' })
  })

  it('is told of a set whose envelope the SII does not know, in its row', async () => {
    const sets = [{ kind: 'basico' as const, track_id: '9999999999', date: '2026-11-17' }]
    expect(await certification.declare({ ...question(), sets })).toMatchObject({
      taken: [],
      refused: [{ kind: 'basico', reason: 'other', sentence: expect.stringContaining('9999999999') }],
    })
  })

  it('stays where it is while something is open, and gets no set once it has passed', async () => {
    expect(await failureOf(certification.goOn({ ...question(), from: 'set_de_pruebas' }))).toMatchObject({
      reason: 'step_not_finished',
      sent: false,
    })
    await control('certifications', { rut: RUT, step: 'INTERCAMBIO DE INFORMACION' })
    expect(await certification.advance(question())).toMatchObject({ sets: [], step: 'intercambio' })
    expect(await certification.goOn({ ...question(), from: 'set_de_pruebas' })).toMatchObject({
      ...{ moved: false, step: 'intercambio', sentence: expect.stringContaining('INTERCAMBIO') },
    })
    expect(await failureOf(certification.requestSet(question()))).toMatchObject({ reason: 'step_passed' })
    const early = await failureOf(certification.declareCompliance({ ...question(), approved_by }))
    expect(early).toMatchObject({ kind: 'refused', reason: 'step_not_finished' })
  })

  it('takes three answers to the envelope of the SII, and says what is wrong with them', async () => {
    const envelope = await certification.exchangeEnvelope(question())
    expect(Buffer.from(envelope).toString('latin1')).toContain(`<RutReceptor>${RUT}</RutReceptor>`)
    const file = Buffer.from('<RespuestaDTE/>')
    const order = { ...question(), reception: file, receipts: file, results: file }
    const failure = await failureOf(certification.answerExchange(order))
    expect(failure).toMatchObject({ operation: 'pfe.confirm', kind: 'refused', reason: 'other', sent: false })
    expect(failure.glosa).toMatch(/^RECHAZADO: /)
  })

  it('shows what is missing of the printed samples, and refuses what is no PDF', async () => {
    await control('certifications', { rut: RUT, step: 'DOCUMENTOS IMPRESOS' })
    expect(await certification.samplesReview(question())).toMatchObject({ state: 'to_do', words: 'POR REALIZAR' })
    const samples = [{ file_name: '33-1.pdf', pdf: Buffer.from('text') }]
    const failure = await failureOf(certification.submitSamples({ ...question(), samples }))
    expect(failure).toMatchObject({
      operation: 'pdfdte.upload',
      kind: 'refused',
      glosa: expect.stringContaining('PDF'),
    })
  })

  it('of boletas has a set and a review of its own', async () => {
    const { boletas } = certification
    for (const exempt of [false, true]) {
      const set = await boletas.requestSet({ ...question(), exempt, provider_email: 'dte@nandu.cl' })
      expect(Buffer.from(set).toString('latin1')).toMatch(/^Folio;IndExe;NmbItem;/)
      expect(await boletas.review({ ...question(), exempt })).toMatchObject({ state: 'to_do', declared: false })
    }
    const unknown = await failureOf(boletas.requestReview({ ...question(), track_id: '9999999999' }))
    expect(unknown).toMatchObject({ kind: 'refused', glosa: expect.stringContaining('9999999999') })
    const early = await failureOf(boletas.declareCompliance({ ...question(), approved_by }))
    expect(early).toMatchObject({ kind: 'refused', reason: 'step_not_finished' })
  })

  it('ends with the declaration of its representante legal, once', async () => {
    for (const rut of [RUT, FREE_RUT]) await control('certifications', { rut, step: 'DECLARACION DE CUMPLIMIENTO' })
    const other = await failureOf(certification.complianceStatements(question(FREE_RUT)))
    expect(other).toMatchObject({ kind: 'refused', reason: 'representative_needed' })
    expect(await certification.complianceStatements(question())).toHaveLength(8)
    const declared = await certification.declareCompliance({ ...question(), approved_by })
    expect(declared).toMatchObject({ moved: true, step: 'finished', approved_by })
    expect(declared.statements[0]).toMatch(/^Que cuenta con procedimientos/)
    const again = await certification.declareCompliance({ ...question(), approved_by })
    expect(again).toMatchObject({ moved: false, step: 'finished', statements: [] })
    expect(await certification.progress(question())).toMatchObject({ step: 'finished' })
  })
})
