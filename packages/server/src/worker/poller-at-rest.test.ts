import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Sql } from '../kernel/db.ts'
import { secondTimer } from '../kernel/every-second.ts'
import { openPoller, type Poller } from './poller.ts'

let poller: Poller
/** Looks at the queue, each with the question whether jobs are to be taken from a silent worker. */
let looks = 0
let recoveries = 0
/** What the next look finds. */
let found: object[] = []

beforeEach(() => {
  vi.useFakeTimers()
  looks = 0
  recoveries = 0
  found = []
  const sql = (async (_strings: TemplateStringsArray, ...values: unknown[]) => {
    looks++
    if (JSON.stringify(values).includes('lease_until')) recoveries++
    return found.splice(0)
  }) as unknown as Sql
  const log = { error: () => undefined } as never
  const perform = async () => undefined
  // A timer of its own: that of the process goes by real time where a service of another file is open.
  const own = { everySecond: secondTimer() }
  poller = openPoller({ sql, worker: 'w', jobs: [], log, perform, performLate: async () => true, ...own })
})
afterEach(async () => {
  await poller.stop()
  vi.useRealTimers()
})

/** How often it looked meanwhile. */
async function looksIn(seconds: number): Promise<number> {
  const before = looks
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  return looks - before
}

describe('a process to which nothing comes', () => {
  it('looks at the queue every second, after half a minute every other, and each time for what silent workers left', async () => {
    expect(await looksIn(29)).toBe(29)
    await looksIn(3)
    expect(await looksIn(30)).toBe(15)
    expect(recoveries).toBe(looks)
  })

  it('looks every second again once something came, from another process or from this one, or was found by looking', async () => {
    const find = () => void found.push({ pool: 'work', run_at: null, recovery: false })
    const came = [() => poller.wake(), () => void poller.expect([]), find]
    for (const come of came) {
      await looksIn(60)
      come()
      // What is looked at more often for three seconds is another matter.
      await looksIn(5)
      expect(await looksIn(20)).toBe(20)
    }
  })
})
