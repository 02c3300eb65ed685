import { longDate, pesos, printedRut, tipo } from '@timbre/dte/values'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import type { Draft } from '../../platform/mail/compose.ts'
import { marked } from '../../watermark.ts'
import type { DocumentRow } from '../document/show.ts'

const TEST_NOTE = 'Es un documento de prueba: no tiene efecto ante el SII y no sirve para pagar, cobrar ni declarar.'

const IN_TWO =
  'te envía este documento en dos archivos: el PDF, para leer o imprimir, y el XML, para tu sistema de contabilidad.'
const IN_THREE =
  'te envía este documento en tres archivos: el PDF, para leer o imprimir; el XML del documento, para guardarlo; y el ' +
  'EnvioDTE, que es el que tu sistema de contabilidad recibe.'

export interface DocumentLetter {
  readonly to: string
  readonly message: string | null
  readonly enveloped: boolean
  /** Of a document without tax effect. */
  readonly watermark: string | null
}

/** What a receptor reads. It speaks for the empresa, and says so. */
export function documentLetter(
  empresa: Pick<EmpresaRow, 'contact_email'>,
  { draft, tipo_dte, folio, issue_date, total }: DocumentRow,
  { to, message, enveloped, watermark }: DocumentLetter,
): Draft {
  const { legal_name, rut } = draft.emisor
  const title = `${tipo(tipo_dte).name} N° ${folio}`
  const questions =
    empresa.contact_email === null
      ? `Este correo se envía solo y nadie lo lee. Si algo no calza, ${legal_name} puede ayudarte.`
      : `Si algo no calza, responde: ${legal_name} recibe las respuestas a este correo.`
  return {
    to,
    subject: marked(`${title} de ${legal_name}`, watermark),
    greeting: title,
    paragraphs: [
      ...(message === null ? [] : [message]),
      enveloped ? `${legal_name} ${IN_THREE}` : `${legal_name} ${IN_TWO}`,
    ],
    facts: [
      ['De', legal_name],
      ['RUT', printedRut(rut)],
      ['Fecha', longDate(issue_date)],
      ['Total', pesos(total)],
    ],
    notes: [...(watermark === null ? [] : [`${watermark}. ${TEST_NOTE}`]), questions],
    voice: {
      name: legal_name,
      signature: legal_name,
      why: `${legal_name} emite sus documentos con Timbre y pidió enviarte este.`,
    },
  }
}
