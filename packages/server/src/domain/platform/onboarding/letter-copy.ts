import { printedRut } from '@timbre/dte/values'
import type { Draft } from '../mail/compose.ts'
import { dayAndHour } from '../subscription/copy.ts'
import type { PendingAction } from './schema.ts'

export interface Asked {
  readonly to: string
  /** Whether it goes to the account itself, and not to the contact of the empresa. */
  readonly to_account: boolean
  readonly empresa: { readonly rut: string; readonly legal_name: string }
  readonly action: PendingAction
  readonly link: { readonly url: string; readonly expires_at: Date }
}

const WHY_CONTACT =
  'Te escribimos porque este correo figura como contacto de la empresa en Timbre, facturación electrónica para Chile.'

/** To the person whom a step waits for: what, where, what to bring, and the page. */
export function stepWaitsLetter({ to, to_account, empresa, action, link }: Asked): Draft {
  return {
    to,
    subject: `${action.title}: falta este paso en Timbre`,
    greeting: 'Hola:',
    paragraphs: ['La puesta en marcha de la empresa avanzó hasta un paso que depende de ti.', action.what],
    facts: [
      ['Empresa', empresa.legal_name],
      ['RUT', printedRut(empresa.rut)],
      ['Dónde', action.where],
      ['Ten a mano', action.bring.join('; ')],
    ],
    button: { label: action.title, url: link.url },
    notes: [
      `El enlace funciona hasta el ${dayAndHour(link.expires_at)} y sirve una sola vez. No lo reenvíes: quien lo abre puede actuar por la empresa.`,
      'Si ya lo hiciste, o si no conoces a esta empresa, no tienes que hacer nada.',
    ],
    ...(!to_account && { voice: { name: 'Timbre', signature: 'El equipo de Timbre', why: WHY_CONTACT } }),
  }
}
