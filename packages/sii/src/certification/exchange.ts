import { drift } from '../failure.ts'
import { writeMultipart } from '../multipart.ts'
import { acting, looking } from '../portal/effects.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { companyQuery, inApp } from './app.ts'
import type { CertificationQuestion } from './door.ts'
import { refusalOf } from './refusals.ts'
import { readDone, requireStandIn } from './stand-in.ts'

const FOLDER = '/pfeInternet/'
const MAX_BYTES = 4 * 1024 * 1024

/** The envelope of two documents that the SII sends for the step of intercambio, byte for byte. */
export function exchangeEnvelope(wire: Wire, sessions: Sessions, question: CertificationQuestion): Promise<Uint8Array> {
  const request = {
    operation: 'pfe.downloadFile',
    path: `downloadFile?${companyQuery(question)}`,
    max_bytes: MAX_BYTES,
  }
  return inApp(wire, sessions, question, FOLDER, (app) =>
    looking(() =>
      app.ask(request, ({ kind, bytes, page }) => {
        const is_envelope = kind === 'xml' && bytes.toString('latin1').includes('<EnvioDTE')
        if (!is_envelope) throw refusalOf(page) ?? drift('EnvioDTE of pfeInternet')
        return { value: new Uint8Array(bytes) }
      }),
    ),
  )
}

export interface ExchangeAnswers extends CertificationQuestion {
  /** RespuestaDTE with RecepcionEnvio. */
  readonly reception: Uint8Array
  /** EnvioRecibos. */
  readonly receipts: Uint8Array
  /** RespuestaDTE with ResultadoDTE. */
  readonly results: Uint8Array
}

/**
 * Uploads the three signed answers and confirms them. That the application takes `uploadFile1` to `uploadFile3` and then a
 * confirmation is all that is known of it, so only a simulator is asked.
 */
export async function answerExchange(
  wire: Wire,
  sessions: Sessions,
  order: ExchangeAnswers,
): Promise<{ readonly sentence: string }> {
  requireStandIn(wire, 'pfe.uploadFile', 'certification_exchange')
  return inApp(wire, sessions, order, FOLDER, async (app) => {
    const files = [order.reception, order.receipts, order.results]
    const query = companyQuery(order)
    for (const [index, bytes] of files.entries()) {
      const name = `uploadFile${index + 1}`
      const multipart = writeMultipart([], { field: 'archivo', name: `respuesta${index + 1}.xml`, bytes })
      await looking(() => app.ask({ operation: `pfe.${name}`, path: `${name}?${query}`, multipart }, readDone))
    }
    return acting(() => app.ask({ operation: 'pfe.confirm', path: `confirm?${query}`, form: [] }, readDone))
  })
}
