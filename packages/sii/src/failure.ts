import type { Ambiente, SiiService } from './hosts.ts'

/**
 * Why a question to the SII got no answer of use.
 *
 * - `unreachable`: the SII did not do its part: no connection, no answer in time, an error page in place of an answer,
 *   or an internal error of its own. Nothing is wrong with what was asked.
 * - `refused`: it answered, and the answer is no. `estado` and `glosa` are its own words.
 * - `not_understood`: it answered something that lacks what we rely on: `drift` names it. Somebody must look.
 * - `session_cap`: the RUT has as many portal sessions as the SII allows. Asking again makes it worse.
 */
export type SiiFailureKind = 'unreachable' | 'refused' | 'not_understood' | 'session_cap'

/** When the same question may be asked again: with growing intervals, after minutes, or not without changing it. */
export type SiiRetry = 'later' | 'minutes' | 'never'

/** What a reader finds wrong in an answer; the wire adds where it happened. */
export interface FaultFacts {
  readonly kind: SiiFailureKind
  readonly retry: SiiRetry
  /** ESTADO, STATUS, codResp or the like, as the SII wrote it; for `unreachable` also the code of the network error. */
  readonly estado?: string | null | undefined
  /** The words of the SII, untouched but for secrets. */
  readonly glosa?: string | null | undefined
  /** Our name for a refusal that the SII puts in words only, such as `visit_required`. */
  readonly reason?: string | null | undefined
  /** The field, element or form that was missing. */
  readonly drift?: string | undefined
  readonly sent?: boolean | undefined
  readonly token_refused?: boolean | undefined
}

/** Thrown by the readers of answers, and only by them: it does not know yet which question was asked. */
export class AnswerFault extends Error {
  readonly facts: FaultFacts

  constructor(facts: FaultFacts) {
    super(facts.kind)
    this.facts = facts
  }
}

/** The SII said no. It took nothing, so nothing has to be looked up before asking again. */
export function refused(estado: string, glosa: string | null, retry: SiiRetry = 'never'): AnswerFault {
  return new AnswerFault({ kind: 'refused', retry, estado, glosa, sent: false })
}

/** The SII no longer takes, or never took, the token: a new one may change its mind. */
export function refusedToken(estado: string, glosa: string | null): AnswerFault {
  return new AnswerFault({ kind: 'refused', retry: 'later', estado, glosa, sent: false, token_refused: true })
}

/** The SII answered that it could not answer. What it did before is not known. */
export function unavailable(estado: string | null, glosa: string | null, retry: SiiRetry = 'later'): AnswerFault {
  return new AnswerFault({ kind: 'unreachable', retry, estado, glosa, sent: true })
}

/** The answer lost something that we rely on. */
export function drift(missing: string, estado: string | null = null): AnswerFault {
  return new AnswerFault({ kind: 'not_understood', retry: 'never', drift: missing, estado, sent: true })
}

interface Place {
  readonly service: SiiService
  readonly operation: string
  readonly ambiente: Ambiente
}

export class SiiFailure extends Error {
  readonly kind: SiiFailureKind
  readonly service: SiiService
  readonly operation: string
  readonly ambiente: Ambiente
  readonly retry: SiiRetry
  readonly estado: string | null
  readonly glosa: string | null
  /** Our name for a refusal that the SII puts in words only; null where it has a code of its own. */
  readonly reason: string | null
  /** Only of `not_understood`: what was missing. */
  readonly drift: string | null
  /**
   * The request may have reached the SII and been acted on: look for its effect before doing it again. False where
   * nothing left us, and where the SII said that it took nothing.
   */
  readonly sent: boolean
  /** The SII did not take the token. Once this is seen outside, a new one has been tried as well. */
  readonly token_refused: boolean

  constructor(place: Place, facts: FaultFacts) {
    super(sentence(place, facts))
    this.name = 'SiiFailure'
    this.kind = facts.kind
    this.service = place.service
    this.operation = place.operation
    this.ambiente = place.ambiente
    this.retry = facts.retry
    this.estado = facts.estado ?? null
    this.glosa = facts.glosa ?? null
    this.reason = facts.reason ?? null
    this.drift = facts.kind === 'not_understood' ? (facts.drift ?? 'answer') : null
    this.sent = facts.sent ?? true
    this.token_refused = facts.token_refused ?? false
  }
}

function sentence({ service, operation, ambiente }: Place, { kind, estado, glosa, drift }: FaultFacts): string {
  const words = [estado, drift === undefined ? null : `missing: ${drift}`, glosa].filter(Boolean).join(' ')
  return `SII ${service} ${operation} (${ambiente}): ${kind}${words === '' ? '' : `: ${words}`}`
}
