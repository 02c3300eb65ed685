import { longDate, printedRut, santiagoDate } from '@timbre/dte/values'
import type { Draft } from '../mail/compose.ts'
import type { EmpresaRow } from './row.ts'

// Letters about an empresa to the account that created it, in Chilean Spanish.

type Told = Pick<EmpresaRow, 'rut' | 'legal_name'>

const factsOf = ({ rut, legal_name }: Told): [string, string][] => [
  ['Empresa', legal_name],
  ['RUT', printedRut(rut)],
]

const HOW_TO_PROVE =
  'Basta con una de estas cosas: subir el certificado digital del propio RUT o de quien firmó su mandato en nuestra página, que ' +
  'el SII confirme su resolución, o que empiece a emitir.'

export function unprovenWarningLetter(email: string, row: Told, end: Date): Draft {
  const day = longDate(santiagoDate(end))
  return {
    to: email,
    subject: `Falta probar el RUT ${printedRut(row.rut)}: lo archivamos el ${day}`,
    greeting: 'Hola:',
    paragraphs: [
      'Creaste esta empresa en modo real, y hasta ahora nada nos muestra que su RUT sea de quien la administra. Mientras ' +
        'esté contigo, nadie más puede usarlo, tampoco su dueño.',
      `Si el ${day} sigue así, la archivamos y el RUT queda libre. ${HOW_TO_PROVE}`,
    ],
    facts: factsOf(row),
    notes: ['Si ya no la necesitas, no tienes que hacer nada.'],
  }
}

export function rutNotProvenLetter(email: string, row: Told): Draft {
  return {
    to: email,
    subject: `Archivamos la empresa de RUT ${printedRut(row.rut)}`,
    greeting: 'Hola:',
    paragraphs: [
      'Pasaron catorce días y nada mostró que este RUT sea de quien administra la empresa, así que la archivamos: no emite ' +
        'ni se cobra, y lo que guardabas en custodia se borró. Su historia queda en tu cuenta.',
      'El RUT quedó libre. Si es tuyo, puedes crear la empresa otra vez.',
    ],
    facts: factsOf(row),
    notes: [],
  }
}
