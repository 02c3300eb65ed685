import { writeMultipart } from '../multipart.ts'
import { acting, looking } from '../portal/effects.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { companyQuery, inApp } from './app.ts'
import type { CertificationQuestion } from './door.ts'
import { refusal } from './refusals.ts'
import { type ReviewState, readDone, readReview, requireStandIn } from './stand-in.ts'

const FOLDER = '/pdfdteInternet/'

export interface SamplesOrder extends CertificationQuestion {
  /** One PDF for each document, with its cedible copy where it has one, of at most 500 KB. */
  readonly samples: readonly { readonly file_name: string; readonly pdf: Uint8Array }[]
  /** Asked when all are there and before they count: uploading takes a while, and a person may have thought better of it. */
  readonly still_wanted?: () => Promise<boolean>
}

/** Hands in the printed samples. The SII takes them in a browser application: only a simulator is asked. */
export async function submitSamples(
  wire: Wire,
  sessions: Sessions,
  order: SamplesOrder,
): Promise<{ readonly sentence: string }> {
  requireStandIn(wire, 'pdfdte.upload', 'certification_samples')
  const query = companyQuery(order)
  return inApp(wire, sessions, order, FOLDER, async (app) => {
    for (const { file_name: name, pdf: bytes } of order.samples) {
      const multipart = writeMultipart([], { field: 'archivo', name, bytes, type: 'application/pdf' })
      await looking(() => app.ask({ operation: 'pdfdte.upload', path: `upload?${query}`, multipart }, readDone))
    }
    if (order.still_wanted && !(await order.still_wanted())) throw refusal('other', 'Nobody wants them any more.')
    return acting(() => app.ask({ operation: 'pdfdte.confirm', path: `confirm?${query}`, form: [] }, readDone))
  })
}

/** What became of them. */
export async function samplesReview(
  wire: Wire,
  sessions: Sessions,
  question: CertificationQuestion,
): Promise<ReviewState> {
  requireStandIn(wire, 'pdfdte.status', 'certification_samples')
  const request = { operation: 'pdfdte.status', path: `status?${companyQuery(question)}` }
  return inApp(wire, sessions, question, FOLDER, (app) => looking(() => app.ask(request, readReview)))
}
