import { AnswerFault, SiiFailure } from '../failure.ts'
import type { SiiService } from '../hosts.ts'
import { loneAlert } from '../portal/alerts.ts'
import { fold } from '../portal/fold.ts'
import type { Page } from '../portal/page.ts'

/** Why the SII did not do a step of the certification. It has no codes for it, only sentences (OPERATIONS 1). */
export type CertificationReason =
  /** A book is reviewed only after the set whose documents it holds. */
  | 'basic_set_not_approved'
  /** By the SII's calendar, which is that of Santiago. */
  | 'wrong_date'
  /** Two months have passed since it was handed out. */
  | 'set_expired'
  | 'not_postulated'
  /** Something of the step is not approved yet. */
  | 'step_not_finished'
  /** The taxpayer has gone on from the step in which this is done. */
  | 'step_passed'
  /** Only the representante legal may declare it. */
  | 'representative_needed'
  | 'no_activity_verification'
  | 'company_not_authorised'
  | 'user_not_authorised'
  /** State 106: the person has no permission for this act in the company. */
  | 'no_permission'
  /** The SII offers it in a browser application alone, whose calls nobody has published: a person does it. */
  | 'no_wire'
  /** The SII gave a reason that nobody has classified: its own sentence is in `glosa`. */
  | 'other'

/** Those of the first block are in OPERATIONS 1 and PROTOCOLS 10, 17; the words of the second one are not verified. */
const SENTENCES: readonly (readonly [CertificationReason, RegExp])[] = [
  ['basic_set_not_approved', /no tiene un set basico aprobado/],
  ['wrong_date', /fecha no corresponde/],
  ['no_activity_verification', /no (registra|posee|tiene) verificacion de actividades/],
  ['company_not_authorised', /empresa no (esta|se encuentra) autorizada/],
  ['user_not_authorised', /no esta autorizado (para|a) ingresar a esta opcion/],
  [
    'no_permission',
    /\b(estado|codigo|error)\s*(n[°ºo.]+\s*)?[:=]?\s*\(?106\b|no (tiene|posee|cuenta con) (los )?permisos?/,
  ],

  ['set_expired', /\bset\b[^.]{0,60}(expirad|expiro|vencid|vencio|caducad|caduco)/],
  ['not_postulated', /no (ha|esta|se encuentra|registra)[^.]{0,40}(postula|en proceso de certificacion)/],
  ['representative_needed', /solo (el|un) representante legal/],
  [
    'step_not_finished',
    /\bno ha finalizado|\bno (ha|han|puede|es posible|se encuentra)[^.]{0,60}(paso|etapa|conforme)|no tiene un set [^.]{0,40}aprobado/,
  ],
]

/** The refusal that a page tells, with the sentence of the SII; null where it tells none. */
export function refusalOf(page: Page): AnswerFault | null {
  const alert = loneAlert(page.alerts)
  const texts = [...(alert === null ? [] : [alert]), ...page.pieces]
  for (const [reason, pattern] of SENTENCES) {
    const sentence = texts.find((text) => pattern.test(fold(text)))
    if (sentence !== undefined) return refusal(reason, sentence)
  }
  return alert === null ? null : refusal('other', alert)
}

/** Our name for a sentence of the SII. */
export function reasonOf(sentence: string): CertificationReason {
  const folded = fold(sentence)
  return SENTENCES.find(([, pattern]) => pattern.test(folded))?.[0] ?? 'other'
}

export function refusal(reason: CertificationReason, sentence: string): AnswerFault {
  const retry = reason === 'basic_set_not_approved' || reason === 'step_not_finished' ? 'later' : 'never'
  return new AnswerFault({ kind: 'refused', retry, reason, estado: null, glosa: sentence.slice(0, 500), sent: false })
}

/** Nothing was asked. */
export function noWire(service: SiiService, operation: string, why: string): SiiFailure {
  return new SiiFailure(
    { service, operation, ambiente: 'certificacion' },
    { kind: 'refused', retry: 'never', reason: 'no_wire' satisfies CertificationReason, glosa: why, sent: false },
  )
}
