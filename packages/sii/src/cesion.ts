import { textAt, type XmlElement } from '@timbre/dte/xml'
import { splitRut } from './document.ts'
import { driftOf } from './envelope-status.ts'
import { drift, refused, refusedToken, unavailable } from './failure.ts'
import type { Caller } from './identity.ts'
import { readReception, type UploadReceipt } from './reception.ts'
import { need, type Respuesta, readSoapRespuesta } from './respuesta.ts'
import { type Access, askSoap } from './soap-service.ts'
import { companyFields, type UploadDoor, uploadTo } from './upload.ts'
import type { Read } from './wire.ts'

export interface AecFile {
  readonly company_rut: string
  /** Where the register writes what it decided. */
  readonly notify_email: string
  readonly file_name: string
  /** The signed AEC, in ISO-8859-1. */
  readonly bytes: Uint8Array
}

export interface CesionEnvelopeStatus {
  readonly track_id: string
  readonly estado: string
  readonly glosa: string | null
  /** False for an estado that is in no manual. It counts as pending. */
  readonly known: boolean
  readonly outcome: 'pending' | 'accepted' | 'rejected'
}

export interface CededDocument {
  readonly emisor_rut: string
  readonly tipo_dte: number
  readonly folio: number
}

export interface CesionStatus {
  readonly ceded: boolean
  readonly estado: string
  readonly glosa: string | null
  /** What else the register says, by the names it gives: see UNVERIFIED. */
  readonly details: Readonly<Record<string, string>>
}

/** The public register of transferable credits (RPETC). */
export interface CesionService {
  /** Hands an AEC over. What the register does with the same one twice is not known: look before sending again. */
  upload(caller: Caller, file: AecFile): Promise<UploadReceipt>
  envelopeStatus(caller: Caller, track_id: string): Promise<CesionEnvelopeStatus>
  /** Whether a document is in the register. */
  documentStatus(
    caller: Caller,
    document: CededDocument & { readonly cesion_id?: string | undefined },
  ): Promise<CesionStatus>
  /** The same for a company that has to do with the document: who holds the credit now. */
  documentStatusFor(caller: Caller, document: CededDocument, company_rut: string): Promise<CesionStatus>
}

/** SII, Web service RPETC v1.2. */
const ENVELOPE_ESTADOS: Readonly<Record<string, CesionEnvelopeStatus['outcome']>> = {
  UPL: 'pending',
  RCP: 'pending',
  SOK: 'pending',
  FSO: 'pending',
  COK: 'pending',
  VDC: 'pending',
  VCS: 'pending',
  EOK: 'accepted',
  RSC: 'rejected',
  RFS: 'rejected',
  RCR: 'rejected',
  RDC: 'rejected',
  RCS: 'rejected',
  EAN: 'rejected',
}

const FOUND = '0'
const NOT_FOUND = '2'
const TOKEN_REFUSED = new Set(['3', '4', '5'])
const INTERNAL = new Set(['6', '7', '8', '9'])

const UPLOAD: UploadDoor<UploadReceipt> = {
  channel: 'dte',
  service: 'dte',
  operation: 'RTCAnotEnvio',
  path: '/cgi_rtc/RTC/RTCAnotEnvio.cgi',
  read: (answer) => readReception(answer, 'RECEPCIONAEC'),
}

const CONSULTA = { path: '/DTEWS/services/wsRPETCConsulta', namespace: 'http://DefaultNamespace' } as const

export function openCesionService(access: Access): CesionService {
  return {
    upload: (caller, file) => {
      const fields = [['emailNotif', file.notify_email] as const, ...companyFields(file.company_rut)]
      return uploadTo(access, caller, UPLOAD, fields, file)
    },
    envelopeStatus: (caller, track_id) =>
      askSoap(
        access,
        caller,
        {
          ...CONSULTA,
          operation: 'getEstEnvio',
          parts: (token) => [
            ['Token', token],
            ['TrackId', track_id],
          ],
        },
        (answer) => readEnvelope(requireAnswer(readSoapRespuesta(answer, 'getEstEnvio')), track_id),
      ),
    documentStatus: (caller, { cesion_id, ...document }) =>
      askSoap(
        access,
        caller,
        {
          ...CONSULTA,
          operation: 'getEstCesion',
          parts: (token) => [
            ...partsOf(token, document),
            ...(cesion_id === undefined ? [] : [['IdCesion', cesion_id] as const]),
          ],
        },
        (answer) => readStatus(readSoapRespuesta(answer, 'getEstCesion')),
      ),
    documentStatusFor: (caller, document, company_rut) => {
      const [rut, dv] = splitRut(company_rut)
      return askSoap(
        access,
        caller,
        {
          ...CONSULTA,
          operation: 'getEstCesionRelac',
          parts: (token) => [...partsOf(token, document), ['RutEmpresa', rut], ['DVEmpresa', dv]],
        },
        (answer) => readStatus(readSoapRespuesta(answer, 'getEstCesionRelac')),
      )
    },
  }
}

function partsOf(token: string, { emisor_rut, tipo_dte, folio }: CededDocument) {
  const [rut, dv] = splitRut(emisor_rut)
  return [
    ['Token', token],
    ['RutEmisor', rut],
    ['DVEmisor', dv],
    ['TipoDoc', String(tipo_dte)],
    ['FolioDoc', String(folio)],
  ] as const
}

/** The states of the question itself. */
function requireAnswer(respuesta: Respuesta): Respuesta {
  const { estado, glosa } = respuesta
  if (TOKEN_REFUSED.has(estado)) throw refusedToken(estado, glosa)
  if (INTERNAL.has(estado)) throw unavailable(estado, glosa)
  if (Number(estado) !== 0) throw refused(estado, glosa, estado === NOT_FOUND ? 'later' : 'minutes')
  return respuesta
}

function readEnvelope({ body }: Respuesta, track_id: string): Read<CesionEnvelopeStatus> {
  const estado = need(body, 'ESTADO_ENVIO')
  const outcome = ENVELOPE_ESTADOS[estado]
  const glosa = textAt(body, 'DESC_ESTADO') ?? null
  const value = { track_id, estado, glosa, known: outcome !== undefined, outcome: outcome ?? 'pending' }
  return { value, estado, ...driftOf(value) }
}

function readStatus(respuesta: Respuesta): Read<CesionStatus> {
  const { estado, glosa, body } = respuesta
  if (estado === NOT_FOUND) return { value: { ceded: false, estado, glosa, details: {} }, estado }
  requireAnswer(respuesta)
  if (estado !== FOUND) throw drift('ESTADO of a cesión', estado)
  return { value: { ceded: true, estado, glosa, details: detailsOf(body) }, estado }
}

function detailsOf(body: XmlElement | undefined): Readonly<Record<string, string>> {
  const leaves = body?.children.filter(({ children }) => children.length === 0) ?? []
  return Object.fromEntries(leaves.map(({ name, text }) => [name, text.trim()]))
}
