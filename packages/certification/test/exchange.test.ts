import { buildSobre, completeDraft, emitDte, type Outcome } from '@timbre/dte'
import { beforeAll, describe, expect, it } from 'vitest'
import { schemaFault } from '../../dte/test/support/envelope-xsd.ts'
import { makeCaf, makeIdentity, SIGNER_RUT } from '../../dte/test/support/keys.ts'
import { draft, EMISOR } from '../../dte/test/support/samples.ts'
import { describeWithReference } from '../../dte/test/support/shared.ts'
import { checkAnswer } from '../../sii-simulator/src/certification/check-answers.ts'
import type { Exchange } from '../../sii-simulator/src/certification/register.ts'
import { openTrust } from '../../sii-simulator/src/verify/certificate.ts'
import { answerExchange, type ExchangeAnswers } from '../src/index.ts'

const COMPANY = '77123456-9'
const { signer } = makeIdentity()
const AT = '2026-10-05T12:05:00'
const context = { rut: COMPANY, name: 'Pérez & Hijos Ltda.', signer, at: AT, recinto: 'Calle Larga 56, Maipú' }

const take = <T>(outcome: Outcome<T>): T => {
  if (!outcome.ok) throw new Error(outcome.refusal.message)
  return outcome.value
}
const text = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('latin1')
const bytes = (xml: string) => Buffer.from(xml, 'latin1')

/** An envelope as the SII sends it: one document for the company, and one for another. */
const caf = makeCaf({ tipo_dte: 33 })

async function envelope(receptores: readonly string[], emisor_rut = EMISOR.rut) {
  const documents = await Promise.all(
    receptores.map(async (rut, index) => {
      const { receptor, ...rest } = draft(33)
      const dte = completeDraft({ ...rest, receptor: { ...receptor, rut } }, 11 + index)
      const { xml } = take(await emitDte({ dte, caf, signer, tmst_ted: AT, tmst_firma: AT }))
      return { tipo_dte: 33 as const, xml }
    }),
  )
  const head = {
    emisor_rut,
    envia_rut: SIGNER_RUT,
    receptor_rut: COMPANY,
    resolucion: { date: '2014-08-22', number: 0 },
  }
  return take(await buildSobre({ ...head, tmst_firma: AT, documents }, signer))
}

const STRANGER = '78901234-2'
let sent: string
let answers: ExchangeAnswers
let exchange: Exchange

beforeAll(async () => {
  sent = await envelope([COMPANY, STRANGER])
  answers = take(await answerExchange(bytes(sent), context))
  const document = { tipo: 33, fecha: '2026-10-05', monto: 5950 }
  exchange = {
    xml: sent,
    emisor: EMISOR.rut,
    set_id: 'SetDoc',
    digest: [...sent.matchAll(/<DigestValue>([^<]+)</g)].at(-1)?.[1] ?? '',
    own: { ...document, folio: 11, receptor: COMPANY },
    other: { ...document, folio: 12, receptor: STRANGER },
    answers: {},
    approved_at: null,
    refusals: [],
  }
})

/** The reviewer of the simulator, for whom any certificate will do. */
const read = openTrust([])
const court = {
  company: COMPANY,
  readCertificate: (base64: string) => {
    const certificate = read(base64)
    return certificate === null ? null : { ...certificate, accredited: true }
  },
  maySign: (rut: string) => rut === SIGNER_RUT,
}
const review = ({ reception, receipts, results }: ExchangeAnswers) =>
  [reception, receipts, results].map((file, index) => checkAnswer(index + 1, file ?? new Uint8Array(), exchange, court))

describe('the answers to the envelope of the SII', () => {
  it('are three that its reviewer accepts: the document of another is refused and has no receipt', () => {
    expect(review(answers)).toEqual([[], [], []])
    expect(answers.documents.map(({ folio, state }) => [folio, state])).toEqual([
      [11, 0],
      [12, 3],
    ])
    expect(text(answers.results)).toContain(
      '<EstadoDTE>2</EstadoDTE><EstadoDTEGlosa>DTE No Recibido - Error en RUT Receptor',
    )
    expect(text(answers.receipts).match(/<DocumentoRecibo /g)).toHaveLength(1)
    expect(text(answers.reception)).toContain('encoding="ISO-8859-1"')
  })

  it('are refused by its reviewer when each in turn is wrong', async () => {
    const other = take(await answerExchange(bytes(sent), { ...context, rut: STRANGER }))
    expect(review(other)[0]).not.toEqual([])
    const swap = (file: Uint8Array | null, from: string, to: string) => bytes(text(file).replace(from, to))
    for (const wrong of [
      { ...answers, reception: swap(answers.reception, '<EstadoRecepDTE>3<', '<EstadoRecepDTE>0<') },
      { ...answers, receipts: swap(answers.receipts, '<Folio>11<', '<Folio>12<') },
      { ...answers, results: swap(answers.results, '<EstadoDTE>0<', '<EstadoDTE>2<') },
      { ...answers, results: answers.reception },
      { ...answers, receipts: null },
    ])
      expect(review(wrong).flat()).not.toEqual([])
  })

  it('are signed by whoever may sign alone', () => {
    const stranger = { ...court, maySign: () => false }
    expect(checkAnswer(1, answers.reception, exchange, stranger).join()).toContain('El firmante no esta autorizado')
  })
})

describe('an envelope that is not as it should be', () => {
  it('with a false signature is answered by a RecepcionEnvio that says so, and by nothing else', async () => {
    const changed = bytes(sent.replace('<NroResol>0<', '<NroResol>1<'))
    const { reception, receipts, results } = take(await answerExchange(changed, context))
    expect([receipts, results]).toEqual([null, null])
    expect(text(reception)).toContain(
      '<EstadoRecepEnv>2</EstadoRecepEnv><RecepEnvGlosa>Envío Rechazado - Error de Firma',
    )
  })

  it('for another company says so, and acknowledges nothing', async () => {
    const { reception, receipts } = take(await answerExchange(bytes(sent), { ...context, rut: STRANGER }))
    expect([text(reception).includes('<EstadoRecepEnv>3<'), receipts]).toEqual([true, null])
  })

  it('with a document of another emisor refuses that document alone', async () => {
    const foreign = await envelope([COMPANY], STRANGER)
    const { documents, receipts, results } = take(await answerExchange(bytes(foreign), context))
    expect([documents.map(({ state }) => state), receipts]).toEqual([[2], null])
    expect(text(results)).toContain('DTE No Recibido - Error en RUT Emisor')
  })

  it.each([
    ['nothing', ''],
    ['no XML', 'hola'],
    ['cut short', '<?xml version="1.0"?><EnvioDTE><SetDTE>'],
    ['an entity bomb', '<!DOCTYPE a [<!ENTITY b "b">]><EnvioDTE>&b;</EnvioDTE>'],
    ['another file', '<RespuestaDTE><Resultado/></RespuestaDTE>'],
    ['an empty set', '<EnvioDTE><SetDTE ID="a"><Caratula/></SetDTE></EnvioDTE>'],
    [
      'a document without its identity',
      '<EnvioDTE><SetDTE ID="a"><Caratula/><DTE><Documento/></DTE></SetDTE></EnvioDTE>',
    ],
  ])('that is %s is refused, and nothing is thrown', async (_, xml) => {
    expect(await answerExchange(bytes(xml), context)).toMatchObject({ ok: false })
  })

  it('that is a lone document, or has no cover, is refused', async () => {
    const [lone = ''] = sent.match(/<DTE [\s\S]*?<\/DTE>/) ?? []
    expect(await answerExchange(bytes(lone), context)).toMatchObject({
      ok: false,
      refusal: { rule: 'not_an_envelope' },
    })
    const bare = sent.replace(/<Caratula[\s\S]*?<\/Caratula>/, '')
    expect(await answerExchange(bytes(bare), context)).toMatchObject({
      ok: false,
      refusal: { rule: 'not_an_envelope' },
    })
  })
})

describeWithReference('the official schemas', () => {
  it('take the three answers, and the refusal of an envelope', async () => {
    const refused = take(await answerExchange(bytes(sent.replace('<NroResol>0<', '<NroResol>1<')), context))
    expect([
      schemaFault(text(answers.reception), 'RespuestaEnvioDTE_v10.xsd'),
      schemaFault(text(answers.receipts), 'EnvioRecibos_v10.xsd'),
      schemaFault(text(answers.results), 'RespuestaEnvioDTE_v10.xsd'),
      schemaFault(text(refused.reception), 'RespuestaEnvioDTE_v10.xsd'),
    ]).toEqual([null, null, null, null])
  })
})
