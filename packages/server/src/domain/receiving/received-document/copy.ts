import { printedRut } from '@timbre/dte/values'
import type { AuthenticityReason } from '../../../catalog/authenticity.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import type { Draft } from '../../platform/mail/compose.ts'
import type { AnswerKind } from './answer-store.ts'
import type { Authenticity } from './schema.ts'
import type { ReceptionRow } from './show.ts'

const DOUBTS: Readonly<Record<AuthenticityReason, string>> = {
  certificate_self_signed: 'nadie responde por el certificado con que se firmó',
  issuer_unknown: 'no conocemos a quien emitió el certificado con que se firmó',
  issuer_unproven: 'no pudimos comprobar quién emitió el certificado con que se firmó',
  signing_time_unproven: 'no se sabe bien cuándo se firmó',
  certificate_expired_since: 'el certificado con que se firmó ya había vencido cuando llegó',
  signer_not_emisor: 'lo firmó una persona distinta del emisor',
  signer_unnamed: 'el certificado con que se firmó no trae RUT',
  timbre_text_mismatch: 'el timbre nombra otro receptor u otro primer ítem',
  totals_mismatch: 'los totales no calzan con el detalle',
  line_amount_mismatch: 'hay una línea cuyo monto no es cantidad por precio',
  totals_unchecked: 'no pudimos comparar los totales con el detalle',
  other_content_set_aside: 'después llegó otro documento distinto con el mismo folio',
  signature_false: 'la firma o el timbre no son verdaderos',
  certificate_not_valid: 'el certificado no estaba vigente cuando se firmó',
  timbre_of_another: 'el timbre es de otro documento',
  released_from_quarantine: 'estaba en cuarentena y alguien de la empresa lo liberó',
  not_checked: 'llegó antes de que hiciéramos esta revisión',
}

/** What a person reads about a document that is not proven; null for one that is. */
export function doubtsIn({ status, reasons }: Authenticity): string | null {
  if (status === 'verified') return null
  return `No está comprobado que este documento sea de su emisor: ${reasons.map((reason) => DOUBTS[reason]).join('; ')}.`
}

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
