import { Redis } from 'ioredis'
import { describeError, type Log } from '../../kernel/log.ts'
import { localRateLimiter, type RateLimiter, tightest, type Verdict, type Window } from '../../kernel/rate-limit.ts'

// All windows of a call are counted by one script, so they must live on one node: the hash tag puts every key into
// one slot of a cluster. One node counts far more calls a second than the processes in front of it can make.
const PREFIX = 'timbre:{rate}:'

/**
 * The same sliding log as in process: a list of times for each window, trimmed from the left, by the clock of Redis
 * alone, and from the right where that clock was ahead. Nothing is written unless every window has room. Numbers are written by `%.0f`: Lua would round them.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found, full = {}, false
for i, key in ipairs(KEYS) do
  local max, window = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local newest = tonumber(redis.call('LINDEX', key, -1) or nil)
  while newest and newest > now do
    redis.call('RPOP', key)
    newest = tonumber(redis.call('LINDEX', key, -1) or nil)
  end
  local oldest = tonumber(redis.call('LINDEX', key, 0) or nil)
  while oldest and oldest <= now - window do
    redis.call('LPOP', key)
    oldest = tonumber(redis.call('LINDEX', key, 0) or nil)
  end
  local used = redis.call('LLEN', key)
  if used >= max then full = true end
  found[i] = { used, oldest or now }
end
local answer = { full and 0 or 1, string.format('%.0f', now) }
for i, key in ipairs(KEYS) do
  if not full then
    redis.call('RPUSH', key, string.format('%.0f', now))
    redis.call('PEXPIRE', key, ARGV[2 * i])
  end
  answer[#answer + 1] = full and found[i][1] or found[i][1] + 1
  answer[#answer + 1] = string.format('%.0f', found[i][2])
end
return answer
`

const CONNECT_MS = 1_000
const ANSWER_MS = 250
/** After a failure nobody waits for Redis again before this much time has passed. */
const REST_MS = 1_000

type Reply = readonly (number | string)[]

interface Scripted {
  takeRate(keys: number, ...keysAndNumbers: (string | number)[]): Promise<Reply>
}

function openClient(url: string, answer_ms: number): Redis & Scripted {
  const client = new Redis(url, {
    connectTimeout: CONNECT_MS,
    commandTimeout: answer_ms,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
    scripts: { takeRate: { lua: TAKE } },
  })
  return client as Redis & Scripted
}

function verdictOf(windows: readonly Window[], [allowed, now, ...numbers]: Reply): Verdict {
  const states = windows.map((window, i) => ({
    window,
    used: Number(numbers[2 * i]),
    oldest: Number(numbers[2 * i + 1]),
  }))
  return tightest(states, Number(now), Number(allowed) === 1)
}

/**
 * Windows shared by every process. A limiter must not take the service down, so while Redis is away each process
 * counts by itself, going on from what it let pass before, and goes back to Redis on its own.
 */
export function redisRateLimiter(url: string, log: Log, options: { readonly answer_ms?: number } = {}): RateLimiter {
  const local = localRateLimiter()
  const redis = openClient(url, options.answer_ms ?? ANSWER_MS)
  let shared = true
  let rest_until = 0

  const lost = (error: unknown) => {
    rest_until = performance.now() + REST_MS
    if (shared) log.warn({ error: describeError(error) }, 'Redis is away: rate limits are counted in this process only')
    shared = false
  }
  const found = () => {
    if (!shared) log.info('Redis is back: rate limits are shared again')
    shared = true
  }
  redis.on('error', lost)
  redis.on('ready', () => {
    rest_until = 0
  })

  return {
    async take(windows) {
      if (redis.status !== 'ready' || performance.now() < rest_until) return local.take(windows)
      const keys = windows.map(({ key }) => PREFIX + key)
      const numbers = windows.flatMap(({ max, window_ms }) => [max, window_ms])
      try {
        const verdict = verdictOf(windows, await redis.takeRate(keys.length, ...keys, ...numbers))
        found()
        // What passes is noted here too: losing Redis must not hand everyone a fresh allowance.
        if (verdict.allowed) await local.take(windows)
        return verdict
      } catch (error) {
        lost(error)
        return local.take(windows)
      }
    },
    async giveBack(windows) {
      await local.giveBack(windows)
      if (windows.length === 0 || redis.status !== 'ready' || performance.now() < rest_until) return
      await Promise.all(windows.map(({ key }) => redis.rpop(PREFIX + key))).catch(lost)
    },
    async close() {
      redis.disconnect()
      await local.close()
    },
  }
}
