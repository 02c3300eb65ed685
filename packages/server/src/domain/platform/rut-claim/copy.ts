import { printedRut } from '@timbre/dte/values'
import type { Draft } from '../mail/compose.ts'

// The letters of a takeover, in Chilean Spanish. Neither tells the one account of the other.

interface Told {
  readonly rut: string
  readonly legal_name: string
}

const factsOf = ({ rut, legal_name }: Told): [string, string][] => [
  ['Empresa', legal_name],
  ['RUT', printedRut(rut)],
]

/** To the account that asked for the RUT. */
export function rutTakenOverLetter(email: string, told: Told): Draft {
  return {
    to: email,
    subject: `El RUT ${printedRut(told.rut)} ya está en tu cuenta`,
    greeting: 'Hola:',
    paragraphs: [
      'Quien tiene el certificado digital de este RUT lo probó en nuestra página. Creamos la empresa en tu cuenta con los datos ' +
        'que habías enviado, y su certificado quedó en custodia.',
      'Nada de lo que otra cuenta hubiera preparado con este RUT pasó a la tuya.',
    ],
    facts: factsOf(told),
    notes: ['Si no sabes de qué se trata, responde este correo cuanto antes.'],
  }
}

/** To the account that held it. */
export function rutLostLetter(email: string, told: Told): Draft {
  return {
    to: email,
    subject: `Archivamos la empresa de RUT ${printedRut(told.rut)}: su titular lo probó`,
    greeting: 'Hola:',
    paragraphs: [
      'Creaste esta empresa en modo real y nada había mostrado que el RUT fuera de quien la administra. Hoy alguien lo probó con ' +
        'un certificado digital vigente, emitido por una entidad acreditada, y el RUT pasó a su cuenta.',
      'En la tuya quedó archivada: no emite ni se cobra, y lo que guardabas en custodia se borró. Su historia sigue contigo.',
    ],
    facts: factsOf(told),
    notes: ['Si crees que es un error, responde este correo.'],
  }
}
