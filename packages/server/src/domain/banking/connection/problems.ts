import { Problem } from '../../../kernel/problem.ts'
import { BankFailure, type BankReason } from '../../../ports/bank.ts'
import type { Failure } from './schema.ts'
import type { ConnectionRow } from './show.ts'

/** The code of a failure, on the connection and on a job that gave up. */
export const FAILURE_CODES: Readonly<Record<BankReason, Failure['code']>> = {
  unreachable: 'bank_unreachable',
  unreadable: 'bank_unreadable',
  refused: 'bank_refused',
  rejected: 'bank_rejected',
  gone: 'bank_link_gone',
  refresh_failed: 'bank_refresh_failed',
}

export const FAILURE_SENTENCES: Readonly<Record<BankReason, string>> = {
  unreachable: 'The provider of bank data did not answer.',
  unreadable: 'The provider of bank data answered with something that cannot be read.',
  refused: 'The provider of bank data refused the question.',
  rejected: 'The bank asks for the person again.',
  gone: 'The provider no longer has the link.',
  refresh_failed: 'The bank could not be read anew.',
}

/** The problem for a caller who waits, when the provider refuses or does not answer. */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof BankFailure)) return error
  return new Problem('bank_unreachable', {
    message: error.reason === 'unreachable' ? error.message : FAILURE_SENTENCES[error.reason],
  })
}

export function wrongStatus({ id, status }: ConnectionRow): Problem {
  return new Problem('connection_status_conflict', { existing_id: id, details: { status } })
}

/**
 * The outcome of a call to the provider, made before the transaction opens. A refusal is thrown inside it: a repeated
 * Idempotency-Key replays the first answer, whatever the provider would say today.
 */
export type Attempt<T> = { readonly value: T } | { readonly refusal: unknown }

export async function attempt<T>(call: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await call() }
  } catch (refusal) {
    return { refusal }
  }
}

export function unwrap<T>(outcome: Attempt<T>): T {
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.value
}
