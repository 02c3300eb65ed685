import type { Draft } from '../mail/compose.ts'
import type { EndpointRow } from './show.ts'

const WHY: Readonly<Record<'failing' | 'gone', string>> = {
  failing: 'Llevamos cinco días intentando entregarle eventos y ninguno de los intentos resultó.',
  gone: 'Tu servidor respondió 410 (Gone), que es la forma de pedirnos que no le escribamos más.',
}
const MODE: Readonly<Record<EndpointRow['mode'], string>> = { test: 'modo de prueba', live: 'producción' }

export interface GivenUp {
  readonly email: string
  readonly endpoint: Pick<EndpointRow, 'id' | 'mode'>
  /** Null until the address of the account is confirmed: the reader may be someone else, and an address can advertise. */
  readonly url: string | null
  readonly reason: 'failing' | 'gone'
}

export function givenUpLetter({ email, endpoint, url, reason }: GivenUp): Draft {
  const which = url === null ? endpoint.id : `${url} (${endpoint.id})`
  return {
    to: email,
    subject: 'Dejamos de enviar webhooks a uno de tus servidores',
    greeting: 'Hola:',
    paragraphs: [
      `Desactivamos el endpoint de webhooks ${which}, de ${MODE[endpoint.mode]}. ${WHY[reason]}`,
      'Tus documentos siguen su curso y ningún evento se pierde: quedan guardados por 12 meses y puedes leerlos con ' +
        'GET /v1/events.',
      'Cuando tu servidor vuelva a responder, actívalo con PATCH /v1/webhook_endpoints/' +
        `${endpoint.id} y {"status": "enabled"}. Desde ahí recibirás los eventos nuevos; para los que quedaron en el ` +
        'camino, puedes reintentar cada entrega.',
    ],
    notes: ['Si ya no usas este endpoint, puedes borrarlo y no te escribiremos más por él.'],
  }
}
