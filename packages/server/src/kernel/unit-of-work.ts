import { changesAccount } from '../catalog/events.ts'
import { type AuditEntry, insertAudit } from './audit.ts'
import { nearestBeat } from './beat.ts'
import { clockName, nowOf, REAL_TIME, realTimeOf, systemNow } from './clock.ts'
import { type Fragment, joined, nothing, part, name as raw, type Sql, violatedConstraint } from './db.ts'
import { packEventData } from './event-data.ts'
import { newId } from './id.ts'
import { insertAnswers, type KeptAnswer, takeKeys } from './idempotency.ts'
import type { Job } from './job.ts'
import { type WaitingJob, waitingJob } from './late-claim.ts'
import { type FanOut, type Hearing, NOWHERE, runHeard, type Whose } from './listeners.ts'
import type { NewEvent, NewJob, Outbox, OutboxAccount, Refusals } from './outbox.ts'
import { type HeldOwners, type Owner, OwnerGone } from './owner.ts'
import { isParked, laneOf } from './queue.ts'
import { byWork, placeOf, type RowsOf, type RowWriter } from './rows.ts'
import { type EventRow, insertEvents, insertJobs, type JobRow } from './unit-of-work-sql.ts'

/** The channel on which processes tell each other which ids their caches must drop. */
export const INVALIDATED = 'timbre_invalidated'

/** A job of a unit of work that was committed. */
export type QueuedJob = Pick<JobRow, 'account_id' | 'pool' | 'lane' | 'run_at'> & {
  /** All of it, where this process may run it before it is claimed. */
  readonly waiting?: WaitingJob
}

/** The account of each lane in which deliveries wait, by the lane. */
type Lanes = Readonly<Record<string, string>>

const UNLESS_WAITING = part`on conflict (name, key) where key is not null and status in ('queued', 'running') do nothing`

/** An idempotency key as the statement found it: whether it was free, and the answer stored under it. */
export interface KeyState {
  /** Whether everything was written under it. */
  readonly fresh: boolean
  readonly free: boolean
  readonly fingerprint: Buffer | null
  readonly status: number | null
  readonly answer: Buffer | null
}

/** One more member of a JSON object that is written out by hand; nothing where there is no value. */
const member = (name: string, value: object | undefined) => (value ? `,"${name}":${JSON.stringify(value)}` : '')

/**
 * Gathers the events, the jobs and the idempotent answer of one transaction, and writes them in one statement right
 * before the commit.
 */
export class UnitOfWork implements Outbox {
  readonly owner: Owner
  readonly #events: EventRow[] = []
  readonly #jobs: JobRow[] = []
  readonly #gathered: RowsOf<RowWriter<unknown>>[] = []
  readonly #keyed: JobRow[] = []
  readonly #stale = new Set<string>()
  readonly #audited: AuditEntry[] = []
  readonly #fanOut: FanOut
  readonly #ownerLock: HeldOwners | null
  #refusals: Refusals = {}
  #lanes: Lanes | null = null
  /** When what follows from its events is due. */
  #follows_at: Date | null = null
  readonly #enqueued: JobRow[] = []
  #answer: Fragment | null = null
  #delivered: Fragment = part`null::json`
  #ended: Fragment | null = null
  #xid: string | null = null
  #told: { readonly object: object; readonly text: string } | null = null

  constructor(owner: Owner, fanOut: FanOut = NOWHERE, ownerLock: HeldOwners | null = null) {
    this.owner = owner
    this.#fanOut = fanOut
    this.#ownerLock = ownerLock
  }

  /** What several units gathered for one statement, as one: they go by the same clock, and the owners of all are locked. */
  static joint(units: readonly UnitOfWork[], fanOut: FanOut, ownerLock: HeldOwners | null): UnitOfWork {
    const [first] = units
    if (!first || !units.every((unit) => unit.joins)) throw new Error('only units that gathered rows land together')
    const joint = new UnitOfWork(first.owner, fanOut, ownerLock)
    for (const unit of units) {
      joint.#events.push(...unit.#events)
      joint.#jobs.push(...unit.#jobs)
      joint.#keyed.push(...unit.#keyed)
      joint.#gathered.push(...unit.#gathered)
    }
    return joint
  }

  now = (): Date => nowOf(this.owner.clock)

  emit(event: NewEvent, whose: OutboxAccount = this.owner): string {
    const { object, previous_attributes, detail } = event
    // No state changes without its event, so a cached account cannot outlive a change of it.
    if (changesAccount(event.type) && whose.account_id !== null) this.#stale.add(whose.account_id)
    const id = newId('event')
    this.#events.push({
      id,
      account_id: whose.account_id,
      mode: whose.mode,
      type: event.type,
      empresa_id: event.empresa?.id ?? null,
      empresa_rut: event.empresa?.rut ?? null,
      ...packEventData(
        event.type,
        Boolean(event.empresa),
        `{"object":${this.#textOf(object)}${member('previous_attributes', previous_attributes)}${member('detail', detail)}}`,
      ),
    })
    return id
  }

  #textOf(object: object): string {
    const text = JSON.stringify(object)
    this.#told = { object, text }
    return text
  }

  /** A resource as JSON. What the last event carries was written out for it, and a verb changes nothing that it told of. */
  jsonOf(resource: unknown): string {
    const told = this.#told
    return told && told.object === resource ? told.text : JSON.stringify(resource)
  }

  async enqueue<Payload>(
    sql: Sql,
    job: Job<Payload>,
    request: NewJob<Payload>,
    whose: OutboxAccount = this.owner,
  ): Promise<string> {
    const row = this.#jobRow(job, request, whose)
    if (row.key === null) {
      this.#jobs.push(row)
      return row.id
    }
    const [holder] = await sql<{ id: string }>`
      with mine as (${insertJobs([row], this.now(), nothing)} ${UNLESS_WAITING} returning id)
      select id from mine union all
      select id from job where name = ${row.name} and key = ${row.key} and status in ('queued', 'running') limit 1`
    if (holder?.id === row.id) this.#enqueued.push(row)
    // Nobody where the one that holds the key came after this statement began, or has ended since.
    return holder ? holder.id : this.enqueue(sql, job, request, whose)
  }

  /** The same where all of it lands in one statement: a job that waits under its key already is left alone, and has another id. */
  gather<Payload>(job: Job<Payload>, request: NewJob<Payload>): string {
    const row = this.#jobRow(job, request, this.owner)
    ;(row.key === null ? this.#jobs : this.#keyed).push(row)
    return row.id
  }

  #jobRow<Payload>(job: Job<Payload>, request: NewJob<Payload>, { account_id, mode }: OutboxAccount): JobRow {
    const clock = request.real_time ? REAL_TIME : this.owner.clock
    const due_at = request.due_at ?? nowOf(clock)
    const is_real = clock.offset_ms === 0 && clock.frozen_at === null
    const run_at = job.on_beats && is_real ? nearestBeat(due_at, systemNow()) : realTimeOf(clock, due_at)
    return {
      id: newId('job'),
      name: job.name,
      type: job.type ?? null,
      account_id,
      mode: request.real_time ? null : mode,
      empresa_id: request.empresa_id === undefined ? this.owner.empresa_id : request.empresa_id,
      key: request.key ?? null,
      pool: job.pool,
      lane: laneOf(job.name, request.lane ?? account_id ?? ''),
      parked: isParked(run_at),
      payload: JSON.stringify(request.payload),
      due_at,
      run_at,
      max_attempts: job.max_attempts,
      claims_late: job.claims_late && is_real,
      hint: request.hint,
    }
  }

  #queuedOf(row: JobRow): QueuedJob {
    const { account_id, pool, lane, run_at } = row
    if (!row.claims_late || row.parked) return row
    return { account_id, pool, lane, run_at, waiting: waitingJob(row, this.#xid) }
  }

  invalidate(id: string): void {
    this.#stale.add(id)
  }

  audit(entry: AuditEntry): void {
    this.#audited.push(entry)
  }

  /** Whether anything cached is stale once this is committed. */
  get invalidates(): boolean {
    return this.#stale.size > 0
  }

  write<Row>(writer: RowWriter<Row>, rows: readonly Row[], refusals?: Refusals): void {
    this.#gathered.push({ work: writer as RowWriter<unknown>, rows })
    if (refusals) this.#refusals = { ...this.#refusals, ...refusals }
  }

  /** Whether it may land in one statement with others. */
  get joins(): boolean {
    return this.#audited.length + this.#stale.size === 0
  }

  /** What its statement is made of and the clock it goes by: units of one kind may be one statement. */
  kind(): string {
    const writers = byWork(this.#gathered).map(({ work }) => placeOf(work))
    const beside = [this.#events, this.#jobs, this.#keyed, this.#audited].map((of) => of.length > 0)
    return `${clockName(this.owner.clock)}|${writers.join()}|${beside.join()}`
  }

  /** Whose events were gathered, each account once. */
  #whose(): Whose[] {
    const [first, ...others] = this.#events
    if (!first) return []
    const apart = others.filter(({ account_id, mode }) => account_id !== first.account_id || mode !== first.mode)
    return [...new Map([first, ...apart].map((one) => [`${one.account_id}|${one.mode}`, one])).values()]
  }

  /** The named parts of one statement that write everything gathered. */
  #parts(when: Fragment, delivers = true): Fragment[] {
    const { clock } = this.owner
    const parts = byWork(this.#gathered).flatMap(({ work, rows }) => work(rows, when))
    if (this.#events.length > 0) {
      const due_at = this.now()
      const times = { created_at: new Date(systemNow()), due_at, run_at: realTimeOf(clock, due_at) }
      parts.push(part`written as (${insertEvents(this.#events, due_at, when)})`)
      const fanned = (delivers ? this.#fanOut : NOWHERE).deliver(raw('written'), this.#events.length, times)
      parts.push(...fanned.parts)
      this.#delivered = fanned.lanes
      this.#follows_at = times.run_at
    }
    this.#audited.forEach((entry, i) => {
      parts.push(part`${raw(`audited${i}`)} as (${insertAudit(entry, when)})`)
    })
    if (this.#jobs.length > 0) parts.push(part`jobs as (${insertJobs(this.#jobs, this.now(), when)})`)
    // By their keys, so that two that write the same never wait for each other in a circle.
    const keyed = this.#keyed.toSorted((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
    if (keyed.length > 0) parts.push(part`keyed as (${insertJobs(keyed, this.now(), when)} ${UNLESS_WAITING})`)
    return parts
  }

  /** The idempotent answer, to be written with everything else. */
  keep(answer: Fragment): void {
    this.#answer = answer
  }

  /** The end of the jobs that this was done for, to be written with everything else. */
  end(ended: Fragment): void {
    this.#ended = ended
  }

  /** Writes everything gathered in one round trip. */
  async flush(sql: Sql): Promise<void> {
    if (this.#gathered.length + this.#keyed.length > 0)
      throw new Error('only what lands in one statement writes its rows at the end')
    const parts = this.#parts(nothing)
    if (this.#answer) parts.push(part`kept as (${this.#answer})`)
    if (this.#ended) parts.push(part`ended as (${this.#ended})`)
    // NOTIFY leaves with the commit, so other processes hear of it exactly when it becomes true.
    if (this.#stale.size > 0)
      await sql`select pg_notify(${INVALIDATED}, id) from unnest(${[...this.#stale]}::text[]) id`
    if (parts.length === 0) return
    const [row] = await sql<{ lanes: Lanes | null }>`with ${joined(parts, ', ')} select ${this.#delivered} as lanes`
    this.#lanes = row?.lanes ?? null
  }

  /** Whether `owner` holds all of them. */
  #areOwned(): Fragment {
    const { count } = this.#ownerLock ?? { count: 1 }
    return count === 1 ? part`exists (select from owner)` : part`(select count(*) from owner) = ${count}`
  }

  /**
   * Takes the key, writes everything and keeps the answer, all in one statement: its own transaction, one round trip.
   * Gives the earlier answer when there is one; then nothing was written. Joint units have an answer each, and nothing is
   * written unless all their keys are free.
   */
  async flushInOneStatement(sql: Sql, kept: readonly KeptAnswer[]): Promise<KeyState> {
    if (this.#stale.size > 0) throw new Error('a verb of one statement changes nothing that is cached')
    const keys = kept.map(({ key }) => key)
    type Taken = KeyState & {
      readonly owned: boolean
      readonly quiet: boolean
      readonly lanes: Lanes | null
      readonly xid: string | null
    }
    const write = async ({ delivers, is_quiet }: Hearing) => {
      const fresh = delivers ? part`taken.unused and taken.owned` : part`taken.unused and taken.owned and taken.quiet`
      const when = part`join taken on ${fresh}`
      const parts = [...this.#parts(when, delivers), part`kept as (${insertAnswers(kept, when)})`]
      // Every row waits for `taken`, so the owners are locked before any of them is written.
      const [row] = await sql<Taken>`
        with owner as materialized (${this.#ownerLock?.lock ?? part`select true`}), taken as materialized (
          select t.*, ${this.#areOwned()} as owned, ${is_quiet} as quiet from (${takeKeys(keys)}) t
        ), ${joined(parts, ', ')}
        select ${fresh} as fresh, free, fingerprint, status, answer, owned, quiet,
          case when ${fresh} then pg_current_xact_id()::xid::text end as xid, ${this.#delivered} as lanes from taken`
      if (!row?.owned) throw new OwnerGone(this.owner)
      return row
    }
    let taken: Taken
    try {
      taken = await runHeard(this.#fanOut, this.#whose(), write)
    } catch (error) {
      const refusal = this.#refusals[violatedConstraint(error) ?? '']
      throw refusal ? await refusal() : error
    }
    this.#lanes = taken.lanes
    this.#xid = taken.xid
    return taken
  }

  /**
   * Writes everything in one statement, its own transaction, where `unchanged` (a select of one boolean that locks what it
   * looks at) finds what was read as it was. Gives the transaction's id, which every row it wrote carries as its `xmin`, or
   * null: somebody was quicker, and nothing was written.
   */
  async flushUnchanged(sql: Sql, unchanged: Fragment): Promise<string | null> {
    if (this.#stale.size > 0) throw new Error('what lands in one statement changes nothing that is cached')
    type Found = { owned: boolean; fresh: boolean; quiet: boolean; xid: string; lanes: Lanes | null }
    const write = async ({ delivers, is_quiet }: Hearing) => {
      const fresh = delivers
        ? part`found.owned and found.unchanged`
        : part`found.owned and found.quiet and found.unchanged`
      const parts = this.#parts(part`join found on ${fresh}`, delivers)
      const [row] = await sql<Found>`
        with owner as materialized (${this.#ownerLock?.lock ?? part`select true`}), found as materialized (
          select ${this.#areOwned()} as owned, ${is_quiet} as quiet, (${unchanged}) as unchanged
        ), ${joined(parts, ', ')}
        select owned, ${fresh} as fresh, quiet, pg_current_xact_id()::xid::text as xid, ${this.#delivered} as lanes from found`
      if (!row?.owned) throw new OwnerGone(this.owner)
      return row
    }
    const found = await runHeard(this.#fanOut, this.#whose(), write)
    this.#lanes = found.lanes
    this.#xid = found.xid
    return found.fresh ? found.xid : null
  }

  /** After the commit and before the answer: drops stale entries from this process's cache and tells of what was queued. */
  committed(tell: { announce: (jobs: readonly QueuedJob[]) => void; invalidate: (id: string) => void }): void {
    for (const id of this.#stale) tell.invalidate(id)
    const jobs = [...this.#jobs.map((job) => this.#queuedOf(job)), ...this.#keyed, ...this.#enqueued, ...this.#owed()]
    if (jobs.length > 0) tell.announce(jobs)
  }

  /** Deliveries that its statement queued: of each lane that there are some, for only PostgreSQL knows which. */
  #owed(): QueuedJob[] {
    const run_at = this.#follows_at
    if (run_at === null || this.#lanes === null) return []
    const { pool } = this.#fanOut
    return Object.entries(this.#lanes).map(([lane, account_id]) => ({ account_id, pool, lane, run_at }))
  }
}
