import { SiiFailure } from '@timbre/sii'
import { SiiUnreachable } from '../../ports/sii.ts'
import { waitOf } from '../../ports/sii-weather.ts'

/**
 * What the domain hears of a question that got no answer of use: that the SII was not there. A refusal is an answer, and
 * whoever asked decides what it means before it comes here. An answer that we do not understand is the same to the
 * caller as none; the trace tells the operator which field was missing.
 */
export function asUnreachable(error: unknown): never {
  if (!(error instanceof SiiFailure)) throw error
  const is_away = error.kind === 'unreachable' || error.kind === 'not_understood'
  const sentence = error.glosa || null
  throw new SiiUnreachable(error.message, { sentence, waits_for: is_away ? waitOf(error) : null })
}

/** Runs a question of which no refusal means anything. */
export async function reaching<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    return asUnreachable(error)
  }
}

export function isRefusal(error: unknown): error is SiiFailure {
  return error instanceof SiiFailure && error.kind === 'refused' && error.retry === 'never' && !error.token_refused
}
