import { longDate, pesos, printedRut, tipo } from '@timbre/dte/values'
import type { Draft } from '../../platform/mail/compose.ts'
import { marked } from '../../watermark.ts'
import type { DocumentRow } from '../document/show.ts'

const IN_FORCE = [
  'El SII ya la aceptó. Desde que la recibió tienes ocho días para aceptarla o reclamarla en su registro (Ley 19.983). Si no haces nada, se entiende aceptada.',
]
/** It went to certification or to a simulator, where nothing is owed and nothing can be claimed. */
const WITHOUT_EFFECT = [
  'Es un documento de prueba, sin valor tributario: no está en el registro del SII y no tienes que aceptarlo ni reclamarlo. Si no esperabas una prueba, puedes ignorar este correo.',
]

/** A program reads the attachment first; the words are for the person who opens the mailbox. */
export function exchangeLetter(row: DocumentRow, to: string, watermark: string | null): Draft {
  const { draft, tipo_dte, folio, issue_date, total } = row
  const { legal_name, rut } = draft.emisor
  const title = `${tipo(tipo_dte).name} N° ${folio}`
  return {
    to,
    subject: marked(`Envío de DTE: ${title} de ${legal_name}, RUT ${printedRut(rut)}`, watermark),
    greeting: 'Hola:',
    paragraphs: [
      `${legal_name} te envía esta ${title} a tu casilla de intercambio, en el formato del SII (EnvioDTE).`,
      ...(watermark === null ? IN_FORCE : WITHOUT_EFFECT),
    ],
    facts: [
      ['De', legal_name],
      ['RUT', printedRut(rut)],
      ['Fecha', longDate(issue_date)],
      ['Total', pesos(total)],
    ],
    notes: [
      'Este mensaje se genera solo. Puedes responder a este correo con tu acuse de recibo o tu respuesta comercial en XML.',
    ],
    voice: {
      name: legal_name,
      signature: legal_name,
      why: `${legal_name} emite sus documentos con Timbre, que los envía a la casilla que registraste en el SII.`,
    },
  }
}
