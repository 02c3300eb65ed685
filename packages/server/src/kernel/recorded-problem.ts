import type { ErrorCode } from '../catalog/errors.ts'
import type { Sql } from './db.ts'
import { Problem, type ProblemFacts } from './problem.ts'

/** A refusal of which something stays: it is written in a transaction of its own, once that of the call was undone. */
export class RecordedProblem extends Problem {
  readonly record: (sql: Sql) => Promise<void>

  constructor(code: ErrorCode, facts: ProblemFacts, record: (sql: Sql) => Promise<void>) {
    super(code, facts)
    this.record = record
  }
}
