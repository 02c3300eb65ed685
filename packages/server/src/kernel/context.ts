import type { EventType } from '../catalog/events.ts'
import type { Mode } from '../catalog/modes.ts'
import type { Scope } from '../catalog/scopes.ts'
import type { Addresses, Ports } from '../ports/ports.ts'
import type { ClockSetting } from './clock.ts'
import type { Fragment, Sql } from './db.ts'
import type { AnyJob } from './job.ts'
import type { Memory } from './memory.ts'

/** Proof that a caller was admitted to an account in a mode. Only the pipeline and the worker make one. */
export interface AccountScope {
  readonly account_id: string
  readonly mode: Mode
}

/** Proof that a caller was admitted to one empresa. No tenant query runs without one. */
export interface EmpresaScope extends AccountScope {
  readonly empresa_id: string
  readonly rut: string
}

/** What a person allowed an agent to spend, and on what; null where there is no limit. */
export interface GrantLimits {
  readonly max_clp_per_document: number | null
  readonly max_clp_per_day: number | null
  readonly tipos: readonly number[] | null
  readonly receptores: readonly string[] | null
}

/** Who calls. A session acts for the whole account; a key or an agent only within its scopes and its empresas. */
export type Caller =
  | {
      readonly kind: 'key'
      readonly credential_id: string
      readonly root: boolean
      readonly scopes: readonly Scope[]
      readonly empresas: readonly string[]
    }
  | {
      readonly kind: 'agent'
      /** The grant it acts by: what a person revokes. */
      readonly credential_id: string
      /** What it calls itself: unverified. */
      readonly client_name: string
      readonly scopes: readonly Scope[]
      readonly empresas: readonly string[]
      /** What cannot be undone is shown first and done when it is confirmed. */
      readonly two_steps: boolean
      readonly limits: GrantLimits
    }
  | { readonly kind: 'session'; readonly credential_id: string; readonly email_verified: boolean }

export interface NewEvent {
  readonly type: EventType
  /** The resource as a GET shows it at this moment. */
  readonly object: object
  readonly empresa?: { readonly id: string; readonly rut: string } | null
  readonly previous_attributes?: object
  readonly detail?: object
}

export interface NewJob<Payload> {
  readonly payload: Payload
  /** While a job of the same name and key is queued or running, a second one is not made. */
  readonly key?: string
  readonly due_at?: Date
  /** For whom it works: by default the empresa of the call. Null for what outlives it. */
  readonly empresa_id?: string | null
  /** Whom it waits in line with, within jobs of its name: by default its account. */
  readonly lane?: string
  /** Runs by the clock on the wall, whatever test clock its owner has. */
  readonly real_time?: boolean
}

/** What a violated constraint means to the caller, by its name. */
export type Refusals = Readonly<Record<string, () => Promise<Error>>>

export interface BaseContext {
  readonly request_id: string
  readonly sql: Sql
  readonly ports: Ports
  readonly addresses: Addresses
  readonly now: () => Date
  /** Written with everything else when the transaction commits, or not at all. */
  enqueue<Payload>(job: AnyJob<Payload>, request: NewJob<Payload>): Promise<string>
  /** Only where everything lands in one statement: a row of the verb itself. `when` must end the statement's select. */
  write(row: (when: Fragment) => Fragment, refusals?: Refusals): void
  /** What this process remembers of rows; see kernel/memory.ts. */
  readonly recall: Memory['recall']
  /** What any process remembers of this id is stale from the commit on. */
  invalidate(id: string): void
}

/** What acting for an account takes where the call itself was not admitted to one in a mode. */
export interface Acting extends Pick<BaseContext, 'sql' | 'now' | 'addresses' | 'enqueue'> {
  /** Gives the id the event will have. */
  emit(event: NewEvent): string
}

export interface PublicContext extends BaseContext {
  readonly ip: string
  actFor(account: AccountScope): Acting
}

export interface AccountContext extends BaseContext {
  readonly account: AccountScope
  readonly caller: Caller
  readonly clock: ClockSetting
  emit(event: NewEvent): string
}

export interface EmpresaContext extends AccountContext {
  readonly empresa: EmpresaScope
}

export interface SessionContext extends BaseContext {
  readonly account_id: string
  readonly session_id: string
  actFor(account: AccountScope): Acting
}

/** The operator acts on any empresa, so the scope is the one the path names. */
export interface OperatorContext extends BaseContext {
  readonly account: AccountScope
  readonly empresa: EmpresaScope
  emit(event: NewEvent): string
}
