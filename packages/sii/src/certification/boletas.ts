import { drift } from '../failure.ts'
import { loneAlert } from '../portal/alerts.ts'
import { acting, looking } from '../portal/effects.ts'
import { fold } from '../portal/fold.ts'
import type { PageAnswer } from '../portal/judge.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Read, Wire } from '../wire.ts'
import { companyQuery, inApp } from './app.ts'
import { type Approval, requireApproval } from './approval.ts'
import type { CertificationQuestion } from './door.ts'
import { refusalOf } from './refusals.ts'
import { type ReviewState, readDone, readReview, requireStandIn } from './stand-in.ts'

const FOLDER = '/certBolElectDteInternet/'
const FACT = 'certification_boletas'

/** Boletas are certified apart, in a browser application (OPERATIONS 2): only a simulator is asked. */
export interface BoletaCertification {
  requestSet(
    order: CertificationQuestion & { readonly exempt: boolean; readonly provider_email: string },
  ): Promise<Uint8Array>
  requestReview(order: CertificationQuestion & { readonly track_id: string }): Promise<{ readonly sentence: string }>
  /** `declared` once the representante legal has declared compliance (P91). */
  review(
    question: CertificationQuestion & { readonly exempt: boolean },
  ): Promise<ReviewState & { readonly declared: boolean }>
  declareCompliance(
    order: CertificationQuestion & { readonly approved_by: Approval },
  ): Promise<{ readonly sentence: string }>
}

export function openBoletaCertification(wire: Wire, sessions: Sessions): BoletaCertification {
  return {
    async requestSet(order) {
      requireStandIn(wire, 'certBol.set', FACT)
      const form = [
        ['tipo', tipoOf(order)],
        ['mail', order.provider_email],
      ] as const
      const request = { operation: 'certBol.set', path: `?SET=1&${companyQuery(order)}`, form }
      return inApp(wire, sessions, order, FOLDER, (app) =>
        acting(() =>
          app.ask(request, ({ kind, text, bytes, page }) => {
            if (kind !== 'text' || !/\bCASO\b|NmbItem/i.test(text))
              throw refusalOf(page) ?? drift('text of the set of boletas')
            return { value: new Uint8Array(bytes) }
          }),
        ),
      )
    },
    async requestReview(order) {
      requireStandIn(wire, 'certBol.review', FACT)
      const form = [['trackid', order.track_id]] as const
      const request = { operation: 'certBol.review', path: `?SET=2&${companyQuery(order)}`, form }
      return inApp(wire, sessions, order, FOLDER, (app) => acting(() => app.ask(request, readAsked)))
    },
    async review(question) {
      requireStandIn(wire, 'certBol.status', FACT)
      const request = { operation: 'certBol.status', path: `?SET=2&${companyQuery(question)}&tipo=${tipoOf(question)}` }
      return inApp(wire, sessions, question, FOLDER, (app) =>
        looking(() =>
          app.ask(request, (answer) => ({
            value: { ...readReview(answer).value, declared: /\bP91\b/.test(answer.page.text) },
          })),
        ),
      )
    },
    async declareCompliance(order) {
      requireApproval(order.approved_by)
      requireStandIn(wire, 'certBol.declare', FACT)
      const request = { operation: 'certBol.declare', path: `declare?${companyQuery(order)}`, form: [] }
      return inApp(wire, sessions, order, FOLDER, (app) => acting(() => app.ask(request, readDone)))
    },
  }
}

const tipoOf = ({ exempt }: { readonly exempt: boolean }) => (exempt ? '41' : '39')

/** A set that is under review, or was approved, need not be asked for again. */
function readAsked(answer: PageAnswer): Read<{ readonly sentence: string }> {
  const said = loneAlert(answer.page.alerts)
  const before = said !== null && /\bya esta (en revision|revisado conforme)/.test(fold(said))
  return before ? { value: { sentence: said } } : readDone(answer)
}
