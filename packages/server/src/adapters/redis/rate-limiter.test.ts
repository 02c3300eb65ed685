import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { REDIS, type RedisServer, startRedis } from '../../../test/support/redis-server.ts'
import { openLog } from '../../kernel/log.ts'
import { localRateLimiter, type RateLimiter, type Window } from '../../kernel/rate-limit.ts'
import { redisRateLimiter } from './rate-limiter.ts'

if (!REDIS)
  console.warn('skipped: no redis-server or valkey-server on this machine, rate limits on Redis are not tested')

let server: RedisServer
beforeAll(async () => {
  if (REDIS) server = await startRedis()
})
afterAll(() => server?.kill())

const window = (max: number, window_ms: number): Window => ({ key: `test|${randomUUID()}`, max, window_ms })

interface Opened {
  readonly limiter: RateLimiter
  readonly lines: string[]
}

/** One that waits for Redis however busy the machine is: only an absence that a test brings about counts. */
async function open(url = server.url, options = { answer_ms: 60_000 }): Promise<Opened> {
  const opened = openAlone(url, options)
  const client = new Redis(url)
  await until(async () => {
    const probe = window(1, 60_000)
    await opened.limiter.take([probe])
    return (await client.exists(keyOf(probe))) === 1
  })
  client.disconnect()
  return opened
}

/** The same without a look at whether anybody is there. */
function openAlone(url: string, options = {}): Opened {
  const lines: string[] = []
  const limiter = redisRateLimiter(url, openLog('info', { write: (line) => void lines.push(line) }), options)
  onTestFinished(() => limiter.close())
  return { limiter, lines }
}

const keyOf = ({ key }: Window) => `timbre:{rate}:${key}`

async function timed<T>(work: Promise<T>): Promise<{ ms: number; value: T }> {
  const started = performance.now()
  const value = await work
  return { ms: performance.now() - started, value }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_400; tries++) {
    if (await holds()) return
    await sleep(25)
  }
  throw new Error('it did not come to hold within a minute')
}

/**
 * More passes than allowed that all certainly lie within one window; each happened somewhere in its interval. Half a
 * window: Redis reads its clock once for many commands, and on a busy machine that reading may be old.
 */
function excess(passes: { start: number; end: number }[], { max, window_ms }: Window): number {
  const sorted = [...passes].sort((a, b) => a.start - b.start)
  return sorted.filter((first, i) => {
    const group = sorted.slice(i, i + max + 1)
    return group.length > max && Math.max(...group.map(({ end }) => end)) - first.start < window_ms / 2
  }).length
}

describe.skipIf(!REDIS)('the limiter on Redis', () => {
  it('lets two processes together pass no more than the limit in any window, and room comes back', async () => {
    const shared = window(40, 300)
    const limiters = [(await open()).limiter, (await open()).limiter]
    const passes: { start: number; end: number }[] = []
    const hammer = async (limiter: RateLimiter) => {
      for (let i = 0; i < 30; i++) {
        const attempt = async () => {
          const start = performance.now()
          const { allowed } = await limiter.take([shared])
          if (allowed) passes.push({ start, end: performance.now() })
        }
        await Promise.all(Array.from({ length: 20 }, attempt))
        await sleep(25)
      }
    }
    const { ms } = await timed(Promise.all(limiters.map(hammer)))
    expect(excess(passes, shared)).toBe(0)
    expect(passes.length).toBeGreaterThan(2 * 40)
    expect(passes.length).toBeLessThanOrEqual((Math.floor(ms / 300) + 1) * 40)
  })

  it('lets exactly the limit pass when all come at once', async () => {
    const shared = window(10, 5_000)
    const limiters = [(await open()).limiter, (await open()).limiter]
    const verdicts = await Promise.all(Array.from({ length: 100 }, (_, i) => limiters[i % 2]?.take([shared])))
    expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(10)
  })

  it('gives the verdicts of the limiter in process', async () => {
    const { limiter } = await open()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.subarray([0, 1, 2], { minLength: 1 }), { maxLength: 40 }), async (calls) => {
        const windows = [window(3, 60_000), window(7, 30_000), window(20, 60_000)]
        const local = localRateLimiter()
        for (const picked of calls) {
          const these = picked.map((i) => windows[i] as Window)
          const [there, here] = [await limiter.take(these), await local.take(these)]
          expect({ ...there, reset_seconds: 0 }).toEqual({ ...here, reset_seconds: 0 })
          expect(Math.abs(there.reset_seconds - here.reset_seconds)).toBeLessThanOrEqual(1)
        }
        await local.close()
      }),
      { numRuns: 25 },
    )
  })

  it('counts a call in every window or in none', async () => {
    const { limiter } = await open()
    const [narrow, wide] = [window(1, 60_000), window(5, 60_000)]
    await limiter.take([narrow])
    for (let i = 0; i < 8; i++) expect((await limiter.take([narrow, wide])).allowed).toBe(false)
    expect((await limiter.take([wide])).remaining).toBe(4)
  })

  it('gives back what was counted, for every process', async () => {
    const [one, two] = [(await open()).limiter, (await open()).limiter]
    const single = window(1, 60_000)
    await one.take([single])
    expect((await two.take([single])).allowed).toBe(false)
    await one.giveBack([single])
    expect((await two.take([single])).allowed).toBe(true)
    expect((await one.take([single])).allowed).toBe(false)
  })

  it('leaves no key behind once its window has passed, and puts all keys in one slot', async () => {
    const { limiter } = await open()
    const short = window(5, 1_000)
    await limiter.take([short])
    const client = new Redis(server.url)
    onTestFinished(() => client.disconnect())
    expect(await client.keys('*')).toContain(keyOf(short))
    await until(async () => (await client.exists(keyOf(short))) === 0)
  })
})

describe.skipIf(!REDIS)('while Redis is away', () => {
  it('goes on counting in the process from what had passed, says so once, and comes back by itself', async () => {
    const own = await startRedis()
    onTestFinished(() => own.kill())
    const { limiter, lines } = await open(own.url)
    const minute = window(10, 60_000)
    for (let i = 0; i < 4; i++) await limiter.take([minute])
    await own.kill()
    const rest = []
    for (let i = 0; i < 20; i++) rest.push(await limiter.take([minute]))
    expect(rest.filter(({ allowed }) => allowed)).toHaveLength(6)
    await sleep(300)
    expect(lines.filter((line) => line.includes('Redis is away'))).toHaveLength(1)

    await own.restart()
    await until(async () => {
      await limiter.take([window(1, 1_000)])
      return lines.some((line) => line.includes('Redis is back'))
    })
    const shared = window(2, 60_000)
    await limiter.take([shared])
    expect((await (await open(own.url)).limiter.take([shared])).remaining).toBe(0)
  })

  it('waits a quarter of a second once for a Redis that hangs, then not at all', async () => {
    const own = await startRedis()
    onTestFinished(() => own.kill())
    const { limiter } = await open(own.url, { answer_ms: 250 })
    const minute = window(100, 60_000)
    await limiter.take([minute])
    process.kill(own.pid, 'SIGSTOP')
    const first = await timed(limiter.take([minute]))
    const next = await timed(limiter.take([minute]))
    process.kill(own.pid, 'SIGCONT')
    expect([first.value.allowed, next.value.allowed]).toEqual([true, true])
    expect(next.ms).toBeLessThan(first.ms)
  })

  it('starts and limits where no Redis ever answered, and logs no password', async () => {
    const { limiter, lines } = openAlone('redis://:hunter2hunter2@127.0.0.1:1')
    await until(async () => lines.length > 0)
    const minute = window(2, 60_000)
    const verdicts = [await limiter.take([minute]), await limiter.take([minute]), await limiter.take([minute])]
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, false])
    expect(lines.join('')).toContain('Redis is away')
    expect(lines.join('')).not.toContain('hunter2')
  })
})
