import { AnswerFault, drift, refusedToken, unavailable } from '../failure.ts'
import { LOGIN_ADDRESS } from '../weather.ts'
import type { Read, SiiAnswer } from '../wire.ts'
import { loneAlert } from './alerts.ts'
import { fold } from './fold.ts'
import { type Page, readPage } from './page.ts'

/** An answer of the portal with its page read. */
export interface PageAnswer extends SiiAnswer {
  readonly page: Page
}

/** Programs and pages of the login, as a page names them that leads there; good pages name its host as well. */
const LOGIN_PAGE = /cgi_AUT2000|autInicioDTE|InicioAutenticacion|IngresoRutClave|IngresoCertificado/i

/**
 * Reads an answer of the portal in the order that its habits ask for. What we look for comes first, because good pages
 * carry links to the login and template alerts too. Only when it is missing: is the session lost, is the SII down, or
 * has the page changed (drift)?
 */
export function judge<T>(answer: SiiAnswer, read: (answer: PageAnswer) => Read<T>): Read<T> {
  const page = readPage(answer.kind === 'html' || answer.kind === 'text' ? answer.text : '')
  requireNotThrottled(answer, page)
  try {
    return read({ ...answer, page })
  } catch (thrown) {
    if (!(thrown instanceof AnswerFault) || thrown.facts.kind !== 'not_understood') throw thrown
    if (leadsToLogin(answer)) throw refusedToken('session_lost', glosaOf(page))
    if (answer.status >= 500 || /^error\s*5\d\d/.test(page.folded)) {
      throw unavailable(String(answer.status), glosaOf(page))
    }
    throw thrown
  }
}

/** www1 and www4 put a captcha in front of whoever asks too fast, and 429 exists as well (PROTOCOLS 9, 13). */
function requireNotThrottled(answer: SiiAnswer, page: Page): void {
  const captcha = answer.status === 403 || fold(answer.text.slice(0, 20_000)).includes('acceso restringido')
  if (answer.status === 429 || captcha) throw unavailable(captcha ? '403 captcha' : '429', page.title, 'minutes')
}

/** An answer that leads to the login says that the session is lost. */
export function leadsToLogin(answer: SiiAnswer): boolean {
  const location = locationOf(answer)
  return location === null ? LOGIN_PAGE.test(answer.text.slice(0, 100_000)) : LOGIN_ADDRESS.test(location)
}

/** Where a redirect leads; null where the answer is none. */
export function locationOf(answer: SiiAnswer): string | null {
  if (answer.status < 300 || answer.status > 399) return null
  const { location } = answer.headers
  return typeof location === 'string' ? location : (location?.[0] ?? '')
}

/** The words of a page for a person: its only alert, or how its text begins. */
export function glosaOf(page: Page): string | null {
  const words = loneAlert(page.alerts) ?? (page.text === '' ? page.title : page.text)
  return words === '' ? null : words.slice(0, 300)
}

/** A page that should have had a form and has none: the reason in its alert is a refusal, silence is drift. */
export function missing(page: Page, what: string): AnswerFault {
  const alert = loneAlert(page.alerts)
  return alert === null
    ? drift(what)
    : new AnswerFault({ kind: 'refused', retry: 'never', estado: null, glosa: alert, sent: false })
}
