import { printedRut } from '@timbre/dte/values'
import type { Draft } from '../mail/compose.ts'
import { askedBy, plainName } from '../mail/plain-name.ts'
import { dayAndHour } from '../subscription/copy.ts'
import type { PendingAction } from './schema.ts'

export interface Asked {
  readonly to: string
  /** Whether it goes to the account itself, and not to the contact of the empresa. */
  readonly to_account: boolean
  /** The account that asks for it. */
  readonly account: { readonly name: string | null; readonly email: string }
  readonly empresa: { readonly rut: string; readonly legal_name: string }
  readonly action: PendingAction
  readonly link: { readonly url: string; readonly expires_at: Date }
}

const WHY_CONTACT =
  'Te escribimos porque este correo figura como contacto de la empresa en Timbre, facturación electrónica para Chile.'

const KNOW_THEM =
  'Abajo está la cuenta de Timbre que lo pide, con su correo. Sigue solo si la conoces: con lo que entregues podrá hacer trámites por ' +
  'la empresa.'

/**
 * To the person whom a step waits for: what, where, what to bring, who asks, and the page. What others typed is a fact in its row
 * and nowhere else, and no fact where it reads like anything but a name.
 */
export function stepWaitsLetter({ to, to_account, account, empresa, action, link }: Asked): Draft {
  const name = plainName(empresa.legal_name)
  return {
    to,
    subject: `${action.title}: falta este paso en Timbre`,
    greeting: 'Hola:',
    paragraphs: [
      'La puesta en marcha de la empresa avanzó hasta un paso que depende de ti.',
      action.what,
      ...(to_account ? [] : [KNOW_THEM]),
    ],
    facts: [
      ...(name === null ? [] : [['Empresa', name] as const]),
      ['RUT', printedRut(empresa.rut)],
      ...(to_account ? [] : [['Lo pide', askedBy(account)] as const]),
      ['Dónde', action.where],
      ['Ten a mano', action.bring.join('; ')],
    ],
    button: { label: action.title, url: link.url },
    notes: [
      `El enlace funciona hasta el ${dayAndHour(link.expires_at)} y sirve una sola vez. No lo reenvíes: quien lo abre puede actuar por la empresa.`,
      'Si ya lo hiciste, o si no conoces a la empresa o a quien lo pide, no tienes que hacer nada.',
    ],
    ...(!to_account && { voice: { name: 'Timbre', signature: 'El equipo de Timbre', why: WHY_CONTACT } }),
  }
}
