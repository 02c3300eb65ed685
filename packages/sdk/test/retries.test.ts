import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConnectionError, RateLimitError, Timbre, TimeoutError } from '../src/index.ts'
import { waitBefore } from '../src/retry.ts'
import { type Answer, broken, type Fake, fake, refusal } from './fake-fetch.ts'

const client = ({ fetch }: Fake, more = {}) =>
  new Timbre({ key: 'sk_test_x', baseUrl: 'http://timbre.test', fetch, ...more })
const ok: Answer = { status: 201, body: { object: 'document', id: 'doc_1', status: 'queued' } }
const boleta = { tipo_dte: 39, items: [{ description: 'Pan', quantity: 1, unit_price: 990 }] } as const

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Lets time pass until the call is over. */
async function over<T>(call: Promise<T>): Promise<T> {
  const settled = call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  await vi.runAllTimersAsync()
  const end = await settled
  if ('error' in end) throw end.error
  return end.value
}
const failed = (call: Promise<unknown>) =>
  over(call).then(
    () => expect.unreachable(),
    (error) => error,
  )

describe('a call that fails on its way', () => {
  it.each([
    ['a broken connection', broken('ECONNRESET')],
    ['429', refusal(429, 'rate_limited')],
    ['500', refusal(500, 'internal_error')],
    ['503', refusal(503, 'service_unavailable')],
    ['502 of the SII', refusal(502, 'sii_unreachable')],
    ['409 while the same key is still running', refusal(409, 'idempotency_in_progress', { retriable: true })],
    ['a 504 of a proxy', { status: 504, body: '<html>', headers: { 'content-type': 'text/html' } }],
  ])('is sent again after %s, under the key it was first sent with', async (_, first) => {
    const service = fake(first, first, ok)
    const document = await over(client(service).documents.create(boleta))
    expect(document.id).toBe('doc_1')
    const keys = service.asked.map(({ headers }) => headers['Idempotency-Key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(service.asked.map(({ body }) => body)).size).toBe(1)
  })

  it.each([
    refusal(400, 'receptor_incomplete'),
    refusal(401, 'invalid_api_key'),
    refusal(403, 'insufficient_scope'),
    refusal(404, 'document_not_found'),
    refusal(409, 'idempotency_key_reused', { retriable: false }),
    refusal(422, 'empresa_not_emitting'),
    refusal(503, 'contribuyentes_unavailable', { retriable: false }),
  ])('is not sent again after $body.error.code', async (answer) => {
    const service = fake(answer, ok)
    const error = await failed(client(service).documents.create(boleta))
    expect(error.code).toBe(answer.body.error.code)
    expect(service.asked).toHaveLength(1)
  })

  it('has a key of its own for each call, and keeps the one that the caller gave', async () => {
    const service = fake(ok)
    const timbre = client(service)
    for (const options of [{}, {}, { idempotencyKey: 'venta-88' }]) await over(timbre.documents.create(boleta, options))
    const [one, two, given] = service.asked.map(({ headers }) => headers['Idempotency-Key'])
    expect(one).not.toBe(two)
    expect(given).toBe('venta-88')
  })

  it('gives up after so many attempts, with what the last one said', async () => {
    const service = fake(refusal(503, 'service_unavailable'))
    const error = await failed(client(service, { maxRetries: 2 }).documents.create(boleta))
    expect(error).toMatchObject({ name: 'ApiError', code: 'service_unavailable', status: 503, requestId: 'req_told' })
    expect(service.asked).toHaveLength(3)
    expect(await failed(client(service).documents.get('doc_1', { maxRetries: 0 }))).toBeDefined()
    expect(service.asked).toHaveLength(4)
  })

  it('waits as long as it is asked to, and leaves a wait beyond a minute to the caller', async () => {
    const soon = { ...refusal(429, 'rate_limited'), headers: { 'retry-after': '7' } }
    const service = fake(soon, ok)
    const started = Date.now()
    await over(client(service).documents.create(boleta))
    expect(Date.now() - started).toBeGreaterThanOrEqual(7_000)

    const late = fake(refusal(502, 'sii_propagation', { retry_after_seconds: 600 }))
    const error = await failed(client(late).documents.create(boleta))
    expect(error).toMatchObject({ code: 'sii_propagation', retryAfter: 600, retriable: true })
    expect(late.asked).toHaveLength(1)
  })

  it('backs off twice as long each time up to a limit, half of it by chance', () => {
    const error = new ConnectionError({ code: 'connection_failed', message: '', retriable: true })
    const rule = { maxRetries: 99, longestWait: 60_000, repeatable: true }
    const waits = (chance: number) =>
      [0, 1, 2, 3, 4, 5, 6].map((attempt) => waitBefore(error, attempt, rule, () => chance))
    expect(waits(0)).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000])
    expect(waits(1)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
    const asked = new RateLimitError({ code: 'rate_limited', message: '', retriable: true, retryAfter: 2 })
    expect(waitBefore(asked, 0, rule, () => 0)).toBe(2_000)
    expect(waitBefore(asked, 0, rule, () => 1)).toBe(2_500)
  })

  it('is not repeated where it has no key and may have been done: a registration whose answer was lost', async () => {
    const answer = { status: 201, body: { status: 'success', message: '', data: {}, errors: [] } }
    for (const [lost, times] of [
      [broken('ECONNRESET'), 1],
      [{ status: 502, body: 'bad gateway' }, 1],
      [broken('ECONNREFUSED'), 2],
    ] as const) {
      const service = fake(lost, answer)
      await over(client(service).account.register({ email: 'a@example.cl', password: 'x' })).catch(() => undefined)
      expect(service.asked).toHaveLength(times)
    }
  })
})

describe('time and the caller’s signal', () => {
  const silent = () => fake(() => undefined as never)

  it('end an attempt that takes too long, which is tried again under the same key', async () => {
    const service = silent()
    const error = await failed(client(service, { timeout: 1_000, maxRetries: 1 }).documents.create(boleta))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ code: 'timed_out', retriable: true })
    expect(error.message).toContain('1 s')
    expect(new Set(service.asked.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1)
    expect(service.asked).toHaveLength(2)
  })

  it('end a call at once when the caller aborts, before it, during it and while it waits', async () => {
    const service = silent()
    const timbre = client(service)
    expect(await failed(timbre.documents.get('doc_1', { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'aborted',
    })
    expect(service.asked).toHaveLength(0)

    const during = new AbortController()
    const call = failed(timbre.documents.get('doc_1', { signal: during.signal }))
    during.abort(new Error('the shop closed'))
    expect(await call).toMatchObject({ code: 'aborted', cause: new Error('the shop closed') })

    const busy = fake({ ...refusal(429, 'rate_limited'), headers: { 'retry-after': '30' } })
    const waiting = new AbortController()
    const second = failed(client(busy).documents.get('doc_1', { signal: waiting.signal }))
    setTimeout(() => waiting.abort(), 5_000)
    expect(await second).toMatchObject({ code: 'aborted' })
    expect(busy.asked).toHaveLength(1)
  })
})
