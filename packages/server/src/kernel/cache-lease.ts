import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemNow } from './clock.ts'
import type { Sql } from './db.ts'
import type { Listener } from './listen.ts'

/** The channel on which a process asks the others whether they have dropped everything announced before. */
export const BARRIER = 'timbre_barrier'

const LEASE_MS = 2_000
const RENEW_MS = 500
/** After so long without a question to memory the lease is let go: a process that nobody calls leaves the database in peace. */
const UNUSED_MS = 30_000
/** A process that is well answers within milliseconds; one that is busy or cut off is not waited for any longer. */
const GRACE_MS = 250

/**
 * A process's right to serve rows from memory: for two seconds, renewed twice a second on the very connection that
 * carries announcements. A process whose event loop stood still or whose connection is gone finds the lease ended when
 * it looks, and reads from the database. Nothing is asked for during a request. One that nobody calls renews nothing; the first
 * who calls again is answered from the database, and has the lease taken anew.
 *
 * `settle` is the other side: after a commit that made rows stale it returns once no process can serve the old ones.
 * Each has said that it dropped them, or its lease was taken away and has run out. The row of a lease ends no earlier
 * than its holder believes, as the holder counts from before it asked; clocks need not agree, only run equally fast.
 */
export interface CacheLease {
  /** Whether rows may be served from memory at this very moment. */
  readonly held: boolean
  /** Called when rows read so far must not be served: announcements may have been missed. */
  onLapse(forget: () => void): void
  settle(): Promise<void>
  close(): Promise<void>
}

const RENEW = `update cache_lease set expires_at = clock_timestamp() + make_interval(secs => $2) where process_id = $1
  returning 1`
// Whoever takes a lease serves nothing read before: all that was announced so far counts as dropped.
const TAKE = `insert into cache_lease (process_id, expires_at, acknowledged)
  select $1, clock_timestamp() + make_interval(secs => $2), case when is_called then last_value else 0 end
  from cache_barrier
  on conflict (process_id) do update set expires_at = excluded.expires_at, acknowledged = excluded.acknowledged`
const ACKNOWLEDGE = 'update cache_lease set acknowledged = greatest(acknowledged, $2) where process_id = $1'

/** Milliseconds that neither a clock set back nor a machine that slept can stretch. */
interface Instant {
  readonly steady: number
  readonly wall: number
}
const now = (): Instant => ({ steady: performance.now(), wall: systemNow() })

export async function openCacheLease(sql: Sql, listener: Listener, unused_ms = UNUSED_MS): Promise<CacheLease> {
  const process_id = randomUUID()
  const lapseHandlers: (() => void)[] = []
  let since: Instant | null = null
  let closed = false
  let asked_at = performance.now()

  const isHeld = () => {
    if (since === null) return false
    const { steady, wall } = now()
    return steady - since.steady < LEASE_MS && wall - since.wall < LEASE_MS
  }
  const lapse = () => {
    since = null
    for (const forget of lapseHandlers) forget()
  }
  const renew = async () => {
    const began = now()
    const renewed = await listener.query(RENEW, [process_id, LEASE_MS / 1000])
    if (renewed.length > 0 && isHeld()) {
      since = closed ? null : began
      return
    }
    // Taken away, or over: what was read under it, or is being read, may have changed unheard.
    lapse()
    const taken = now()
    await listener.query(TAKE, [process_id, LEASE_MS / 1000])
    lapse()
    since = closed ? null : taken
  }
  const tryRenew = () => renew().catch(() => undefined)

  listener.onLost(lapse)
  listener.on(BARRIER, (barrier) => {
    // Announcements arrive in the order of their commits: all that came before the barrier are dropped by now.
    void listener.query(ACKNOWLEDGE, [process_id, barrier]).catch(() => undefined)
  })
  await tryRenew()
  let renewing = false
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  const renewUnlessUnused = () => {
    if (performance.now() - asked_at > unused_ms) return stop()
    if (renewing || !listener.connected) return
    renewing = true
    // A connection can go silent: an answer that never comes must not keep the next one from being asked for.
    void Promise.race([tryRenew(), sleep(LEASE_MS, null, { ref: false })]).finally(() => {
      renewing = false
    })
  }
  const start = () => {
    timer = setInterval(renewUnlessUnused, RENEW_MS).unref()
  }
  start()

  const lagging = async (barrier: number) => {
    const [row] = await sql<{ found: boolean }>`
      select exists (select from cache_lease where process_id <> ${process_id} and acknowledged < ${barrier}) as found`
    return row?.found ?? false
  }
  /**
   * Takes the leases of those that said nothing, and gives the time that the last of them has left. Until then their rows stay, under a name
   * that is nobody's: they are not renewed, and whoever else waits finds them too.
   */
  const evict = async (barrier: number) => {
    const rows = await sql<{ left_ms: number }>`
      update cache_lease set process_id = gen_random_uuid() where process_id <> ${process_id} and acknowledged < ${barrier}
      returning ceil(extract(epoch from expires_at - clock_timestamp()) * 1000)::integer as left_ms`
    return Math.max(0, ...rows.map(({ left_ms }) => left_ms))
  }

  return {
    get held() {
      asked_at = performance.now()
      if (timer === undefined && !closed) {
        start()
        renewUnlessUnused()
      }
      return isHeld()
    },
    onLapse: (forget) => void lapseHandlers.push(forget),
    async settle() {
      // After the commit: a number given later than another stands behind everything that other one waits for.
      const [asked] = await sql<{ barrier: number; others: boolean }>`
        with asked as materialized (select nextval('cache_barrier') as barrier)
        select barrier, pg_notify(${BARRIER}, barrier::text),
          exists (select from cache_lease where process_id <> ${process_id}) as others
        from asked`
      if (!asked?.others) return
      const patience = performance.now() + GRACE_MS
      for (let wait = 1; performance.now() < patience; wait = Math.min(wait * 2, 32)) {
        await sleep(wait)
        if (!(await lagging(asked.barrier))) return
      }
      // A timer may fire a moment early.
      await sleep((await evict(asked.barrier)) + 10)
      await sql`delete from cache_lease where expires_at <= clock_timestamp() and acknowledged < ${asked.barrier}`
    },
    async close() {
      closed = true
      stop()
      lapse()
      await sql`delete from cache_lease where process_id = ${process_id}`.catch(() => undefined)
    },
  }
}
