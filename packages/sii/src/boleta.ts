import { readJson } from './boleta-json.ts'
import { readBoletaEnvelope, readBoletaReceipt } from './boleta-status.ts'
import { dashedDate } from './dates.ts'
import { type DocumentQuestion, type DocumentStatus, documentStatus, splitRut } from './document.ts'
import type { UploadFile } from './dte.ts'
import type { EnvelopeStatus } from './envelope-status.ts'
import { drift } from './failure.ts'
import type { Caller } from './identity.ts'
import { UPLOAD_AGENT } from './multipart.ts'
import type { UploadReceipt } from './reception.ts'
import type { Access } from './soap-service.ts'
import { senderFields, type UploadDoor, uploadTo } from './upload.ts'
import type { Read, SiiAnswer, SiiCall } from './wire.ts'

/** The boleta channel (Res. Ex. 74 of 2020), with a token of its own. */
export interface BoletaService {
  /** Hands an EnvioBOLETA over. What the SII does with the same one twice is not known: look before sending again. */
  upload(caller: Caller, file: UploadFile): Promise<UploadReceipt>
  /** What became of an envelope, with the findings of each document. */
  envelopeStatus(
    caller: Caller,
    question: { readonly company_rut: string; readonly track_id: string },
  ): Promise<EnvelopeStatus>
  documentStatus(caller: Caller, question: DocumentQuestion): Promise<DocumentStatus>
}

const ROOT = '/recursos/v1/boleta.electronica'

const UPLOAD: UploadDoor<UploadReceipt> = {
  channel: 'boleta',
  service: 'boleta_upload',
  operation: 'boleta.envio',
  path: `${ROOT}.envio`,
  headers: { accept: 'application/json' },
  read: readBoletaReceipt,
}

export function openBoletaService(access: Access): BoletaService {
  return {
    upload: (caller, file) => uploadTo(access, caller, UPLOAD, senderFields(caller, file.company_rut), file),
    envelopeStatus: (caller, { company_rut, track_id }) => {
      const [rut, dv] = splitRut(company_rut)
      const path = `${ROOT}.envio/${rut}-${dv}-${encodeURIComponent(track_id)}`
      return ask(access, caller, 'boleta.envio.estado', path, (answer) => readBoletaEnvelope(answer, track_id))
    },
    documentStatus: (caller, question) => {
      const [rut, dv] = splitRut(question.emisor_rut)
      const [rut_receptor, dv_receptor] = splitRut(question.receptor_rut)
      const query = new URLSearchParams({
        rut_receptor,
        dv_receptor,
        monto: String(question.total),
        fechaEmision: dashedDate(question.issue_date),
      })
      const path = `${ROOT}/${rut}-${dv}-${question.tipo_dte}-${question.folio}/estado?${query}`
      return ask(access, caller, 'boleta.estado', path, readBoletaDocument)
    },
  }
}

function ask<T>(
  { wire, tokens }: Access,
  caller: Caller,
  operation: string,
  path: string,
  read: (answer: SiiAnswer) => Read<T>,
): Promise<T> {
  const { ambiente } = caller
  return tokens.withToken(caller, 'boleta', (token) => {
    const headers = { accept: 'application/json', 'user-agent': UPLOAD_AGENT, cookie: `TOKEN=${token}` }
    const call: SiiCall = {
      service: 'boleta_api',
      ambiente,
      operation,
      method: 'GET',
      path,
      headers,
      secrets: [token],
    }
    return wire.call(call, read)
  })
}

function readBoletaDocument(answer: SiiAnswer): Read<DocumentStatus> {
  const { codigo, descripcion } = readJson(answer)
  if (typeof codigo !== 'string' || codigo === '') throw drift('codigo')
  const glosa = typeof descripcion === 'string' ? descripcion : null
  return { value: documentStatus(codigo, glosa), estado: codigo }
}
