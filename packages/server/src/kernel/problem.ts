import { type AccountErrorCode, accountErrorEntry } from '../catalog/account-errors.ts'
import { ERRORS, type ErrorCode, errorEntry, isRetriable } from '../catalog/errors.ts'

/** Facts of a refusal beyond its code. Nothing here may hold a secret: it leaves on the wire. */
export interface ProblemFacts {
  readonly message?: string
  readonly param?: string
  readonly empresa?: string
  readonly existing_id?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly sii?: Readonly<Record<string, unknown>>
  readonly retry_after_seconds?: number
  /** Extra answer headers, such as Allow. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal the caller can act on. Everything but the code and the facts comes from the registry. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly facts: ProblemFacts

  constructor(code: ErrorCode, facts: ProblemFacts = {}) {
    super(facts.message ?? ERRORS[code].message)
    this.name = 'Problem'
    this.code = code
    this.facts = facts
  }

  get status(): number {
    return errorEntry(this.code).status
  }

  get retry_after_seconds(): number | undefined {
    return this.facts.retry_after_seconds ?? errorEntry(this.code).retry_after_seconds
  }
}

export interface ErrorBody {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly retriable: boolean
  readonly param?: string
  readonly doc_url: string
  readonly request_id: string
  readonly empresa?: string
  readonly existing_id?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly sii?: Readonly<Record<string, unknown>>
  readonly retry_after_seconds?: number
}

/** The `error` object of the contract. A field that does not apply is absent, never null. */
export function errorBody(
  problem: Problem,
  where: { request_id: string; docs_url: string; empresa?: string },
): ErrorBody {
  const entry = errorEntry(problem.code)
  const { param, existing_id, details, sii } = problem.facts
  const empresa = problem.facts.empresa ?? where.empresa
  const wait = problem.retry_after_seconds
  return {
    type: entry.type,
    code: problem.code,
    message: problem.message,
    hint: entry.hint,
    retriable: isRetriable(problem.code),
    ...(param !== undefined && { param }),
    doc_url: `${where.docs_url}/errors/${problem.code}`,
    request_id: where.request_id,
    ...(empresa !== undefined && { empresa }),
    ...(existing_id !== undefined && { existing_id }),
    ...(details !== undefined && { details }),
    ...(sii !== undefined && { sii }),
    ...(wait !== undefined && { retry_after_seconds: wait }),
  }
}

/** Shorthand for the refusal raised most: one field, one reason. */
export function invalidField(param: string, reason: string): Problem {
  return new Problem('invalid_field', { param, message: `${param}: ${reason}` })
}

/** A refusal of /account, told in Spanish to the person who is there. */
export class AccountProblem extends Error {
  readonly code: AccountErrorCode
  readonly param: string | undefined
  readonly retry_after_seconds: number | undefined

  constructor(code: AccountErrorCode, facts: { param?: string; retry_after_seconds?: number; message?: string } = {}) {
    const entry = accountErrorEntry(code)
    super(facts.message ?? entry.message)
    this.name = 'AccountProblem'
    this.code = code
    this.param = facts.param
    this.retry_after_seconds = facts.retry_after_seconds ?? entry.retry_after_seconds
  }

  get status(): number {
    return accountErrorEntry(this.code).status
  }
}
