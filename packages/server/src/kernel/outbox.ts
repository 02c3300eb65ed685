import type { EventType } from '../catalog/events.ts'
import type { Mode } from '../catalog/modes.ts'
import type { AuditEntry } from './audit.ts'
import type { Sql } from './db.ts'
import type { Job } from './job.ts'
import type { RowWriter } from './rows.ts'

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
  /** The empresa it works for: by default that of the call. Null for a job that outlives its empresa. */
  readonly empresa_id?: string | null
  /** The lane it waits in, within jobs of its name: by default its account's. */
  readonly lane?: string
  /** Runs by the clock on the wall, whatever test clock its owner has. */
  readonly real_time?: boolean
  /** Told to whoever runs it, where that is this process: what the same transaction wrote. Not stored. */
  readonly hint?: unknown
}

/** The refusal a violated constraint turns into, by the constraint's name. */
export type Refusals = Readonly<Record<string, () => Promise<Error>>>

/** An account and its mode, as far as a unit of work has them. */
export interface OutboxAccount {
  readonly account_id: string | null
  readonly mode: Mode | null
}

/** Events and jobs that a verb gathers while it runs: written with its rows when the transaction commits, or not at all. */
export interface Outbox {
  emit(event: NewEvent, whose?: OutboxAccount): string
  /** `whose`: the account that the job works for, where that is not the one that was admitted. */
  enqueue<Payload>(sql: Sql, job: Job<Payload>, request: NewJob<Payload>, whose?: OutboxAccount): Promise<string>
  invalidate(id: string): void
  /** A row of the audit log. */
  audit(entry: AuditEntry): void
  /** Rows of what lands in one statement, which may be that of several units. */
  write<Row>(writer: RowWriter<Row>, rows: readonly Row[], refusals?: Refusals): void
}

function refuseWrite(): never {
  throw new Error('what runs outside a transaction writes nothing')
}

/** The outbox of reads and of `prepare`: there is no transaction to write with. */
export const NO_OUTBOX: Outbox = {
  emit: refuseWrite,
  enqueue: refuseWrite,
  invalidate: refuseWrite,
  audit: refuseWrite,
  write: refuseWrite,
}
