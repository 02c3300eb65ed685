import { changesAccount } from '../catalog/events.ts'
import type { Mode } from '../catalog/modes.ts'
import { type ClockSetting, nowOf, REAL_TIME, realTimeOf, systemNow } from './clock.ts'
import type { NewEvent, NewJob } from './context.ts'
import { type Fragment, joined, part, name as raw, type Sql } from './db.ts'
import { newId } from './id.ts'
import type { AnyJob } from './job.ts'

/** Whose events and jobs a unit of work writes, and by which clock. */
export interface Owner {
  readonly account_id: string | null
  readonly mode: Mode | null
  readonly empresa_id: string | null
  readonly clock: ClockSetting
}

interface JobRow {
  readonly id: string
  readonly name: string
  readonly type: string | null
  readonly mode: string | null
  readonly empresa_id: string | null
  readonly key: string | null
  readonly payload: string
  readonly due_at: Date
  readonly run_at: Date
  readonly max_attempts: number
}

interface EventRow {
  readonly id: string
  readonly account_id: string | null
  readonly mode: string | null
  readonly empresa_id: string | null
  readonly empresa_rut: string | null
  readonly type: string
  readonly data: string
}

/** Where processes tell each other which ids to forget. */
export const INVALIDATED = 'timbre_invalidated'

/** What a verb may leave behind while it runs. */
export interface Gathering {
  emit(event: NewEvent, whose?: Pick<Owner, 'account_id' | 'mode'>): void
  enqueue<Payload>(sql: Sql, job: AnyJob<Payload>, request: NewJob<Payload>): Promise<string>
  invalidate(id: string): void
}

function refuseWrite(): never {
  throw new Error('what runs outside a transaction writes nothing')
}

/** Outside a transaction there is nothing to write with: reading, preparing. */
export const NOTHING_TO_GATHER: Gathering = { emit: refuseWrite, enqueue: refuseWrite, invalidate: refuseWrite }

/**
 * What one transaction will leave behind beside its rows: events, jobs and, last, the idempotent answer.
 * They are gathered here and written in one statement right before the commit.
 */
export class Unit implements Gathering {
  readonly owner: Owner
  readonly #events: EventRow[] = []
  readonly #jobs: JobRow[] = []
  readonly #stale = new Set<string>()
  #wakes = false

  constructor(owner: Owner) {
    this.owner = owner
  }

  now = (): Date => nowOf(this.owner.clock)

  emit(event: NewEvent, whose: Pick<Owner, 'account_id' | 'mode'> = this.owner): void {
    const { object, previous_attributes, detail } = event
    // No state changes without its event, so what is remembered of an account cannot outlive a change of it.
    if (changesAccount(event.type) && whose.account_id !== null) this.#stale.add(whose.account_id)
    this.#events.push({
      id: newId('event'),
      account_id: whose.account_id,
      mode: whose.mode,
      type: event.type,
      empresa_id: event.empresa?.id ?? null,
      empresa_rut: event.empresa?.rut ?? null,
      data: JSON.stringify({
        object,
        ...(previous_attributes && { previous_attributes }),
        ...(detail && { detail }),
      }),
    })
  }

  async enqueue<Payload>(sql: Sql, job: AnyJob<Payload>, request: NewJob<Payload>): Promise<string> {
    const row = this.#jobRow(job, request)
    this.#wakes = true
    if (row.key === null) {
      this.#jobs.push(row)
      return row.id
    }
    const [mine] = await sql<{ id: string }>`${insertJobs(this.owner, [row])} on conflict (name, key)
      where key is not null and status in ('queued', 'running') do nothing returning id`
    if (mine) return mine.id
    const [other] = await sql<{ id: string }>`
      select id from job where name = ${row.name} and key = ${row.key} and status in ('queued', 'running')`
    // It ended between the two statements: nobody holds the key any more.
    return other ? other.id : this.enqueue(sql, job, request)
  }

  #jobRow<Payload>(job: AnyJob<Payload>, request: NewJob<Payload>): JobRow {
    const clock = request.real_time ? REAL_TIME : this.owner.clock
    const due_at = request.due_at ?? nowOf(clock)
    return {
      id: newId('job'),
      name: job.name,
      type: job.type ?? null,
      mode: request.real_time ? null : this.owner.mode,
      empresa_id: request.empresa_id ?? this.owner.empresa_id,
      key: request.key ?? null,
      payload: JSON.stringify(request.payload),
      due_at,
      run_at: realTimeOf(clock, due_at),
      max_attempts: job.max_attempts,
    }
  }

  invalidate(id: string): void {
    this.#stale.add(id)
  }

  /** Writes all that was gathered, and `also` with it, in one round trip. */
  async flush(sql: Sql, also?: Fragment): Promise<void> {
    const inserts: Fragment[] = []
    if (this.#events.length > 0) inserts.push(insertEvents(this.#events, this.now()))
    if (this.#jobs.length > 0) inserts.push(insertJobs(this.owner, this.#jobs))
    if (also) inserts.push(also)
    // NOTIFY leaves with the commit, so other processes hear of it exactly when it becomes true.
    if (this.#stale.size > 0)
      await sql`select pg_notify(${INVALIDATED}, id) from unnest(${[...this.#stale]}::text[]) id`
    if (inserts.length === 0) return
    const named = inserts.map((insert, i) => part`${raw(`w${i}`)} as (${insert})`)
    await sql`with ${joined(named, ', ')} select 1`
  }

  /** After the commit and before the answer: this process forgets at once, and workers learn that there is work. */
  committed(tell: { announce: () => void; forget: (id: string) => void }): void {
    for (const id of this.#stale) tell.forget(id)
    if (this.#wakes) tell.announce()
  }
}

function insertEvents(events: readonly EventRow[], at: Date): Fragment {
  return part`
    insert into event (id, account_id, mode, empresa_id, empresa_rut, type, created_at, data)
    select e.id, e.account_id, e.mode, e.empresa_id, e.empresa_rut, e.type, ${at}, e.data::json
    from unnest(${events.map((e) => e.id)}::text[], ${events.map((e) => e.account_id)}::text[],
      ${events.map((e) => e.mode)}::text[], ${events.map((e) => e.empresa_id)}::text[],
      ${events.map((e) => e.empresa_rut)}::text[], ${events.map((e) => e.type)}::text[],
      ${events.map((e) => e.data)}::text[]) as e (id, account_id, mode, empresa_id, empresa_rut, type, data)`
}

function insertJobs(owner: Owner, jobs: readonly JobRow[]): Fragment {
  return part`
    insert into job (id, name, type, account_id, mode, empresa_id, key, payload, due_at, run_at, max_attempts, created_at)
    select j.id, j.name, j.type, ${owner.account_id}, j.mode, j.empresa_id, j.key, j.payload::json, j.due_at,
      j.run_at, j.max_attempts, ${new Date(systemNow())}
    from unnest(${jobs.map((j) => j.id)}::text[], ${jobs.map((j) => j.name)}::text[], ${jobs.map((j) => j.type)}::text[],
      ${jobs.map((j) => j.mode)}::text[], ${jobs.map((j) => j.empresa_id)}::text[], ${jobs.map((j) => j.key)}::text[], ${jobs.map((j) => j.payload)}::text[],
      ${jobs.map((j) => j.due_at)}::timestamptz[], ${jobs.map((j) => j.run_at)}::timestamptz[],
      ${jobs.map((j) => j.max_attempts)}::integer[])
      as j (id, name, type, mode, empresa_id, key, payload, due_at, run_at, max_attempts)`
}
