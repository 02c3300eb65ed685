import { RETENTION } from '../catalog/retention.ts'
import { deleteExpiredSessions } from '../domain/platform/account/session.ts'
import { deleteUnusedNetworks } from '../domain/platform/account/usual-network.ts'
import { type AgentAuthenticator, recordGrantUses } from '../domain/platform/agent-grant/authenticate.ts'
import { deleteExpiredItems } from '../domain/platform/agent-grant/oauth-items.ts'
import { type Authenticator, recordKeyUses } from '../domain/platform/api-key/authenticate.ts'
import { deleteOldChanges } from '../domain/platform/lasting-change/lookup.ts'
import { forgetLetterCounts } from '../domain/platform/onboarding/letter-caps.ts'
import { deleteOldOperatorSessions } from '../domain/platform/operator-session/session.ts'
import { forgetEndedClaims } from '../domain/platform/rut-claim/lookup.ts'
import { deleteOldWeather } from '../domain/platform/sii-weather/lookup.ts'
import { cleanUpReception } from '../domain/receiving/received-document/mail-sources.ts'
import { daysFrom, secondsFrom } from '../kernel/clock.ts'
import type { Database } from '../kernel/db.ts'
import { everySecond } from '../kernel/every-second.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { maintainPartitions, makePartitions } from '../kernel/partition.ts'
import { deleteFinishedJobs } from '../kernel/queue.ts'
import { correctJobTimes } from '../kernel/queue-clock.ts'
import { moveRetention } from '../kernel/retention-clock.ts'
import { openWakeWatch } from '../kernel/wake.ts'
import type { SiiWeather } from '../ports/sii-weather.ts'

const USES_MS = 5_000
const CLEAN_UP_MS = 3_600_000

/** What a process counts in memory and writes down now and then, and what of the outside world it keeps for a while. */
interface Kept {
  readonly keys: Authenticator
  readonly agents: AgentAuthenticator
  readonly weather: Pick<SiiWeather, 'sweep'>
  /** Deletes tokens and sessions of the SII that it takes no longer. */
  readonly forgetLogins: (sql: Database['sql'], now: Date) => Promise<void>
}

/**
 * Records when keys and grants were last used and how the SII answered, creates partitions ahead of time, and deletes jobs, sessions, networks, tokens, lasting changes and
 * quarantined bytes past their retention: every hour. When the machine wakes up or its clock is set, partitions are made at
 * once and jobs timed anew that a wrong clock put off; nothing is deleted, for the clock may be wrong now.
 */
export function openHousekeeping(
  db: Database,
  { keys, agents, weather, forgetLogins }: Kept,
  log: Log,
): { stop(): Promise<void> } {
  const failed = (error: unknown) => log.warn({ error: describeError(error) }, 'a sweep failed and will run again')
  const recordUsage = async () => {
    const uses = keys.drainUses()
    if (uses.size > 0) await recordKeyUses(db.sql, uses)
    const acts = agents.drainUses()
    if (acts.size > 0) await recordGrantUses(db.sql, acts)
    await weather.sweep()
  }
  const cleanUp = async () => {
    const now = await moveRetention(db.sql)
    await maintainPartitions(db, undefined, now)
    await correctJobTimes(db.sql)
    await deleteFinishedJobs(db.sql, daysFrom(now, -RETENTION.finished_job_days))
    await deleteExpiredSessions(db.sql, secondsFrom(now, -RETENTION.strange_session_seconds))
    await deleteUnusedNetworks(db.sql, now)
    await deleteExpiredItems(db.sql, now)
    await forgetEndedClaims(db.sql, now)
    await forgetLetterCounts(db.sql, now)
    await cleanUpReception(db.sql, now)
    await forgetLogins(db.sql, now)
    await deleteOldChanges(db.sql, daysFrom(now, -RETENTION.lasting_change_days))
    await deleteOldOperatorSessions(db.sql, daysFrom(now, -RETENTION.lasting_change_days))
    await deleteOldWeather(db.sql, daysFrom(now, -RETENTION.sii_weather_days))
  }
  const look = openWakeWatch((jumped_ms) => {
    log.warn({ jumped_ms: Math.round(jumped_ms) }, 'the clock jumped: this machine slept, or its clock was set')
    void makePartitions(db)
      .then(() => correctJobTimes(db.sql))
      .catch(failed)
  })
  const timers = [
    setInterval(() => void recordUsage().catch(failed), USES_MS),
    setInterval(() => void cleanUp().catch(failed), CLEAN_UP_MS),
  ]
  for (const timer of timers) timer.unref()
  const stopLooking = everySecond(look)
  return {
    async stop() {
      stopLooking()
      for (const timer of timers) clearInterval(timer)
      await recordUsage().catch(failed)
    },
  }
}
