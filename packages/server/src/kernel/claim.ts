import { secondsFrom, systemNow } from './clock.ts'
import { type Fragment, listed, nothing, part, type Sql } from './db.ts'
import type { Pool } from './job.ts'
import { type ClaimedJob, LEASE_SECONDS, needsRecovery, UNPARKED } from './queue.ts'

/** A lane that is already being worked on, and how many more of its jobs may be claimed. */
export interface BusyLane {
  readonly lane: string
  readonly capacity: number
}

/** An account that had a turn: how many more places it may have, and the lane that its last turn was for. */
export interface AccountTurn {
  readonly account: string
  readonly room: number
  readonly after: string
}

export interface Claim {
  readonly worker: string
  readonly pool: Pool
  /** Accounts take turns: the walk goes on behind the account where the last one ended. */
  readonly after: string
  /** How many accounts get a turn: one lane of each is claimed from. */
  readonly accounts: number
  /** How many places one turn may fill. */
  readonly places: number
  /** How many an account that is not in `turns` may have. */
  readonly room: number
  readonly turns: readonly AccountTurn[]
  readonly busy: readonly BusyLane[]
  /** How many jobs of one idle lane may be claimed, by the name of the job; a name that is not here allows one. */
  readonly capacities: ReadonlyMap<string, number>
  /** How many jobs fill one place, by the name of the job; a name that is not here fills it alone. */
  readonly batches: ReadonlyMap<string, number>
  /** Jobs that this process runs already, before they are claimed. */
  readonly except?: readonly string[] | undefined
}

/** Whose turn a job waits for, as the walk names it: its account, or the platform itself. */
export function turnOf({ account_id }: Pick<ClaimedJob, 'account_id'>): string {
  return account_id ?? '-'
}
export const TURN = part`(coalesce(j.account_id, '-') collate "C")`

const open = (pool: Pool) => part`j.status = 'queued' and not j.parked and j.pool = ${pool}`

// While a test clock advances, it runs its own due jobs in order; workers skip them.
const NOT_ADVANCING = part`(j.mode is distinct from 'test' or not exists (
  select 1 from test_clock c where c.account_id = j.account_id and c.status = 'advancing'))`

/** A job that is due within this is polled for when it is; the others are found by the polls in between. */
export const SOON_SECONDS = 60

/** What a poll finds before it claims anything. */
export interface QueueHead {
  /** The pools that anybody waits in, while something is due in some of them. */
  readonly pools: readonly Pool[]
  /** When the next of those that are not due yet will be; null where that is not soon. */
  readonly next: Date | null
  /** Whether jobs wait to be unparked or taken from a silent worker; false where that was not asked. */
  readonly needs_recovery: boolean
}

/**
 * Looks at the ends of indexes alone. Most polls find nothing that is due, and a claim for every pool would take five times
 * as long to find the same. What the process has in memory, `except`, it need not find.
 */
export async function lookAtQueue(
  sql: Sql,
  pools: readonly Pool[],
  {
    asks_recovery = false,
    except = [],
  }: { readonly asks_recovery?: boolean; readonly except?: readonly string[] } = {},
): Promise<QueueHead> {
  const now = new Date(systemNow())
  const soon = secondsFrom(now, SOON_SECONDS)
  const recovery = asks_recovery ? part`union all select null, null, true where ${needsRecovery()}` : nothing
  const found = await sql<{ pool: Pool | null; run_at: Date | null; recovery: boolean }>`
    select p.pool, null::timestamptz as run_at, false as recovery from unnest(${pools}::text[]) as p (pool), lateral (
      select from job j where j.status = 'queued' and not j.parked and j.pool = p.pool and j.id <> all(${except}::text[])
      order by ${TURN} limit 1) j
    where (select run_at <= ${now} from job where ${UNPARKED} and id <> all(${except}::text[]) order by run_at limit 1)
    union all
    (select null, run_at, false from job where ${UNPARKED} and run_at > ${now} and run_at <= ${soon} order by run_at limit 1)
    ${recovery}`
  return {
    pools: found.flatMap(({ pool }) => pool ?? []),
    next: found.find(({ run_at }) => run_at !== null)?.run_at ?? null,
    needs_recovery: found.some((row) => row.recovery),
  }
}

/** An instant of ours as the clock of a job's owner tells it: what GET /jobs shows. Only what callers may read pays for it. */
function onClockOfOwner(at: Date): Fragment {
  return part`case when j.mode = 'test' and j.type is not null then coalesce((
    select coalesce(c.frozen_at, ${at}::timestamptz + make_interval(secs => c.offset_ms / 1000.0)) from test_clock c
    where c.account_id = j.account_id and c.empresa_id in ('', j.empresa_id) order by c.empresa_id desc limit 1),
    ${at}::timestamptz) else ${at}::timestamptz end`
}

// One probe of the index for each account, however many lanes and jobs it has: the walk jumps from account to account.
function accountsFrom({ pool, after }: Pick<Claim, 'pool' | 'after'>): Fragment {
  const next = (behind: Fragment) =>
    part`(select ${TURN} from job j where ${open(pool)} and ${TURN} > ${behind} order by ${TURN} limit 1)`
  return part`select ${next(part`${after}::text`)} as account
    union all select ${next(part`a.account`)} from accounts a where a.account is not null`
}

// The same within an account `a`, from lane to lane: behind the lane of its last turn to the end, then from the first
// one up to it.
function lanesOf({ pool }: Pick<Claim, 'pool'>): Fragment {
  const next = (behind: Fragment) => part`(
    select j.lane from job j where ${open(pool)} and ${TURN} = a.account and j.lane > ${behind} order by j.lane limit 1)`
  return part`
    with recursive onward as (
      select ${next(part`a.after`)} as lane
      union all select ${next(part`o.lane`)} from onward o where o.lane is not null
    ), again as (
      select ${next(part`''`)} as lane where a.after <> ''
      union all select ${next(part`o.lane`)} from again o where o.lane < a.after
    )
    select lane from onward where lane is not null
    union all select lane from again where lane <= a.after`
}

/** A lane to claim from, and how many of its jobs at most. */
export interface LaneClaim {
  readonly account: string
  readonly lane: string
  readonly capacity: number
}

interface Ready extends Pick<Claim, 'pool' | 'except'> {
  readonly account: Fragment
  readonly lane: Fragment
  readonly now: Date
}

const ready = ({ pool, account, lane, now, except = [] }: Ready) =>
  part`${open(pool)} and ${TURN} = ${account} and j.lane = ${lane} and j.run_at <= ${now} and ${NOT_ADVANCING}
    and j.id <> all(${except}::text[])`

/** Takes the jobs of lanes that are due, oldest first: the same as a turn of each, without the walk that finds them. */
export async function claimLanes(
  sql: Sql,
  { worker, pool, lanes, except }: Pick<Claim, 'worker' | 'pool' | 'except'> & { readonly lanes: readonly LaneClaim[] },
): Promise<ClaimedJob[]> {
  const now = new Date(systemNow())
  return sql<ClaimedJob>`
    with due as (
      select j.id from (select ${listed.text(lanes.map(({ account }) => account))} as account,
        ${listed.text(lanes.map(({ lane }) => lane))} as lane,
        ${listed.integer(lanes.map(({ capacity }) => capacity))} as capacity) a, lateral (
        select j.id from job j where ${ready({ pool, account: part`a.account`, lane: part`a.lane`, now, except })}
        order by j.run_at, j.id limit a.capacity for update skip locked
      ) j
    ), ${takeDue(worker, now)}`
}

/** Marks the jobs of `due` as taken and gives them, with the clock of their owner. */
function takeDue(worker: string, now: Date): Fragment {
  return part`taken as (
      update job j set status = 'running', worker = ${worker}, lease_until = ${secondsFrom(now, LEASE_SECONDS)},
        attempts = attempts + 1, started_at = coalesce(started_at, ${onClockOfOwner(now)})
      where id = any(array(select id from due))
      returning *
    )
    select t.id, t.name, t.lane, t.account_id, t.mode, t.empresa_id, t.payload, t.due_at, t.attempts, t.looks,
      t.max_attempts, coalesce(ce.offset_ms, ca.offset_ms) as offset_ms,
      case when ce.account_id is null then ca.frozen_at else ce.frozen_at end as frozen_at
    from taken t
    left join test_clock ca on t.mode = 'test' and ca.account_id = t.account_id and ca.empresa_id = ''
    left join test_clock ce on t.mode = 'test' and ce.account_id = t.account_id and ce.empresa_id = t.empresa_id
    order by t.run_at, t.id`
}

/**
 * Takes jobs that are due: from up to `accounts` accounts, of each from the next of its lanes, oldest first.
 * `skip locked` lets many workers claim at once without waiting for each other. The clock of the owner comes along.
 */
export async function claimJobs(sql: Sql, claim: Claim): Promise<ClaimedJob[]> {
  const now = new Date(systemNow())
  const { worker, pool, busy, turns, capacities, batches, except } = claim
  const names = [...capacities.keys()]
  const dueIn = (lane: Fragment) => ready({ pool, account: part`a.account`, lane, now, except })
  // All of it is looked up row by row: a join would sort ten thousand lanes first, and the next one is enough.
  const turn = part`select t.room, t.after from (select ${listed.text(turns.map((t) => t.account))} as account,
    ${listed.integer(turns.map((t) => t.room))} as room, ${listed.text(turns.map((t) => t.after))} as after) t
    where t.account = a.account`
  const busyLane = part`select b.capacity from (select ${listed.text(busy.map((b) => b.lane))} as lane,
    ${listed.integer(busy.map((b) => b.capacity))} as capacity) b where b.lane = l.lane`
  const kind = part`select c.capacity, c.batch from (select ${listed.text(names)} as name,
    ${listed.integer([...capacities.values()])} as capacity,
    ${listed.integer(names.map((name) => batches.get(name) ?? 1))} as batch) c
    where c.name = split_part(l.lane, '|', 1)`
  return sql<ClaimedJob>`
    with recursive accounts as (${accountsFrom(claim)}), due as (
      select j.id from (
        select a.account, l.lane, l.capacity from (
          select a.account, coalesce((select x.after from (${turn}) x), '') as after,
            coalesce((select x.room from (${turn}) x), ${claim.room}) as room
          from accounts a where a.account is not null
        ) a, lateral (
          select l.lane, least(coalesce((${busyLane}), (select k.capacity from (${kind}) k), 1),
            least(a.room, ${claim.places}) * coalesce((select k.batch from (${kind}) k), 1)) as capacity
          from (${lanesOf(claim)}) l
          where coalesce((${busyLane}), 1) > 0 and (select true from job j where ${dueIn(part`l.lane`)} limit 1)
          limit 1
        ) l
        where a.room > 0
        limit ${claim.accounts}
      ) a, lateral (
        select j.id from job j where ${dueIn(part`a.lane`)} order by j.run_at, j.id limit a.capacity for update skip locked
      ) j
    ), ${takeDue(worker, now)}`
}
