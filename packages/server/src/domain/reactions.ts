import type { Mode } from '../catalog/modes.ts'
import type { AuditedAct, AuditOwner } from '../kernel/audit.ts'
import type { Cache } from '../kernel/cache.ts'
import type { Sql } from '../kernel/db.ts'
import type { Job } from '../kernel/job.ts'
import type { NewEvent, NewJob } from '../kernel/outbox.ts'
import type { AccountScope, EmpresaScope } from '../kernel/scope.ts'
import type { Addresses, Ports } from '../ports/ports.ts'
import type { Distrust } from './distrust.ts'

/** A document that a movement may have paid before it was here, or that falls into a month that was declared. */
export interface Arrived {
  readonly id: string
  readonly tipo_dte: number
  /** `YYYY-MM-DD` */
  readonly issue_date: string
}

/** Pages that anybody who has their address could open. */
export interface EndedPages {
  readonly public_links: number
  readonly bank_pages: number
  readonly onboarding_pages: number
}

/** What the rooms above answer when an account is taken back. */
export interface RecoveredAbove {
  readonly ended: EndedPages
  /** Banks that were linked in distrust: by a connection made then, or by one that was there before. */
  readonly connections: Record<'ended' | 'disabled', readonly RecoveredAboveItem[]>
}

export interface RecoveredAboveItem {
  readonly id: string
  readonly mode: Mode
  readonly name: string
}

export interface Reacting {
  readonly sql: Sql
  readonly addresses: Addresses
  readonly now: () => Date
  emit(event: NewEvent): string
  enqueue<Payload>(job: Job<Payload>, request: NewJob<Payload>): Promise<string>
}

/** The same where what follows from a document is decided, which asks what every document asks. */
export interface ReactingToDocuments extends Reacting {
  readonly cache: Pick<Cache, 'get'>
}

/** What a person reads or looks at, beside the declaration itself, before they decide on a step. */
export interface ApprovalMaterial {
  /** Over all of it: what is decided is about these bytes and no others. */
  readonly sha256: string
  /** How many files are shown. */
  readonly files: number
  /** What is declared, in the SII's own words. */
  readonly statements: readonly string[]
}

/** What settling the steps of an onboarding takes. */
export interface Settling extends Reacting {
  /** Who executes a step depends on what we are connected to. */
  readonly ports: Pick<Ports, 'sii'>
  invalidate(id: string): void
  readonly reactions: Reactions
}

interface Recovering extends Pick<Reacting, 'sql'> {
  readonly ports: Ports
  audit(act: AuditedAct, whose?: AuditOwner): void
  actFor(account: AccountScope): Reacting
}

/**
 * How a room tells those above it, which it does not know: bound at the root (`reactions.ts`), run in the transaction
 * of the news itself.
 */
export interface Reactions {
  /** Of documents that are no notas de crédito it reads and enqueues alone: those may land in one statement. */
  documentsArrived(tx: ReactingToDocuments, scope: EmpresaScope, documents: readonly Arrived[]): Promise<void>
  /** A month of the register was read; `period` where it holds entries that were not known. */
  registerRead(tx: Reacting, scope: EmpresaScope, news: { readonly period?: string }): Promise<void>
  /** An account was taken back: what opens by an address alone ends too, and what reads its banks, where it was made in distrust. */
  accountRecovered(tx: Recovering, account_id: string, distrust: Distrust): Promise<RecoveredAbove>
  /** The empresa's own data changed, with which the SII refused documents: what was held is tried again. */
  emisorChanged(tx: Reacting, scope: EmpresaScope): Promise<void>
  /** Another certificate signs for the empresa: what waited for one goes on. */
  certificateChanged(tx: Reacting, scope: EmpresaScope): Promise<void>
  /** Something that the onboarding of the empresa depends on changed: its steps are settled anew. */
  onboardingFactsChanged(tx: Settling, scope: EmpresaScope): Promise<void>
  /** The empresa has another contact: what was mailed to the former one ends. */
  contactChanged(tx: Pick<Settling, 'sql' | 'now'>, scope: EmpresaScope): Promise<void>
  /** Of some tipos, those that never had folios of the empresa's own. */
  tiposWithoutFolios(tx: Pick<Reacting, 'sql'>, scope: EmpresaScope, tipos: readonly number[]): Promise<number[]>
  /** The same, and a first range of each is asked for. */
  requestFirstFolios(tx: Settling, scope: EmpresaScope, tipos: readonly number[]): Promise<number[]>
  /** A step of its certification stands open with us: it is carried out at the SII. */
  certificationStepOpen(
    tx: Pick<Settling, 'sql' | 'enqueue'>,
    scope: EmpresaScope,
    step: { readonly key: string; readonly next_poll_at: Date | null },
  ): Promise<void>
  /** What has to be approved in a step, as it was prepared; null where nothing is, or not yet. */
  materialOf(tx: Pick<Reacting, 'sql'>, scope: EmpresaScope, step: string): Promise<ApprovalMaterial | null>
  /** Sets aside what was prepared and declined, so that it is prepared anew; false where nothing is. */
  dropMaterial(tx: Pick<Reacting, 'sql' | 'now'>, scope: EmpresaScope, step: string): Promise<boolean>
  /** The empresa wants its movements matched from now on. */
  matchingTurnedOn(tx: Reacting, scope: EmpresaScope): Promise<void>
}
