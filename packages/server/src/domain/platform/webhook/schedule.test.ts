import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letterTo, restOfPost } from '../../../../test/support/mailbox.ts'
import {
  eventually,
  type Hook,
  type HookOptions,
  openHook,
  type Shown,
} from '../../../../test/support/webhook-endpoint.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { WEBHOOK_SCHEDULE_SECONDS } from '../../../catalog/limits.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { nextAttemptAt, retryAfterSeconds } from './attempt.ts'

let world: World
const hooks: Hook[] = []
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  for (const hook of hooks) await hook.close()
  await world.close()
})

async function hooked(options?: HookOptions): Promise<Hook> {
  const hook = await openHook(world, { frozen: options?.account === undefined, ...options })
  hooks.push(hook)
  return hook
}

/** The delivery once its first attempt is written down. */
async function tried(hook: Hook, attempts = 1): Promise<Shown> {
  await eventually(async () => (await hook.deliveries())[0]?.attempts).toBe(attempts)
  return (await hook.deliveries())[0] as Shown
}

const seconds = (from: unknown, to: unknown) => (Date.parse(String(to)) - Date.parse(String(from))) / 1000

describe('the schedule', () => {
  it('is ten attempts over four days in live mode and four in test mode, each spread by a tenth', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    for (const mode of ['live', 'test'] as const) {
      const steps = WEBHOOK_SCHEDULE_SECONDS[mode]
      for (const [made, step] of steps.entries()) {
        const waits = Array.from({ length: 200 }, () => Number(nextAttemptAt(mode, made, 0, now)) - Number(now))
        expect(Math.min(...waits)).toBeGreaterThanOrEqual(step * 900)
        expect(Math.max(...waits)).toBeLessThanOrEqual(step * 1100)
        if (step > 0) expect(new Set(waits).size).toBeGreaterThan(50)
      }
      expect(nextAttemptAt(mode, steps.length, 0, now)).toBeNull()
    }
    expect(WEBHOOK_SCHEDULE_SECONDS.live).toHaveLength(10)
  })

  it('waits at least as long as the receiver asks, in seconds or until a date, and a day at most', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(retryAfterSeconds(429, '120', now)).toBe(120)
    expect(retryAfterSeconds(503, 'Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60)
    expect(retryAfterSeconds(503, 'Thu, 01 Jan 2015 00:01:00 GMT', now)).toBe(0)
    expect(retryAfterSeconds(429, '99999999', now)).toBe(86_400)
    for (const nothing of ['soon', '', '-5', '1e9']) expect(retryAfterSeconds(429, nothing, now)).toBe(0)
    expect(retryAfterSeconds(500, '120', now)).toBe(0)
    expect(retryAfterSeconds(429, null, now)).toBe(0)
    expect(nextAttemptAt('test', 1, 120, new Date(now))).toEqual(new Date(now + 120_000))
    expect(Number(nextAttemptAt('test', 3, 120, new Date(now))) - now).toBeGreaterThanOrEqual(270_000)
  })

  it('is followed by the clock of the account to its end, and then the delivery has failed', async () => {
    const hook = await hooked({ answers: 500 })
    await hook.happen()
    const first = await tried(hook)
    expect(first).toMatchObject({ status: 'pending', error: 'http_error', response_status: 500, finished_at: null })
    expect(Math.abs(seconds(first.created_at, first.next_attempt_at) - 5)).toBeLessThan(2)
    await hook.advance('PT1H')
    const [delivery] = await hook.settled()
    expect(delivery).toMatchObject({ status: 'failed', attempts: 4, error: 'http_error', next_attempt_at: null })
    const { attempt_log } = await hook.delivery(delivery?.id ?? '')
    expect(attempt_log).toMatchObject([1, 2, 3, 4].map((attempt) => ({ attempt, response_status: 500 })))
    const waits = attempt_log.slice(1).map(({ at }, i) => seconds(attempt_log[i]?.at, at))
    for (const [i, step] of [5, 60, 300].entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(step * 0.9 - 1)
      expect(waits[i]).toBeLessThanOrEqual(step * 1.1 + 1)
    }
    expect(hook.receiver.received).toHaveLength(4)
    expect(
      await world.db.sql`select 1 from job where account_id = ${hook.account} and name = 'webhook.deliver'`,
    ).toEqual([])
  })

  it('ends with the first success', async () => {
    const hook = await hooked({ answers: 503 })
    await hook.happen()
    await tried(hook)
    hook.receiver.behave(204)
    await hook.advance('PT10S')
    expect(await hook.settled()).toMatchObject([
      { status: 'succeeded', attempts: 2, response_status: 204, error: null },
    ])
  })

  it('gives way to Retry-After', async () => {
    const hook = await hooked({ answers: (response) => response.writeHead(429, { 'retry-after': '1800' }).end() })
    await hook.happen()
    const first = await tried(hook)
    expect(Math.abs(seconds(first.created_at, first.next_attempt_at) - 1800)).toBeLessThan(30)
    await hook.advance('PT20M')
    expect(hook.receiver.received).toHaveLength(1)
    hook.receiver.behave(200)
    await hook.advance('PT11M')
    expect(await hook.settled()).toMatchObject([{ status: 'succeeded', attempts: 2 }])
  })
})

describe('a test clock that goes back', () => {
  it('takes with it the attempts that wait: what was due in half an hour still is', async () => {
    const hook = await hooked({ answers: (response) => response.writeHead(429, { 'retry-after': '1800' }).end() })
    await hook.advance('P2M')
    await hook.happen()
    await tried(hook)
    await world.post('/v1/test_helpers/clock', { key: hook.key, body: { reset: true } })
    const waiting = await tried(hook)
    expect(waiting.status).toBe('pending')
    expect(seconds(new Date(systemNow()).toISOString(), waiting.next_attempt_at)).toBeLessThanOrEqual(1_800)
    hook.receiver.behave(200)
    await hook.advance('PT31M')
    expect(await hook.settled()).toMatchObject([{ status: 'succeeded', attempts: 2 }])
  })
})

describe('an endpoint that answers 410', () => {
  it('is disabled at once, and the account is told by an event and a letter', async () => {
    const hook = await hooked({ answers: 410 })
    const other = await hooked({ account: hook.account, body: { enabled_events: ['webhook_endpoint.*'] } })
    const before = (await world.get(hook.path, { key: hook.key })).body
    await hook.happen()
    const [told] = await other.receiver.atLeast(1)
    const after = (await world.get(hook.path, { key: hook.key })).body
    expect(after).toEqual({ ...before, status: 'disabled', disabled_reason: 'gone' })
    expect(told?.event).toMatchObject({
      type: 'webhook_endpoint.disabled',
      empresa: null,
      data: { object: after, previous_attributes: { status: 'enabled', disabled_reason: null } },
    })
    expect(await hook.deliveries()).toMatchObject([{ status: 'failed', attempts: 1, response_status: 410 }])
    const [account] = await world.db.sql<{ email: string }>`select email from account where id = ${hook.account}`
    const letter = await letterTo(world, account?.email ?? '', /webhooks/)
    expect(letter.text).toContain('410')
    expect(letter.text).toContain(hook.receiver.url)
    expect(letter.text).toContain(hook.id)
  })

  it('hears of nothing more until it is enabled again; what it missed is not sent by itself', async () => {
    const hook = await hooked({ answers: 410 })
    await hook.happen()
    await hook.settled()
    await eventually(async () => (await world.get(hook.path, { key: hook.key })).body.status).toBe('disabled')
    await hook.happen()
    hook.receiver.behave(200)
    await world.patch(hook.path, { key: hook.key, body: { status: 'enabled' } })
    await hook.happen()
    await hook.receiver.atLeast(2)
    expect((await hook.settled()).map(({ status }) => status)).toEqual(['succeeded', 'failed'])
  })

  it('names nothing that was typed by an account whose address is not confirmed, and writes five letters a day', async () => {
    const account = await world.account({ verified: false })
    const hook = await hooked({ account, answers: 410 })
    const [{ email } = { email: '' }] = await world.db.sql<{
      email: string
    }>`select email from account where id = ${account}`
    for (let i = 1; i <= 7; i++) {
      await hook.happen()
      await eventually(async () => (await world.get(hook.path, { key: hook.key })).body.status).toBe('disabled')
      await world.patch(hook.path, { key: hook.key, body: { status: 'enabled' } })
    }
    await restOfPost(world)
    const letters = world.letters.filter(({ to }) => to === email)
    expect(letters).toHaveLength(5)
    expect(letters[0]?.text).not.toContain('127.0.0.1')
    expect((await world.get('/v1/events?type=webhook_endpoint.disabled', { key: hook.key })).body.data).toHaveLength(7)
  })
})

describe('an endpoint that keeps failing', () => {
  const isDisabled = async (hook: Hook) => {
    const { status, disabled_reason } = (await world.get(hook.path, { key: hook.key })).body
    return [status, disabled_reason]
  }

  it('is disabled after five days without a success, ten failures and two events', async () => {
    const hook = await hooked({ answers: 500 })
    await hook.happen()
    await tried(hook)
    await hook.happen()
    await tried(hook)
    await hook.advance('P4D')
    for (let i = 0; i < 3; i++) {
      await hook.happen()
      await tried(hook)
    }
    await hook.advance('PT12H')
    expect(hook.receiver.received.length).toBeGreaterThan(10)
    expect(await isDisabled(hook)).toEqual(['enabled', null])
    await hook.advance('PT13H')
    await hook.happen()
    await eventually(() => isDisabled(hook)).toEqual(['disabled', 'failing'])
    const { body } = await world.get('/v1/events?type=webhook_endpoint.disabled', { key: hook.key })
    expect(body.data).toHaveLength(1)
    const [account] = await world.db.sql<{ email: string }>`select email from account where id = ${hook.account}`
    expect((await letterTo(world, account?.email ?? '', /webhooks/)).text).toContain('cinco días')
  })

  it('ends what waited when it is disabled, and says why', async () => {
    const hook = await hooked({ answers: 500 })
    await hook.happen()
    await tried(hook)
    await world.patch(hook.path, { key: hook.key, body: { status: 'disabled' } })
    await hook.advance('PT10S')
    expect(await hook.settled()).toMatchObject([{ status: 'failed', error: 'endpoint_disabled', attempts: 1 }])
    expect(hook.receiver.received).toHaveLength(1)
  })

  it('starts afresh with a success, and when it is enabled again', async () => {
    const hook = await hooked({ answers: 500 })
    const failures = async () => {
      const [row] = await world.db.sql<{ failures: number; failing_since: Date | null }>`
        select failures, failing_since from webhook_endpoint where id = ${hook.id}`
      return [row?.failures, row?.failing_since === null]
    }
    await hook.happen()
    await tried(hook)
    await hook.advance('PT10M')
    expect(await failures()).toEqual([4, false])
    hook.receiver.behave(200)
    await hook.happen()
    await eventually(failures).toEqual([0, true])
    hook.receiver.behave(500)
    await hook.happen()
    await eventually(failures).toEqual([1, false])
    for (const status of ['disabled', 'enabled']) await world.patch(hook.path, { key: hook.key, body: { status } })
    expect(await failures()).toEqual([0, true])
  })

  it('is not given up for one event alone, however often that failed', async () => {
    const hook = await hooked({ answers: 500 })
    await hook.happen()
    await hook.advance('PT1H')
    const [delivery] = await hook.settled()
    await hook.advance('P6D')
    for (let i = 0; i < 12; i++) await world.post(`${hook.path}/deliveries/${delivery?.id}/retry`, { key: hook.key })
    await hook.receiver.atLeast(16)
    await hook.settled()
    expect(await isDisabled(hook)).toEqual(['enabled', null])
  })
})
