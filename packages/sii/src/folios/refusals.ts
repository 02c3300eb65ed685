import { AnswerFault, drift } from '../failure.ts'
import { loneAlert } from '../portal/alerts.ts'
import { fold } from '../portal/fold.ts'
import type { Page } from '../portal/page.ts'

/** Why the SII gives, returns or annuls no folios. It has no codes for it, only sentences (PROTOCOLS 10). */
export type FolioReason =
  /** Too many stamped and unused, or something pending with the SII. */
  | 'not_authorised'
  | 'no_activity_verification'
  | 'company_not_authorised'
  | 'user_not_authorised'
  /** State 106: the person has no permission for this act in the company. */
  | 'no_permission'
  | 'visit_required'
  | 'max_exceeded'
  /** The list of documents that the company may stamp lacks the tipo. */
  | 'tipo_not_enabled'
  /** The range was granted before, and its file was never fetched: it can be obtained again. */
  | 'already_authorised'
  | 'range_not_offered'
  | 'range_annulled'
  /** The SII has received a document with one of the folios. */
  | 'folio_received'
  /** The SII gave a reason that nobody has classified: its own sentence is in `glosa`. */
  | 'other'

/** The first that matches wins: a page that asks for a visit also says that it authorises nothing. */
const SENTENCES: readonly (readonly [FolioReason, RegExp])[] = [
  ['visit_required', /(debe(ra)?|tiene que) presentarse en (la|su|una) (oficina|unidad)/],
  ['no_activity_verification', /no (registra|posee|tiene) verificacion de actividades/],
  ['company_not_authorised', /empresa no (esta|se encuentra) autorizada/],
  ['user_not_authorised', /no esta autorizado (para|a) ingresar a esta opcion/],
  [
    'no_permission',
    /\b(estado|codigo|error)\s*(n[°ºo.]+\s*)?[:=]?\s*\(?106\b|no (tiene|posee|cuenta con) (los )?permisos?/,
  ],
  ['already_authorised', /ya fue autorizado( el rango)?/],
  ['max_exceeded', /(menor o igual al|excede (al|el)|supera (al|el)|mayor (que el|al)) maximo/],
  ['folio_received', /(fue|fueron|ha sido|han sido|ya) (ya )?recepcionad|folios? recepcionad/],
  ['range_annulled', /(ha sido|fue|se encuentra) anulad|anulado (completamente|anteriormente)/],
  ['not_authorised', /no (se )?autoriza (el )?timbraje|no se autoriza/],
]

/** The refusal that a page tells, with the sentence of the SII; null where it tells none that is known. */
export function refusalOf(page: Page): AnswerFault | null {
  const alert = loneAlert(page.alerts)
  const texts = [...(alert === null ? [] : [alert]), ...page.pieces]
  for (const [reason, pattern] of SENTENCES) {
    const sentence = texts.find((text) => pattern.test(fold(text)))
    if (sentence !== undefined) return refusal(reason, sentence)
    const across = pattern.exec(page.folded)
    if (across !== null) return refusal(reason, page.text.slice(across.index, across.index + 300))
  }
  return alert === null ? null : refusal('other', alert)
}

/** A page that lacks what we look for: it refuses in words, or it is not the page we know. Never "not authorised" by silence. */
export function noForm(page: Page, what: string): AnswerFault {
  return refusalOf(page) ?? drift(what)
}

export function refusal(reason: FolioReason, sentence: string): AnswerFault {
  const retry = reason === 'not_authorised' ? 'later' : 'never'
  return new AnswerFault({ kind: 'refused', retry, reason, estado: null, glosa: sentence.slice(0, 500), sent: false })
}

/** No page of a list has the range. */
export function notOffered(last: Page): never {
  throw refusal('range_not_offered', last.text)
}

/** A list that is empty says so in words. */
export function saysNone(page: Page): boolean {
  return /no (se )?(registra|existe|hay|encontr)/.test(page.folded)
}
