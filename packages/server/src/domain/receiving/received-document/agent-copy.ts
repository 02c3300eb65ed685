import { pesos, printedRut } from '@timbre/dte/values'
import { type Irreversible, quoted } from '../../agent-tool.ts'
import { doubtsIn } from './copy.ts'
import type { QuarantinedFile } from './quarantine-schema.ts'
import type { ReceivedDocument } from './schema.ts'

const named = ({ tipo_dte, folio, emisor, totals }: ReceivedDocument) =>
  `el documento tipo ${tipo_dte} N° ${folio} de ${quoted(emisor.legal_name)} (RUT ${printedRut(emisor.rut)}) por ` +
  pesos(totals.total)

/** Whoever confirms must know that it may be a forgery. */
const doubted = ({ authenticity }: ReceivedDocument) => {
  const doubts = doubtsIn(authenticity)
  return doubts === null ? '' : ` Ojo: ${doubts}`
}

const shared = {
  shows: ({ tipo_dte, folio, emisor, totals, issue_date, status, authenticity }: ReceivedDocument) => ({
    tipo_dte,
    folio,
    emisor,
    totals,
    issue_date,
    status,
    authenticity,
  }),
  before: 'received_documents.get',
}

export const acceptsReceived: Irreversible<ReceivedDocument> = {
  ...shared,
  says: (received) =>
    `Se va a aceptar ante el SII ${named(received)}. Después ya no se puede reclamar.${doubted(received)}`,
}

export const rejectsReceived: Irreversible<ReceivedDocument> = {
  ...shared,
  says: (received, { code }) =>
    `Se va a reclamar ante el SII ${named(received)}, con el código ${String(code)}. Un reclamo no se puede retirar.${doubted(received)}`,
}

export const acknowledgesReceipt: Irreversible<ReceivedDocument> = {
  ...shared,
  says: (received) =>
    `Se va a registrar ante el SII que se recibieron los bienes o servicios de ${named(received)}. ` +
    `Después ya no se puede reclamar.${doubted(received)}`,
}

const settled = {
  shows: ({ file_name, sender, emisor_rut, reason, message, received_at }: QuarantinedFile) => ({
    file_name,
    sender,
    emisor_rut,
    reason,
    message,
    received_at,
  }),
  before: 'received_documents.quarantine.get',
}

const aside = ({ file_name, sender, message }: QuarantinedFile) =>
  `el archivo ${quoted(file_name)}${sender ? ` que mandó ${quoted(sender)}` : ''}, apartado por esto: ${quoted(message)}`

export const releasesQuarantined: Irreversible<QuarantinedFile> = {
  ...settled,
  says: (file) =>
    `Se va a liberar de la cuarentena ${aside(file)}. Sus documentos quedan entre los recibidos, marcados como no comprobados.`,
}

export const discardsQuarantined: Irreversible<QuarantinedFile> = {
  ...settled,
  says: (file) => `Se va a descartar ${aside(file)}. Su contenido se borra y no se puede recuperar.`,
}
