import { type Envelope, piece, signEnvelope } from '../envelope/sign.ts'
import { accept, type Outcome } from '../refusal.ts'
import type { Signer } from '../signature/sign.ts'
import { Form, type FormRule } from '../xml/form.ts'
import { textElement } from '../xml/write.ts'

/** Answers between taxpayers (SII, Formato de Mensaje de Respuesta 1.0): customary, and part of the certification. */
export interface Contact {
  readonly name?: string
  readonly phone?: string
  readonly email?: string
}

export interface Respuesta {
  /** Who answers: the receptor of the documents. */
  readonly responde_rut: string
  /** Who is answered: their emisor. */
  readonly recibe_rut: string
  readonly number: number
  readonly contact?: Contact
  readonly tmst_firma: string
}

/** What identifies a document in an answer. */
export interface AnsweredDte {
  readonly tipo_dte: number
  readonly folio: number
  readonly issue_date: string
  readonly emisor_rut: string
  readonly receptor_rut: string
  readonly total: number
}

// The glosas are the SII's own, one for each code.
export const ENVELOPE_STATES = {
  0: 'Envío Recibido Conforme',
  1: 'Envío Rechazado - Error de Schema',
  2: 'Envío Rechazado - Error de Firma',
  3: 'Envío Rechazado - RUT Receptor No Corresponde',
  90: 'Envío Rechazado - Archivo Repetido',
  91: 'Envío Rechazado - Archivo Ilegible',
  99: 'Envío Rechazado - Otros',
} as const

export const RECEPTION_STATES = {
  0: 'DTE Recibido OK',
  1: 'DTE No Recibido - Error de Firma',
  2: 'DTE No Recibido - Error en RUT Emisor',
  3: 'DTE No Recibido - Error en RUT Receptor',
  4: 'DTE No Recibido - DTE Repetido',
  99: 'DTE No Recibido - Otros',
} as const

export const RESULT_STATES = { 0: 'ACEPTADO OK', 1: 'ACEPTADO CON DISCREPANCIAS', 2: 'RECHAZADO' } as const

export interface ReceivedEnvelope {
  readonly file_name: string
  readonly received_at: string
  readonly code: number
  /** ID of the set that came in. */
  readonly set_id: string
  /** DigestValue of its signature; absent when it had none to read. */
  readonly digest?: string
  readonly emisor_rut?: string
  readonly receptor_rut?: string
  readonly state: keyof typeof ENVELOPE_STATES
  readonly documents: readonly (AnsweredDte & { readonly state: keyof typeof RECEPTION_STATES })[]
}

/** "It arrived": one answer for each envelope, one line for each document in it. */
export async function buildRecepcionEnvio(
  respuesta: Respuesta,
  envelopes: readonly ReceivedEnvelope[],
  signer: Signer,
): Promise<Outcome<string, FormRule>> {
  const form = new Form()
  const details = envelopes.map((envelope, index) => writeReception(envelope, `envelopes[${index}]`, form))
  return signRespuesta(respuesta, 'RecepcionEnvio', details, form, signer)
}

function writeReception(envelope: ReceivedEnvelope, path: string, form: Form): string {
  const documents = envelope.documents.map((document, index) => {
    const fields = writeAnswered(document, 'TipoDTE', `${path}.documents[${index}]`, form)
    const glosa = textElement('RecepDTEGlosa', RECEPTION_STATES[document.state])
    return `<RecepcionDTE>${fields}<EstadoRecepDTE>${document.state}</EstadoRecepDTE>${glosa}</RecepcionDTE>`
  })
  return (
    '<RecepcionEnvio>' +
    form.text('NmbEnvio', envelope.file_name, 80, `${path}.file_name`) +
    form.timestamp('FchRecep', envelope.received_at, `${path}.received_at`) +
    form.integer('CodEnvio', envelope.code, `${path}.code`, 1, 9_999_999_999) +
    form.text('EnvioDTEID', envelope.set_id, 80, `${path}.set_id`) +
    form.text('Digest', envelope.digest, 100, `${path}.digest`) +
    form.rut('RutEmisor', envelope.emisor_rut, `${path}.emisor_rut`) +
    form.rut('RutReceptor', envelope.receptor_rut, `${path}.receptor_rut`) +
    `<EstadoRecepEnv>${envelope.state}</EstadoRecepEnv>${textElement('RecepEnvGlosa', ENVELOPE_STATES[envelope.state])}` +
    form.integer('NroDTE', documents.length || undefined, `${path}.documents`, 1, 9999) +
    `${documents.join('')}</RecepcionEnvio>`
  )
}

export type Resultado = AnsweredDte & {
  readonly envelope_code: number
  readonly state: keyof typeof RESULT_STATES
  /** Why it was refused or differs; the SII's own words for the state when there is nothing to add. */
  readonly reason?: string
}

/** "We accept it" or "we do not": the commercial answer, document by document. */
export async function buildResultadoDte(
  respuesta: Respuesta,
  results: readonly Resultado[],
  signer: Signer,
): Promise<Outcome<string, FormRule>> {
  const form = new Form()
  const details = results.map((result, index) => {
    const path = `results[${index}]`
    return (
      `<ResultadoDTE>${writeAnswered(result, 'TipoDTE', path, form)}` +
      form.integer('CodEnvio', result.envelope_code, `${path}.envelope_code`, 1, 9_999_999_999) +
      `<EstadoDTE>${result.state}</EstadoDTE>` +
      form.text('EstadoDTEGlosa', result.reason ?? RESULT_STATES[result.state], 256, `${path}.reason`) +
      // A code for the reason, any negative number: the emisor reads the glosa.
      `${result.state === 0 ? '' : '<CodRchDsc>-1</CodRchDsc>'}</ResultadoDTE>`
    )
  })
  return signRespuesta(respuesta, 'ResultadoDTE', details, form, signer)
}

async function signRespuesta(
  respuesta: Respuesta,
  kind: string,
  details: readonly string[],
  form: Form,
  signer: Signer,
): Promise<Outcome<string, FormRule>> {
  form.count(kind, details.length, 1, 9999)
  const caratula =
    `<Caratula version="1.0">${form.rut('RutResponde', respuesta.responde_rut, 'responde_rut')}` +
    form.rut('RutRecibe', respuesta.recibe_rut, 'recibe_rut') +
    form.integer('IdRespuesta', respuesta.number, 'number', 1, 9_999_999_999) +
    form.integer('NroDetalles', Math.max(details.length, 1), kind, 1, 9999) +
    writeContact(respuesta.contact, form) +
    `${form.timestamp('TmstFirmaResp', respuesta.tmst_firma, 'tmst_firma')}</Caratula>`
  const content = [piece(`\n${[caratula, ...details].join('\n')}\n`)]
  const schema = 'RespuestaEnvioDTE_v10.xsd'
  const envelope: Envelope = {
    root: 'RespuestaDTE',
    schema,
    body: 'Resultado',
    id: `${kind}${respuesta.number}`,
    content,
  }
  const checked = form.outcome(envelope)
  return checked.ok ? accept(await signEnvelope(checked.value, signer)) : checked
}

export function writeContact(contact: Contact | undefined, form: Form<string>): string {
  return (
    form.text('NmbContacto', contact?.name, 40, 'contact.name') +
    form.text('FonoContacto', contact?.phone, 40, 'contact.phone') +
    form.text('MailContacto', contact?.email, 80, 'contact.email')
  )
}

export function writeAnswered(dte: AnsweredDte, type_name: 'TipoDTE' | 'TipoDoc', path: string, form: Form): string {
  return (
    form.integer(type_name, dte.tipo_dte, `${path}.tipo_dte`, 1, 999) +
    form.integer('Folio', dte.folio, `${path}.folio`, 1, 9_999_999_999) +
    form.date('FchEmis', dte.issue_date, `${path}.issue_date`) +
    form.rut('RUTEmisor', dte.emisor_rut, `${path}.emisor_rut`) +
    form.rut('RUTRecep', dte.receptor_rut, `${path}.receptor_rut`) +
    form.integer('MntTotal', dte.total, `${path}.total`)
  )
}
