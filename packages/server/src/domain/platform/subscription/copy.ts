import { longDate, santiagoTimestamp } from '@timbre/dte/values'
import type { Draft } from '../mail/compose.ts'

/** `16 de noviembre de 2026 a las 18:32`, in Santiago. */
export function dayAndHour(at: Date): string {
  const [date = '', time = ''] = santiagoTimestamp(at).split('T')
  return `${longDate(date)} a las ${time.slice(0, 5)}`
}

interface Wanted {
  readonly account_id: string
  readonly account_email: string
  readonly empresa: { readonly id: string; readonly rut: string; readonly legal_name: string }
  readonly at: Date
}

/** To the operator: somebody wants to pay. */
export function subscriptionWantedLetter(to: string, { account_id, account_email, empresa, at }: Wanted): Draft {
  return {
    to,
    subject: `Piden la suscripción de ${empresa.rut}`,
    greeting: 'Hola:',
    paragraphs: [
      'Alguien pidió activar la suscripción de una empresa, desde su página de suscripción. Responde este correo para ' +
        'acordar el pago, y regístralo cuando llegue: hasta entonces la empresa no puede emitir.',
    ],
    facts: [
      ['Empresa', empresa.legal_name],
      ['RUT', empresa.rut],
      ['Id de la empresa', empresa.id],
      ['Cuenta', account_id],
      ['Correo de la cuenta', account_email],
      ['Pedido el', dayAndHour(at)],
    ],
    notes: ['No te escribiremos otra vez por esta empresa antes de un día.'],
    voice: {
      name: 'Timbre',
      signature: 'Timbre',
      why: 'Este correo es el de contacto de quien opera el servicio (OPERATOR_EMAIL).',
    },
  }
}
