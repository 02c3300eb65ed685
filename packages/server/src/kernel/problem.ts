import { type AccountErrorCode, accountErrorEntry } from '../catalog/account-errors.ts'
import { ERRORS, type ErrorCode, errorEntry, isRetriable } from '../catalog/errors.ts'
import { CEILINGS } from '../catalog/limits.ts'

/** One thing that is wrong with an input. */
export interface Fault {
  readonly param: string
  readonly code: ErrorCode
  readonly message: string
}

/** Facts of a refusal beyond its code. Nothing here may hold a secret: it leaves on the wire. */
export interface ProblemFacts {
  readonly message?: string
  readonly param?: string
  readonly empresa?: string
  readonly existing_id?: string
  readonly details?: Readonly<Record<string, unknown>>
  /** Everything wrong with the input, this refusal first: `details.errors` of the answer. */
  readonly errors?: readonly Fault[]
  readonly sii?: Readonly<Record<string, unknown>>
  readonly retry_after_seconds?: number
  /** Extra answer headers, such as Allow. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer repeats what was sent, and what was sent may be megabytes: a refusal tells enough of it to be found. */
const MOST_BYTES = { message: 1_400, param: 350, details: 1_500, fault: 400, errors: 7_000 } as const

/** As JSON inside JSON: an agent is given a refusal twice, as values and as their text. */
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)) ?? '')

function clipText(text: string, bytes: number): string {
  if (text.length <= bytes && sizeOf(text) <= bytes) return text
  let cut = text.slice(0, bytes - 10)
  while (sizeOf(cut) > bytes - 10) cut = cut.slice(0, Math.floor(cut.length * 0.9))
  return `${cut.toWellFormed()}…`
}

/** Lists before what is in them: of a list of thousands only the first few are looked at. */
function shorten(value: unknown, items: number): unknown {
  if (typeof value === 'string') return clipText(value, 200)
  if (Array.isArray(value)) return value.slice(0, items).map((item) => shorten(item, items))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, items)]))
}

/** Details that are too long as a whole lose what is long in them: the ends of their texts and of their lists. */
function clipDetails(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(details)
  if (text.length <= MOST_BYTES.details && sizeOf(details) <= MOST_BYTES.details) return details
  const plain = JSON.parse(text)
  for (const items of [10, 5, 3, 1]) {
    const shorter = shorten(plain, items) as Readonly<Record<string, unknown>>
    if (sizeOf(shorter) <= MOST_BYTES.details) return shorter
  }
  return { truncated: true }
}

/** Every refusal passes here, whichever envelope it leaves in, so that none is longer than `error_answer_bytes`. */
function clipFacts(facts: ProblemFacts): ProblemFacts {
  const { message, param, details, sii } = facts
  return {
    ...facts,
    ...(message !== undefined && { message: clipText(message, MOST_BYTES.message) }),
    ...(param !== undefined && { param: clipText(param, MOST_BYTES.param) }),
    ...(details !== undefined && { details: clipDetails(details) }),
    ...(sii !== undefined && { sii: clipDetails(sii) }),
  }
}

/** A refusal the caller can act on. Everything but the code and the facts comes from the registry. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly facts: ProblemFacts

  constructor(code: ErrorCode, facts: ProblemFacts = {}, options: ErrorOptions = {}) {
    const clipped = clipFacts(facts)
    super(clipped.message ?? ERRORS[code].message, options)
    this.name = 'Problem'
    this.code = code
    this.facts = clipped
  }

  get status(): number {
    return errorEntry(this.code).status
  }

  get retry_after_seconds(): number | undefined {
    return this.facts.retry_after_seconds ?? errorEntry(this.code).retry_after_seconds
  }
}

/** The codes that say of a field of the input that it is missing or wrong. */
const FIELD_CODES: readonly ErrorCode[] = ['invalid_field', 'invalid_rut', 'receptor_incomplete']

export function isFieldFault(error: unknown): error is Problem {
  return error instanceof Problem && FIELD_CODES.includes(error.code) && error.facts.param !== undefined
}

const faultOf = ({ code, message, facts: { param = '' } }: Problem): Fault => ({ param, code, message })

/** One refusal for all that was found: the first of them, with the faults of fields in its `details.errors`. */
export function together(found: readonly Problem[]): Problem {
  const [first] = found
  if (!first) throw new Error('nothing was found, so nothing is refused')
  if (!isFieldFault(first)) return first
  return new Problem(first.code, { ...first.facts, errors: found.filter(isFieldFault).map(faultOf) })
}

/** Refuses an input for all that was found. */
export function refuseAll(found: readonly Problem[]): void {
  if (found.length > 0) throw together(found)
}

/** Judges every member of a list before it refuses: a fault of one does not hide those of the others, nor those found `before`. */
export function mapOrRefuse<T, R>(
  list: readonly T[],
  judge: (one: T, index: number) => R,
  before: readonly Problem[] = [],
): R[] {
  const faults = [...before]
  const results = list.flatMap((one, index) => {
    try {
      return [judge(one, index)]
    } catch (error) {
      if (!isFieldFault(error)) throw error
      faults.push(error)
      return []
    }
  })
  refuseAll(faults)
  return results
}

/** Each field once, as many as an answer has room for. */
function toldFaults(problem: Problem): Readonly<Record<string, unknown>> {
  const faults = problem.facts.errors ?? (isFieldFault(problem) ? [faultOf(problem)] : [])
  if (faults.length === 0) return {}
  const params = new Set<string>()
  const distinct = faults.filter(({ param }) => !params.has(param) && params.add(param))
  const errors: Fault[] = []
  let room = MOST_BYTES.errors
  for (const { param, code, message } of distinct.slice(0, CEILINGS.errors_told)) {
    const told = { param: clipText(param, MOST_BYTES.param), code, message: clipText(message, MOST_BYTES.fault) }
    room -= sizeOf(told)
    if (room < 0) break
    errors.push(told)
  }
  return { errors, ...(errors.length < distinct.length && { errors_truncated: true }) }
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
  const { param, existing_id, sii } = problem.facts
  const details = { ...problem.facts.details, ...toldFaults(problem) }
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
    ...(Object.keys(details).length > 0 && { details }),
    ...(sii !== undefined && { sii }),
    ...(wait !== undefined && { retry_after_seconds: wait }),
  }
}

/** Shorthand for the refusal raised most: one field, one reason. */
export function invalidField(param: string, reason: string): Problem {
  return new Problem('invalid_field', { param, message: `${param}: ${reason}` })
}

/** A rule of one field: whether it is broken, and how that is told. */
export type FieldRule = readonly [broken: boolean, param: string, reason: string]

/** The refusals of all rules that are broken, in the order of the rules. */
export function brokenRules(...rules: readonly FieldRule[]): Problem[] {
  return rules.filter(([broken]) => broken).map(([, param, reason]) => invalidField(param, reason))
}

/** A refusal of /account, told in Spanish to the person who is there. */
export class AccountProblem extends Error {
  readonly code: AccountErrorCode
  readonly param: string | undefined
  readonly retry_after_seconds: number | undefined

  constructor(code: AccountErrorCode, facts: { param?: string; retry_after_seconds?: number; message?: string } = {}) {
    const entry = accountErrorEntry(code)
    const { message, param } = clipFacts(facts)
    super(message ?? entry.message)
    this.name = 'AccountProblem'
    this.code = code
    this.param = param
    this.retry_after_seconds = facts.retry_after_seconds ?? entry.retry_after_seconds
  }

  get status(): number {
    return accountErrorEntry(this.code).status
  }
}
