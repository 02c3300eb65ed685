import type { EvidenceVia } from '../catalog/evidence.ts'
import type { Person } from '../catalog/roles.ts'
import type { AuditedAct, AuditOwner } from '../kernel/audit.ts'
import type { Cache } from '../kernel/cache.ts'
import type { ClockSetting } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import type { Job } from '../kernel/job.ts'
import type { NewEvent, NewJob, Refusals } from '../kernel/outbox.ts'
import type { RowWriter } from '../kernel/rows.ts'
import type { AccountScope, Caller, EmpresaScope } from '../kernel/scope.ts'
import type { Addresses, Ports } from '../ports/ports.ts'
import type { Reactions } from './reactions.ts'

export interface BaseContext {
  readonly request_id: string
  readonly sql: Sql
  readonly ports: Ports
  readonly addresses: Addresses
  readonly now: () => Date
  /** Written with everything else when the transaction commits, or not at all. */
  enqueue<Payload>(job: Job<Payload>, request: NewJob<Payload>): Promise<string>
  /** Only where everything lands in one statement: rows of the verb itself. */
  write<Row>(writer: RowWriter<Row>, rows: readonly Row[], refusals?: Refusals): void
  readonly cache: Pick<Cache, 'get'>
  readonly reactions: Reactions
  /** Drops from the cache of every process, at the commit, what was made of this id. */
  invalidate(id: string): void
  /** Tells the audit log of an act beside the one that the operation itself is, in the same transaction. */
  audit(act: AuditedAct, whose?: AuditOwner): void
}

/** Where an act came from, as its evidence tells it. */
export interface Origin {
  readonly via: EvidenceVia
  readonly ip: string | null
  /** What the caller's program says that it is. */
  readonly user_agent: string | null
}

/** Acts for an account that the call itself was not admitted to: registration, closing. */
export interface Acting extends Pick<BaseContext, 'sql' | 'now' | 'addresses' | 'enqueue'> {
  /** Gives the id the event will have. */
  emit(event: NewEvent): string
}

export interface PublicContext extends BaseContext {
  readonly ip: string
  /** The account that the call turned out to be about: the audit log tells it of the call, refused or not. */
  concerns(account_id: string): void
  actFor(account: AccountScope): Acting
}

export interface AccountContext extends BaseContext {
  readonly account: AccountScope
  readonly caller: Caller
  readonly clock: ClockSetting
  readonly origin: Origin
  emit(event: NewEvent): string
}

export interface EmpresaContext extends AccountContext {
  /** Who acts, where a page asked them; a credential names nobody. */
  readonly person?: Person
  readonly empresa: EmpresaScope
}

/** An empresa as whoever holds the link of a hosted page acts on it: no credential calls. */
export type PageContext = Omit<EmpresaContext, 'caller' | 'cache' | 'write'>

export interface SessionContext extends BaseContext {
  readonly account_id: string
  readonly session_id: string
  actFor(account: AccountScope): Acting
}

/** The operator acts on any empresa, so the scope is the one the path names. */
export interface OperatorContext extends BaseContext {
  readonly account: AccountScope
  readonly empresa: EmpresaScope
  readonly origin: Origin
  emit(event: NewEvent): string
}

/** The operator acts on an account itself, in both of its modes. */
export interface OperatorAccountContext extends BaseContext {
  readonly account_id: string
}

/** The operator acts on what belongs to no account: the figures that every account is computed with. */
export type InstallationContext = BaseContext

/**
 * Who may call: nobody in particular, a credential, a credential on one empresa, a logged-in person, the operator on one
 * empresa, the operator on one account, the operator on the installation.
 */
export interface Reaches {
  public: PublicContext
  account: AccountContext
  empresa: EmpresaContext
  session: SessionContext
  operator: OperatorContext
  operator_account: OperatorAccountContext
  installation: InstallationContext
}
export type Reach = keyof Reaches

const OPERATOR_REACHES: readonly Reach[] = ['operator', 'operator_account', 'installation']

/** Whether the operator's secret is the credential. */
export function isOperators(reach: Reach): boolean {
  return OPERATOR_REACHES.includes(reach)
}

/** An act after the commit opens transactions of its own, each with its events, with the network between them. */
export type AfterCommit<C> = C & { transact<T>(work: (ctx: C) => Promise<T>): Promise<T> }

/** One call as each reach sees it: an operation takes the context of its own. */
export type Contexts = { readonly [R in Reach]: () => Reaches[R] }
export type AfterCommitContexts = { readonly [R in Reach]: () => AfterCommit<Reaches[R]> }
