import { printedRut } from '@timbre/dte/values'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import type { Draft } from '../../platform/mail/compose.ts'
import type { AnswerKind } from './answer-store.ts'
import type { ReceptionRow } from './show.ts'

const SUBJECTS: Readonly<Record<AnswerKind, string>> = {
  recepcion_envio: 'Recibimos tu envío de documentos electrónicos',
  resultado_dte: 'Respuesta comercial a tu documento electrónico',
  envio_recibos: 'Acuse de recibo de mercaderías o servicios',
}
const BODIES: Readonly<Record<AnswerKind, string>> = {
  recepcion_envio: 'Recibimos tu envío. El archivo adjunto dice qué documentos traía y cómo quedó cada uno.',
  resultado_dte: 'Va adjunta nuestra respuesta comercial, en el formato de intercambio del SII.',
  envio_recibos: 'Va adjunto el recibo de las mercaderías o servicios, según la Ley 19.983.',
}

/** A program reads the attachment first; the words are for the person who opens the mailbox. */
export function answerLetter(
  { legal_name, rut }: EmpresaRow,
  { to, kind, reception }: { to: string; kind: AnswerKind; reception: Pick<ReceptionRow, 'received_at' | 'number'> },
): Draft {
  return {
    to,
    subject: `${SUBJECTS[kind]} (${legal_name})`,
    greeting: 'Hola:',
    paragraphs: [BODIES[kind], `Es por tu envío N° ${reception.number} a ${legal_name}, RUT ${printedRut(rut)}.`],
    notes: [
      'Este mensaje se genera solo. Si algo no calza, responde a este correo con el documento corregido adjunto.',
    ],
    voice: {
      name: legal_name,
      signature: legal_name,
      why: `${legal_name} recibe sus documentos tributarios electrónicos con Timbre.`,
    },
  }
}
