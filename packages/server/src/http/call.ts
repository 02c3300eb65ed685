import type { Operation } from '../domain/operation.ts'
import type { ClockSetting } from '../kernel/clock.ts'
import type { Verdict } from '../kernel/rate-limit.ts'
import type { AccountScope, Caller } from '../kernel/scope.ts'

export type Surface = 'v1' | 'dashboard' | 'bootstrap'

/** A request without its transport: what HTTP, and later any other door, hands to the pipeline. */
export interface Call {
  readonly operation: Operation
  readonly surface: Surface
  readonly request_id: string
  readonly ip: string
  /** Header by its lower-case name; sent twice counts as garbled and reads as joined text. */
  readonly header: (name: string) => string | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: Record<string, unknown>
  /** Path and query as sent: part of what makes two idempotent requests the same. */
  readonly path: string
  /** Told what the verb would leave before any of it is kept. Throwing here undoes all of it. */
  readonly judge?: (resource: unknown) => void
}

/** Who was let in. Fields are filled as the call climbs, so that a refusal can tell what it knew. */
export interface Admission {
  account?: AccountScope
  caller?: Caller
  clock?: ClockSetting
  session?: { readonly session_id: string; readonly account_id: string }
  operator?: true
  rate?: Verdict
  empresa_rut?: string
}

/** Thrown by a judge to see what would come of a call: it undoes everything, and is no refusal. */
export class Rehearsal extends Error {
  readonly resource: unknown

  constructor(resource: unknown) {
    super('nothing was done')
    this.resource = resource
  }
}
