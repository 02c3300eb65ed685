import { textAt, type XmlElement } from '@timbre/dte/xml'
import { compactDate } from './dates.ts'
import { type DocumentQuestion, type DocumentStatus, documentStatus, isDocumentEstado, splitRut } from './document.ts'
import {
  driftOf,
  type EnvelopeStatus,
  envelopeStatus,
  readCounters,
  requireEnvelopeState,
  requireState,
} from './envelope-status.ts'
import { drift, refused } from './failure.ts'
import type { Caller } from './identity.ts'
import { readReception, type UploadReceipt } from './reception.ts'
import { type Respuesta, readSoapRespuesta } from './respuesta.ts'
import type { SoapParts } from './soap.ts'
import { type Access, askSoap } from './soap-service.ts'
import { senderFields, type UploadDoor, uploadTo } from './upload.ts'
import type { Read, SiiAnswer } from './wire.ts'

/** An envelope, a summary of folios or a book, signed and in ISO-8859-1. */
export interface UploadFile {
  readonly company_rut: string
  readonly file_name: string
  readonly bytes: Uint8Array
}

export interface UploadQuestion {
  readonly company_rut: string
  readonly track_id: string
  /** It may be a book or a summary of folios, of which the SII counts no documents. */
  readonly may_count_nothing?: boolean
}

/** The DTE channel: everything but boletas in production. */
export interface DteService {
  /** Hands a file over. Sent twice, it is one: the SII names the first (status 99), and `duplicate` says so. */
  upload(caller: Caller, file: UploadFile): Promise<UploadReceipt>
  /** What became of an envelope (QueryEstUp). */
  envelopeStatus(caller: Caller, question: UploadQuestion): Promise<EnvelopeStatus>
  /** What the SII holds under a folio, and whether the data are these (QueryEstDte). */
  documentStatus(caller: Caller, question: DocumentQuestion): Promise<DocumentStatus>
  /** The same for the very document that was signed (QueryEstDteAv). */
  signedDocumentStatus(
    caller: Caller,
    question: DocumentQuestion & { readonly signature_value: string },
  ): Promise<DocumentStatus>
  /** Asks for the result e-mail of an envelope once more: in this channel only it says why (wsDTECorreo). */
  resendResultMail(
    caller: Caller,
    question: { readonly company_rut: string; readonly track_id: string },
  ): Promise<{ readonly estado: string; readonly glosa: string | null }>
}

const UPLOAD: UploadDoor<UploadReceipt> = {
  channel: 'dte',
  service: 'dte',
  operation: 'DTEUpload',
  path: '/cgi_dte/UPL/DTEUpload',
  read: (answer) => readReception(answer, 'RECEPCIONDTE'),
}

export function openDteService(access: Access): DteService {
  return {
    upload: (caller, file) => uploadTo(access, caller, UPLOAD, senderFields(caller, file.company_rut), file),
    envelopeStatus: (caller, { company_rut, ...asked }) => {
      const [rut, dv] = splitRut(company_rut)
      const { track_id } = asked
      const question = {
        path: '/DTEWS/QueryEstUp.jws',
        operation: 'getEstUp',
        parts: (token: string) =>
          [
            ['RutCompania', rut],
            ['DvCompania', dv],
            ['TrackId', track_id],
            ['Token', token],
          ] as const,
      }
      return askSoap(access, caller, question, (answer) => readEnvelopeStatus(answer, asked))
    },
    documentStatus: (caller, question) => askDocument(access, caller, question),
    signedDocumentStatus: (caller, question) => askSignedDocument(access, caller, question),
    resendResultMail: (caller, { company_rut, track_id }) => {
      const [rut, dv] = splitRut(company_rut)
      const question = {
        path: '/DTEWS/services/wsDTECorreo',
        operation: 'reenvioCorreo',
        parts: (token: string) =>
          [
            ['Token', token],
            ['RutEmpresa', rut],
            ['DvEmpresa', dv],
            ['TrackId', track_id],
          ] as const,
      }
      return askSoap(access, caller, question, readResend)
    },
  }
}

function readEnvelopeStatus(answer: SiiAnswer, asked: Omit<UploadQuestion, 'company_rut'>): Read<EnvelopeStatus> {
  const { estado, glosa: words, header, body } = readSoapRespuesta(answer, 'getEstUp')
  const glosa = words ?? codesIn(header)
  requireEnvelopeState(estado, glosa)
  const counts = readCounters(body)
  const value = envelopeStatus({ ...asked, estado, glosa, documents: null, received_at: null, counts })
  return { value, estado, ...driftOf(value) }
}

/** A state without words says more by the codes beside it (SII, Consulta de estado de DTE v1.10, state -11). */
function codesIn(header: XmlElement): string | null {
  const codes = ['ERR_CODE', 'SQL_CODE', 'SRV_CODE'].flatMap((name) => {
    const code = textAt(header, name)
    return code ? [`${name} ${code}`] : []
  })
  return codes.length > 0 ? codes.join(', ') : null
}

/** A document as both services are asked about it, after the companies and before the token. */
function documentParts({ receptor_rut, tipo_dte, folio, issue_date, total }: DocumentQuestion): SoapParts {
  const [rut, dv] = splitRut(receptor_rut)
  return [
    ['RutReceptor', rut],
    ['DvReceptor', dv],
    ['TipoDte', String(tipo_dte)],
    ['FolioDte', String(folio)],
    ['FechaEmisionDte', compactDate(issue_date)],
    ['MontoDte', String(total)],
  ]
}

function askDocument(access: Access, caller: Caller, asked: DocumentQuestion): Promise<DocumentStatus> {
  const [rut_asking, dv_asking] = splitRut(caller.identity.rut)
  const [rut_emisor, dv_emisor] = splitRut(asked.emisor_rut)
  const question = {
    path: '/DTEWS/QueryEstDte.jws',
    operation: 'getEstDte',
    parts: (token: string) =>
      [
        ['RutConsultante', rut_asking],
        ['DvConsultante', dv_asking],
        ['RutCompania', rut_emisor],
        ['DvCompania', dv_emisor],
        ...documentParts(asked),
        ['Token', token],
      ] as const,
  }
  return askSoap(access, caller, question, (answer) => readDocument(readSoapRespuesta(answer, 'getEstDte')))
}

function askSignedDocument(
  access: Access,
  caller: Caller,
  asked: DocumentQuestion & { readonly signature_value: string },
): Promise<DocumentStatus> {
  const [rut_emisor, dv_emisor] = splitRut(asked.emisor_rut)
  const question = {
    path: '/DTEWS/services/QueryEstDteAv',
    operation: 'getEstDteAv',
    parts: (token: string) =>
      [
        ['RutEmpresa', rut_emisor],
        ['DvEmpresa', dv_emisor],
        ...documentParts(asked),
        ['FirmaDte', asked.signature_value],
        ['Token', token],
      ] as const,
  }
  return askSoap(access, caller, question, (answer) => readSigned(readSoapRespuesta(answer, 'getEstDteAv')))
}

function readDocument({ estado, glosa, header }: Respuesta): Read<DocumentStatus> {
  requireState(estado, glosa)
  if (!isDocumentEstado(estado)) throw drift('ESTADO of a document', estado)
  const attention = textAt(header, 'NUM_ATENCION') ?? null
  // GLOSA_ERR says what was found; GLOSA_ESTADO only whether the document came.
  return { value: documentStatus(estado, textAt(header, 'GLOSA_ERR') || glosa, { attention }), estado }
}

/**
 * The answer of this service is in no manual we know (see UNVERIFIED): public clients read `0` in the header and, in the
 * body, RECIBIDO, ESTADO, GLOSA, TRACKID and NUMATENCION. One with the state in its header, as QueryEstDte has it, is
 * taken too.
 */
function readSigned(respuesta: Respuesta): Read<DocumentStatus> {
  const { estado, glosa, body } = respuesta
  if (!/^0+$/.test(estado)) return readDocument(respuesta)
  const state = textAt(body, 'ESTADO')
  if (!state) throw drift('RESP_BODY/ESTADO', estado)
  const status = documentStatus(state, textAt(body, 'GLOSA') ?? glosa, {
    track_id: trackIdOf(textAt(body, 'TRACKID')),
    attention: textAt(body, 'NUMATENCION') ?? textAt(body, 'NUM_ATENCION') ?? null,
  })
  return { value: withReception(status, textAt(body, 'RECIBIDO')), estado: state }
}

/** A document that never came has no envelope: zeros are no track id. */
const trackIdOf = (text: string | undefined): string | null => (text && !/^0+$/.test(text) ? text : null)

/** Whether it came is said apart from its state, and settles a state that leaves it open. */
function withReception(status: DocumentStatus, received: string | undefined): DocumentStatus {
  if (received?.toUpperCase() === 'SI') return { ...status, held: true }
  if (received?.toUpperCase() !== 'NO') return status
  return { ...status, held: false, state: status.held === false ? status.state : 'absent' }
}

/** No source shows an answer of this service (see UNVERIFIED): zero is taken for done, anything else for a refusal. */
function readResend(answer: SiiAnswer): Read<{ estado: string; glosa: string | null }> {
  const { estado, glosa } = readSoapRespuesta(answer, 'reenvioCorreo')
  if (!/^0+$/.test(estado)) throw refused(estado, glosa, 'minutes')
  return { value: { estado, glosa }, estado }
}
