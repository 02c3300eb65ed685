import { titleOf } from './body.ts'
import { AnswerFault, drift, refusedToken, unavailable } from './failure.ts'
import type { SiiAnswer } from './wire.ts'

/** Where the SII sends whoever has no session. */
export const LOGIN_ADDRESS = /zeusr|AUT2000|IngresoRut|IngresoCertificado/i
/** A CGI that broke says so in plain text, with status 200. */
const BROKEN = /^\s*(?:HTTP\/\d\.\d\s+)?Error\s*(?:code\s*)?5\d\d\b/i

/** A page of whoever has no session: the login, or the upload's `Error 501`. What was asked was not done. */
const isSessionPage = (text: string): boolean => LOGIN_ADDRESS.test(text) || /error\s*501/i.test(titleOf(text) ?? '')

/**
 * What to make of an answer that is not of the form that was asked for: bad weather, a token that is not taken, or
 * drift. An error page may be either of the first two, so a new token is worth one try wherever asking twice does no
 * harm (`repeatable`); elsewhere only a page that says that there is no session is taken for one.
 */
export function unexpected(answer: SiiAnswer, expected: string, repeatable = true): AnswerFault {
  const { status, kind, text } = answer
  const estado = `HTTP ${status}`
  if (status === 401 || (status >= 300 && status < 400 && LOGIN_ADDRESS.test(locationOf(answer)))) {
    return refusedToken(estado, wordsOf(answer))
  }
  if (status === 429) return unavailable(estado, wordsOf(answer), 'minutes')
  if (kind === 'html') {
    return new AnswerFault({
      kind: 'unreachable',
      retry: 'later',
      estado,
      glosa: titleOf(text) ?? 'HTML',
      sent: !isSessionPage(text),
      token_refused: repeatable || isSessionPage(text),
    })
  }
  if (status >= 500 || kind === 'empty' || BROKEN.test(text)) return unavailable(estado, wordsOf(answer))
  return drift(expected, estado)
}

function wordsOf({ kind, text }: SiiAnswer): string | null {
  if (kind === 'html') return titleOf(text)
  return kind === 'text' ? text.replace(/\s+/g, ' ').trim().slice(0, 300) : null
}

function locationOf({ headers }: SiiAnswer): string {
  const { location } = headers
  return typeof location === 'string' ? location : (location?.[0] ?? '')
}
