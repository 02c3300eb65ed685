import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  AbortedError,
  Timbre,
  TimbreError,
  TimeoutError,
  UnexpectedAnswerError,
  UsageError,
  webhooks,
} from '../src/index.ts'
import { fake, refusal } from './fake-fetch.ts'

const BOLETA = { tipo_dte: 39, items: [{ description: 'Café', unit_price: 1990 }] } as const
const open = (service: { fetch: typeof fetch }, more: object = {}) =>
  new Timbre({ key: 'sk_test_secreto', fetch: service.fetch, ...more })
const failure = async (call: PromiseLike<unknown>): Promise<TimbreError> =>
  Promise.resolve(call).then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error,
  )

afterEach(() => void vi.useRealTimers())

describe('the curl line of an error', () => {
  it('holds no private key, password, token or address with one, wherever they stand', async () => {
    const service = fake(refusal(400, 'invalid_request'))
    const timbre = open(service, { maxRetries: 0 })
    const private_key = '<RSASK>MIIBOwIBAAJBAL</RSASK>'
    const errors = [
      await failure(timbre.cafs.upload({ caf: private_key })),
      await failure(timbre.webhookEndpoints.create({ url: 'https://u:PW1@h.example/x?t=TOK1', enabled_events: ['*'] })),
      await failure(
        timbre.request('POST', '/x', {
          query: { token: 'TOK2' },
          body: { api_key: 'K3', nested: { client_secret: ['K4'] }, Password: 'PW5' },
          headers: { authorization: 'Bearer K6', Cookie: 'K7', 'X-Mine': 'K8' },
        }),
      ),
    ]
    for (const error of errors) {
      expect(error.curl).toContain('curl -X POST')
      for (const secret of ['RSASK', 'PW', 'TOK', 'K3', 'K4', 'K6', 'K7', 'K8', 'secreto'])
        expect(`${error.curl} ${error.message} ${JSON.stringify(error)}`).not.toContain(secret)
    }
  })

  it('stands beside messages that repeat no header and no address that could hold a secret', async () => {
    const service = fake({})
    const bad = await failure(open(service).request('GET', '/x', { headers: { 'X-Key': 'K9\nX: y' } }))
    expect(bad).toBeInstanceOf(UsageError)
    expect(bad.message).not.toContain('K9')
    for (const baseUrl of ['https://u:PW@h/?x', 'ftp://u:PW@h', 'https://u:PW@h:99999']) {
      expect(() => new Timbre({ key: 'sk_test_x', baseUrl })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('PW') }),
      )
    }
  })
})

describe('what a caller needs so that nothing is issued twice', () => {
  it('is the key, on every error of a call that was sent', async () => {
    const service = fake(refusal(422, 'totals_mismatch'))
    const own = await failure(open(service).documents.create(BOLETA, { idempotencyKey: 'venta-1' }))
    expect(own.idempotencyKey).toBe('venta-1')
    const stop = new AbortController()
    const hangs = failure(open(fake(() => undefined as never)).documents.create(BOLETA, { signal: stop.signal }))
    stop.abort()
    expect(await hangs).toMatchObject({ code: 'aborted', idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  it('is the document that was issued, whatever ends the wait for its end', async () => {
    const issued = { status: 201, headers: { 'svc-poll-after': '0' }, body: { id: 'doc_1', status: 'queued' } }
    for (const then of [
      refusal(401, 'invalid_key'),
      { status: 200, body: '<html>' },
      refusal(404, 'document_not_found'),
    ]) {
      const error = await failure(open(fake(issued, then), { maxRetries: 0 }).documents.createAndWait(BOLETA))
      expect(error.details).toMatchObject({ last: { id: 'doc_1' } })
    }
  })

  it('is that a key which no header can carry is refused before anything is sent', async () => {
    const service = fake({ status: 201, body: {} })
    for (const idempotencyKey of ['', 'venta-→', 'a\nb'])
      expect(await failure(open(service).documents.create(BOLETA, { idempotencyKey }))).toBeInstanceOf(UsageError)
    expect(await failure(open(service).documents.create(BOLETA, { empresa: '7\n6' }))).toBeInstanceOf(UsageError)
    expect(service.asked).toEqual([])
  })
})

describe('a hook of the caller that fails', () => {
  it.each([
    ['throws', () => Promise.reject],
    ['rejects', () => Promise.reject(new Error('the log is full'))],
  ])('sends nothing again when it %s', async (how, result) => {
    const service = fake({ status: 201, body: { id: 'doc_1' } })
    const onAnswer = () => {
      if (how === 'throws') throw Object.assign(new Error('the log is full'), { code: 'ECONNREFUSED' })
      return result()
    }
    expect(await open(service, { onAnswer }).documents.create(BOLETA)).toMatchObject({ id: 'doc_1' })
    expect(service.asked).toHaveLength(1)
  })
})

describe('an answer that is not ours', () => {
  it.each([['""'], ['null'], ['[]'], ['"ok"'], ['']])('is told as such, and is no document: %s', async (body) => {
    const error = await failure(open(fake({ status: 200, body }), { maxRetries: 0 }).documents.get('doc_1'))
    expect(error).toBeInstanceOf(UnexpectedAnswerError)
  })

  it('is told as such where a page stands in place of a file', async () => {
    const page = { status: 200, body: '<html>Log in</html>', headers: { 'content-type': 'text/html; charset=utf-8' } }
    expect(await failure(open(fake(page)).documents.pdf('doc_1'))).toBeInstanceOf(UnexpectedAnswerError)
  })

  it('is told as such where a list names the page it is, or none, as the next', async () => {
    const list = (next_cursor: string | null) => ({
      body: { object: 'list', data: [{ id: 'x' }], has_more: true, next_cursor },
    })
    for (const answers of [[list('c1'), list('c1')], [list(null)]]) {
      const all = async () => {
        for await (const _ of open(fake(...answers)).documents.list());
      }
      expect(await failure(all())).toBeInstanceOf(UnexpectedAnswerError)
    }
    expect(await failure(open(fake({ body: {} })).documents.list())).toBeInstanceOf(UnexpectedAnswerError)
  })

  it('may go on for ever, and is read no further than an answer of ours could be', async () => {
    let sent = 0
    let cancelled = false
    const chunk = new Uint8Array(4 * 1024 * 1024).fill(0x20)
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += chunk.length
        controller.enqueue(chunk)
      },
      cancel: () => {
        cancelled = true
      },
    })
    const fetch = async () => new Response(endless, { headers: { 'content-type': 'application/json' } })
    const error = await failure(open({ fetch: fetch as never }).documents.get('doc_1'))
    expect(error).toBeInstanceOf(UnexpectedAnswerError)
    expect([cancelled, error.retriable]).toEqual([true, false])
    expect(sent).toBeLessThan(80 * 1024 * 1024)
  })

  it('may name its error after anything without being sent again', async () => {
    const service = fake({ status: 400, body: { error: { type: 'constructor', code: 'x', message: 'No.' } } })
    expect(await failure(open(service).documents.create(BOLETA))).toBeInstanceOf(TimbreError)
    expect(service.asked).toHaveLength(1)
  })
})

describe('a wait', () => {
  it('of a month is a wait, and not a loop', async () => {
    vi.useFakeTimers()
    const month = { ...refusal(429, 'rate_limited'), headers: { 'retry-after': String(30 * 86_400) } }
    const service = fake(month)
    const events = open(service).events.follow({ after: 'evt_1' })
    void events.next().catch(() => undefined)
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(service.asked).toHaveLength(1)
  })

  it('without an end ends with the answer, and one that is no number is refused', async () => {
    const service = fake({ body: { id: 'doc_1', status: 'accepted' } })
    expect(await open(service, { timeout: Number.POSITIVE_INFINITY }).documents.get('doc_1')).toMatchObject({
      id: 'doc_1',
    })
    expect(() => open(service, { maxRetries: Number.NaN })).toThrow(UsageError)
    expect(await failure(open(service).documents.wait('doc_1', { waitAtMost: -1 }))).toBeInstanceOf(UsageError)
    for (const id of ['', '..', '.']) expect(await failure(open(service).documents.wait(id))).toBeInstanceOf(UsageError)
  })

  it.each(['abc', -5, {}])('is not shortened by a body that asks to wait %j', async (retry_after_seconds) => {
    vi.useFakeTimers()
    const service = fake(refusal(429, 'rate_limited', { retry_after_seconds }))
    const done = failure(open(service).documents.get('doc_1'))
    await vi.advanceTimersByTimeAsync(200)
    expect(service.asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(60_000)
    await done
  })
})

describe('a file that stalls', () => {
  const stalls = (signals: (AbortSignal | undefined)[] = []) => ({
    fetch: (async (_: unknown, { signal }: RequestInit) => {
      signals.push(signal ?? undefined)
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array([1]))
          signal?.addEventListener('abort', () => controller.error(signal.reason))
        },
      })
      return new Response(body, { headers: { 'content-type': 'application/pdf' } })
    }) as typeof fetch,
  })

  it('ends with the time limit of a call, and with the signal of its caller', async () => {
    const late = await open(stalls()).documents.pdf('doc_1', {}, { timeout: 50 })
    expect(await failure(late.bytes())).toBeInstanceOf(TimeoutError)
    const stop = new AbortController()
    const stopped = await open(stalls()).documents.pdf('doc_1', {}, { signal: stop.signal })
    const reading = failure(stopped.bytes())
    stop.abort()
    expect(await reading).toBeInstanceOf(AbortedError)
  })
})

describe('webhooks.verify', () => {
  const now = 1_800_000_000
  const header = { 'svc-signature': `t=${now},v1=${'0'.repeat(64)}` }
  const codeOf = async (...given: unknown[]) =>
    (webhooks.verify as (...given: unknown[]) => Promise<unknown>)(...given).then(
      () => 'taken',
      (error) => error.code,
    )

  it('answers whatever a stranger sends, or a caller forgot, with an error of its own', async () => {
    const deep = '['.repeat(8_000) + ']'.repeat(8_000)
    expect(await codeOf(deep, header, 'whsec_x', { now })).toBe('signature_mismatch')
    for (const secret of [undefined, null, 5, [5], [undefined]])
      expect(await codeOf('{}', header, secret, { now })).toBe('signature_mismatch')
    for (const headers of [undefined, null, 7, { 'svc-signature': 5 }, { get: () => 5 }])
      expect(await codeOf('{}', headers, 'whsec_x', { now })).toBe('signature_header_missing')
    expect(await codeOf('{}', header, 'whsec_x', null)).toBe('signature_expired')
  })
})
