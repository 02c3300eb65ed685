import {
  type AnsweredDte,
  buildEnvioRecibos,
  buildRecepcionEnvio,
  buildResultadoDte,
  type Contact,
  type ENVELOPE_STATES,
  latin1Bytes,
  type Outcome,
  type RECEPTION_STATES,
  RECEPTION_STATES as RECEPTION_WORDS,
  type ReadEnvelope,
  readEnvelope,
  type Signer,
  verifySignatures,
} from '@timbre/dte'

/** Who answers the SII's envelope of the step of intercambio. */
export interface ExchangeContext {
  readonly rut: string
  readonly name: string
  readonly contact?: Contact
  readonly signer: Signer
  /** Local time of Santiago, `AAAA-MM-DDTHH:MM:SS`. */
  readonly at: string
  /** Where goods and services are received. */
  readonly recinto: string
  readonly file_name?: string
}

/** Signed files in ISO-8859-1. Nothing is acknowledged or judged of an envelope that was not received. */
export interface ExchangeAnswers {
  /** RespuestaDTE with RecepcionEnvio. */
  readonly reception: Uint8Array
  /** EnvioRecibos; null where no document was received. */
  readonly receipts: Uint8Array | null
  /** RespuestaDTE with ResultadoDTE; null where the envelope was refused. */
  readonly results: Uint8Array | null
  /** How each document was taken, in the order of the envelope. */
  readonly documents: readonly ReceivedDocument[]
  readonly envelope_state: keyof typeof ENVELOPE_STATES
}

export type ReceivedDocument = AnsweredDte & { readonly state: keyof typeof RECEPTION_STATES }

const OK = 0
/** EstadoRecepEnv. */
const BAD_SIGNATURE = 2
const OTHER_RECEPTOR = 3
/** EstadoRecepDTE. */
const DOCUMENT_BAD_SIGNATURE = 1
const DOCUMENT_OTHER_EMISOR = 2
const DOCUMENT_OTHER_RECEPTOR = 3
/** EstadoDTE. */
const REFUSED = 2

/** One envelope comes, and is answered once. */
const NUMBER = 1
const FILE_NAME = 'EnvioDTE.xml'
const MAX_ID = 80
const MAX_NAME = 40
/** The SII sends two documents; the rest is room. */
const LIMITS = { max_bytes: 2_000_000, max_nodes: 50_000, undeclared: 'ISO-8859-1' } as const
const MAX_DOCUMENTS = 100

/**
 * The three answers to an envelope: it arrived, the goods arrived, we accept it. A document for another receptor is
 * refused in the first and the third and has no receipt. A file that is no envelope is an outcome, never a throw.
 */
export async function answerExchange(file: Uint8Array, context: ExchangeContext): Promise<Outcome<ExchangeAnswers>> {
  const envelope = readEnvelope(file, LIMITS)
  if (!envelope.ok) return envelope
  const { kind, documents: read, caratula } = envelope.value
  if (kind !== 'EnvioDTE' || caratula?.rut_emisor === undefined)
    return refusal('not_an_envelope', 'It is not an EnvioDTE with its Caratula.')
  if (read.length > MAX_DOCUMENTS) return refusal('too_many_documents', `It holds ${read.length} documents.`)
  const unread = read.find((outcome) => !outcome.ok)
  if (unread !== undefined && !unread.ok) return unread
  const { state, digest, documents } = judge(envelope.value, context.rut)
  const answer = answering(context, caratula.rut_emisor)
  const reception = await buildRecepcionEnvio(
    answer,
    [
      {
        file_name: context.file_name ?? FILE_NAME,
        received_at: context.at,
        code: NUMBER,
        set_id: (envelope.value.id ?? 'SetDoc').slice(0, MAX_ID),
        ...(digest === '' ? {} : { digest }),
        emisor_rut: caratula.rut_emisor,
        ...(caratula.rut_receptor === undefined ? {} : { receptor_rut: caratula.rut_receptor }),
        state,
        documents,
      },
    ],
    context.signer,
  )
  if (!reception.ok) return reception
  const head = { reception: latin1Bytes(reception.value), documents, envelope_state: state }
  if (state !== OK) return { ok: true, value: { ...head, receipts: null, results: null } }
  const receipts = await buildReceipts(documents, context, answer)
  const results = await buildResults(documents, context, answer)
  if (!receipts.ok) return receipts
  if (!results.ok) return results
  return { ok: true, value: { ...head, receipts: receipts.value, results: results.value } }
}

function refusal(rule: string, message: string): Outcome<never> {
  return { ok: false, refusal: { path: '', rule, message } }
}

function answering({ rut, name, contact, at }: ExchangeContext, recibe_rut: string) {
  const known = { name: name.slice(0, MAX_NAME), ...contact }
  return { responde_rut: rut, recibe_rut, number: NUMBER, contact: known, tmst_firma: at }
}

interface Judgement {
  readonly state: keyof typeof ENVELOPE_STATES
  readonly digest: string
  /** Empty when the envelope as a whole is refused. */
  readonly documents: readonly ReceivedDocument[]
}

/** Whether the envelope is whole and ours, and then each document of it. */
function judge({ xml, caratula, documents: read }: ReadEnvelope, rut: string): Judgement {
  const checked = verifySignatures(xml)
  const signatures = checked.ok ? checked.value : []
  const outer = signatures.find(({ container }) => container === xml.root)
  const inner = signatures.filter(({ container }) => container.name === 'DTE')
  const digest = outer?.digest ?? ''
  // A signed document anywhere but in the set is nobody's to read.
  if (outer === undefined || outer.refusal !== null || inner.length !== read.length)
    return { state: BAD_SIGNATURE, digest, documents: [] }
  if (caratula?.rut_receptor !== rut) return { state: OTHER_RECEPTOR, digest, documents: [] }
  const documents = read.flatMap((outcome, index) => {
    if (!outcome.ok) return []
    const { tipo_dte, folio, issue_date, emisor, receptor, totals } = outcome.value.dte
    const identity = { tipo_dte, folio, issue_date, emisor_rut: emisor.rut, receptor_rut: receptor.rut }
    const signed = inner[index]?.refusal === null
    return [{ ...identity, total: totals.total, state: stateOf(identity, signed, caratula.rut_emisor, rut) }]
  })
  return { state: OK, digest, documents }
}

function stateOf(
  { emisor_rut, receptor_rut }: Pick<AnsweredDte, 'emisor_rut' | 'receptor_rut'>,
  signed: boolean,
  sender: string | undefined,
  rut: string,
): ReceivedDocument['state'] {
  if (!signed) return DOCUMENT_BAD_SIGNATURE
  if (emisor_rut !== sender) return DOCUMENT_OTHER_EMISOR
  return receptor_rut === rut ? OK : DOCUMENT_OTHER_RECEPTOR
}

type Answering = ReturnType<typeof answering>

async function buildReceipts(
  documents: readonly ReceivedDocument[],
  { rut, recinto, signer, at }: ExchangeContext,
  { number: _, ...envio }: Answering,
): Promise<Outcome<Uint8Array | null>> {
  const received = documents.filter(({ state }) => state === OK)
  if (received.length === 0) return { ok: true, value: null }
  const recibos = received.map((document) => ({
    ...document,
    place: recinto,
    firma_rut: signer.rut ?? rut,
    tmst_firma: at,
  }))
  const built = await buildEnvioRecibos(envio, recibos, signer)
  return built.ok ? { ok: true, value: latin1Bytes(built.value) } : built
}

async function buildResults(
  documents: readonly ReceivedDocument[],
  { signer }: ExchangeContext,
  respuesta: Answering,
): Promise<Outcome<Uint8Array>> {
  const results = documents.map(({ state, ...document }) => ({
    ...document,
    envelope_code: NUMBER,
    ...(state === OK ? { state: 0 as const } : { state: REFUSED as 2, reason: RECEPTION_WORDS[state] }),
  }))
  const built = await buildResultadoDte(respuesta, results, signer)
  return built.ok ? { ok: true, value: latin1Bytes(built.value) } : built
}
