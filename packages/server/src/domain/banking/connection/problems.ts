import { Problem } from '../../../kernel/problem.ts'
import { BankFailure, type BankReason } from '../../../ports/bank.ts'
import type { Failure } from './schema.ts'
import type { ConnectionRow } from './show.ts'

/** What a connection shows of a failure, and a job that was given up. */
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

/** For a caller who waits: the provider said no, or said nothing. */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof BankFailure)) return error
  return new Problem('bank_unreachable', {
    message: error.reason === 'unreachable' ? error.message : FAILURE_SENTENCES[error.reason],
  })
}

export function wrongStatus({ id, status }: ConnectionRow): Problem {
  return new Problem('connection_status_conflict', { existing_id: id, details: { status } })
}
