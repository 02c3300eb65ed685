import type { Sql } from '../kernel/db.ts'
import type { Job } from '../kernel/job.ts'
import type { NewEvent, NewJob } from '../kernel/outbox.ts'
import type { EmpresaScope } from '../kernel/scope.ts'
import type { Addresses } from '../ports/ports.ts'
import type { Distrust, Distrusted } from './distrust.ts'

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
}

/** What the rooms above answer when an account is taken back. */
export interface RecoveredAbove {
  readonly ended: EndedPages
  /** Contacts, to whom documents are sent, that were made or changed in distrust. They stay, for the owner to judge. */
  readonly contacts_changed: number
  /** How documents are printed and what the service does by itself, where it was last changed in distrust. They stay, too. */
  readonly branding: Distrusted
  readonly automation_settings: Distrusted
}

interface Reacting {
  readonly sql: Sql
  readonly addresses: Addresses
  readonly now: () => Date
  emit(event: NewEvent): string
  enqueue<Payload>(job: Job<Payload>, request: NewJob<Payload>): Promise<string>
}

/**
 * How a room tells those above it, which it does not know: bound at the root (`reactions.ts`), run in the transaction
 * of the news itself.
 */
export interface Reactions {
  documentsArrived(tx: Reacting, scope: EmpresaScope, documents: readonly Arrived[]): Promise<void>
  /** A month of the register was read; `period` where it holds entries that were not known. */
  registerRead(tx: Reacting, scope: EmpresaScope, news: { readonly period?: string }): Promise<void>
  /** An account was taken back: what opens by an address alone ends too, where it was made in distrust. */
  accountRecovered(tx: Pick<Reacting, 'sql'>, account_id: string, distrust: Distrust): Promise<RecoveredAbove>
  /** Another certificate signs for the empresa: what waited for one goes on. */
  certificateChanged(tx: Reacting, scope: EmpresaScope): Promise<void>
  /** The empresa wants its movements matched from now on. */
  matchingTurnedOn(tx: Reacting, scope: EmpresaScope): Promise<void>
}
