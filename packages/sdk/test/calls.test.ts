import { describe, expect, it } from 'vitest'
import { Timbre, UnexpectedAnswerError } from '../src/index.ts'
import { broken, type Fake, fake, refusal } from './fake-fetch.ts'

const RUT = '76192083-9'
const client = ({ fetch }: Fake, more = {}) =>
  new Timbre({ key: 'sk_test_secret', empresa: RUT, baseUrl: 'http://timbre.test', fetch, maxRetries: 0, ...more })
const failed = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  )
const sent = (service: Fake) => {
  const last = service.asked.at(-1)
  if (!last) throw new Error('nothing was sent')
  return last
}

describe('what is sent', () => {
  it('names the empresa to the operations that take it, and to no other', async () => {
    const service = fake({ body: { object: 'list', data: [], has_more: false, next_cursor: null } })
    const timbre = client(service)
    const empresaOf = async (call: PromiseLike<unknown>) => {
      await call
      return sent(service).headers['Svc-Empresa']
    }
    expect(await empresaOf(timbre.documents.get('doc_1'))).toBe(RUT)
    expect(await empresaOf(timbre.documents.list())).toBe(RUT)
    expect(await empresaOf(timbre.documents.list({}, { empresa: '77123456-9' }))).toBe('77123456-9')
    expect(await empresaOf(timbre.documents.list({}, { empresa: null }))).toBeUndefined()
    expect(await empresaOf(timbre.account.get())).toBeUndefined()
    expect(await empresaOf(timbre.events.list({}, { empresa: RUT }))).toBeUndefined()
    expect(await empresaOf(timbre.empresas.get('emp_1'))).toBeUndefined()
    expect(await empresaOf(timbre.errorCodes.list())).toBeUndefined()
    expect(await empresaOf(timbre.request('GET', '/documents'))).toBe(RUT)
    expect(await empresaOf(timbre.request('GET', '/v1/events?limit=1'))).toBeUndefined()
    expect(await empresaOf(timbre.request('POST', '/test_helpers/clock'))).toBeUndefined()
    expect(await empresaOf(timbre.request('POST', '/test_helpers/seed'))).toBe(RUT)
  })

  it('goes to /v1 with a key, to /dashboard with a session, to /account where that is, and without a key where none is needed', async () => {
    const service = fake({ body: {} })
    const addressOf = async (call: Promise<unknown>) => {
      await call
      const { url, headers } = sent(service)
      return [new URL(url).pathname, headers.Authorization, headers['Svc-Mode']]
    }
    const key = client(service, { baseUrl: 'http://timbre.test/v1/' })
    expect(await addressOf(key.documents.get('doc_1'))).toEqual([
      '/v1/documents/doc_1',
      'Bearer sk_test_secret',
      undefined,
    ])
    expect(await addressOf(key.sii.status())).toEqual(['/v1/sii/status', undefined, undefined])
    const session = client(service, { key: 'eyJ.token', mode: 'live' })
    expect(await addressOf(session.documents.get('doc_1'))).toEqual([
      '/dashboard/documents/doc_1',
      'Bearer eyJ.token',
      'live',
    ])
    expect(await addressOf(session.account.session())).toEqual(['/account/session', 'Bearer eyJ.token', undefined])
    expect(await addressOf(session.account.login({ email: 'a@b.cl', password: 'x' }))).toEqual([
      '/account/login',
      undefined,
      undefined,
    ])
    const operator = client(service, { operatorSecret: 'op' })
    await operator.onboarding.steps.take('emp_1', 'mandato', { operator: 'Ana', seen: 'x' } as never)
    expect(sent(service).headers).toMatchObject({ 'Svc-Operator-Secret': 'op' })
    expect(sent(service).headers.Authorization).toBeUndefined()
  })

  it('escapes what stands in a path, and refuses what would be another address', async () => {
    const service = fake({ body: {} })
    const timbre = client(service)
    await timbre.documents.get('a/b?c')
    expect(new URL(sent(service).url).pathname).toBe('/v1/documents/a%2Fb%3Fc')
    for (const id of ['', '.', '..', undefined, null, 7]) {
      expect(await failed(timbre.documents.get(id as string))).toMatchObject({ code: 'invalid_argument' })
    }
    expect(service.asked).toHaveLength(1)
  })

  it('leaves out of a query what is undefined, and spells the rest as the contract does', async () => {
    const service = fake({ body: { object: 'list', data: [], has_more: false, next_cursor: null } })
    await client(service).documents.list({ status: undefined, 'created_at[gte]': '2026-11-01T00:00:00Z', limit: 5 })
    expect([...new URL(sent(service).url).searchParams]).toEqual([
      ['created_at[gte]', '2026-11-01T00:00:00Z'],
      ['limit', '5'],
    ])
  })

  it('turns bytes of a file into base64, Buffers too', async () => {
    const service = fake({ body: {} })
    for (const file of [new Uint8Array([1, 2, 255]), Buffer.from([1, 2, 255])]) {
      await client(service).certificate.upload('emp_1', { file, password: 'x' })
      expect(JSON.parse(sent(service).body ?? '')).toEqual({ file: 'AQL/', password: 'x' })
    }
  })
})

describe('what comes back', () => {
  it('is the JSON of the contract, or nothing where nothing is answered', async () => {
    expect(await client(fake({ body: { id: 'doc_1', new_field: 1 } })).documents.get('doc_1')).toEqual({
      id: 'doc_1',
      new_field: 1,
    })
    expect(await client(fake({ status: 204 })).webhookEndpoints.delete('whe_1')).toBeUndefined()
  })

  it('is an error of its kind, with everything that the service said', async () => {
    const details = { step: 'mandato' }
    const service = fake(
      refusal(422, 'empresa_not_emitting', { param: 'tipo_dte', details, existing_id: 'doc_2', empresa: RUT }),
    )
    const error = await failed(client(service).documents.create({ tipo_dte: 33 } as never))
    expect(error).toMatchObject({
      name: 'UnprocessableError',
      code: 'empresa_not_emitting',
      message: 'It was refused: empresa_not_emitting.',
      hint: 'Do otherwise.',
      param: 'tipo_dte',
      status: 422,
      requestId: 'req_told',
      retriable: false,
      details,
      existingId: 'doc_2',
      empresa: RUT,
      docUrl: 'http://timbre.test/docs/errors/empresa_not_emitting',
    })
  })

  it('is an error with every fault of the input, or the one that it names where none are listed', async () => {
    const fault = (param: string) => ({ param, code: 'invalid_field', message: 'It was refused: invalid_field.' })
    const errors = [fault('receptor.giro'), fault('items[3].unit_price')]
    const faults = async (more: Record<string, unknown>) =>
      (await failed(client(fake(refusal(400, 'invalid_field', more))).documents.get('doc_1'))).errors
    expect(await faults({ param: 'receptor.giro', details: { errors } })).toEqual(errors)
    expect(await faults({ param: 'receptor.giro' })).toEqual([errors[0]])
    expect(await faults({ details: {} })).toEqual([])
  })

  it('is an AccountError with its first code, from /account', async () => {
    const data = { request_id: 'req_9', param: 'password', retry_after_seconds: 30 }
    const body = { status: 'error', message: 'Espera un momento.', data, errors: ['auth_throttled'] }
    const error = await failed(client(fake({ status: 429, body })).account.login({ email: 'a@b.cl', password: 'x' }))
    expect(error).toMatchObject({
      name: 'AccountError',
      code: 'auth_throttled',
      requestId: 'req_9',
      param: 'password',
      retryAfter: 30,
    })
  })

  it('is no answer of ours where a proxy or a page answers, also with 200', async () => {
    const html = { 'content-type': 'text/html' }
    for (const answer of [
      { status: 200, body: '<html>Log in</html>', headers: html },
      { status: 302, body: '', headers: { ...html, location: 'https://login.example.cl/' } },
      { status: 403, body: 'Forbidden', headers: html },
    ]) {
      const error = await failed(client(fake(answer)).documents.get('doc_1'))
      expect(error).toBeInstanceOf(UnexpectedAnswerError)
      expect(error.message).toContain(`HTTP ${answer.status}`)
      expect(error.hint).toContain('baseUrl')
    }
    const moved = await failed(
      client(fake({ status: 302, headers: { location: 'https://login.example.cl/' } })).documents.get('doc_1'),
    )
    expect(moved.message).toContain('https://login.example.cl/')
  })

  it('says that a proxy removes a header which was sent and is missed', async () => {
    const error = await failed(client(fake(refusal(400, 'empresa_header_required'))).documents.get('doc_1'))
    expect(error.hint).toContain('a proxy on the way removes it')
    const without = client(fake(refusal(400, 'empresa_header_required')), { empresa: undefined })
    expect((await failed(without.documents.get('doc_1'))).hint).toBe('Do otherwise.')
  })

  it('says where nobody answers, and why', async () => {
    for (const [code, why] of [
      ['ECONNREFUSED', 'nothing listens there'],
      ['ENOTFOUND', 'the name of the host is not known'],
      ['CERT_HAS_EXPIRED', 'connect CERT_HAS_EXPIRED'],
    ] as const) {
      const error = await failed(client(fake(broken(code))).documents.get('doc_1'))
      expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' })
      expect(error.message).toBe(`No answer from http://timbre.test: ${why}.`)
    }
  })
})

describe('the curl line of an error', () => {
  it('makes the same call, without the key and without a secret of the body', async () => {
    const service = fake(refusal(400, 'invalid_field'))
    const error = await failed(
      client(service).documents.create({ tipo_dte: 33, observations: "it's" } as never, { idempotencyKey: 'k1' }),
    )
    expect(error.curl).toBe(
      `curl -X POST 'http://timbre.test/v1/documents' -H "Authorization: Bearer $TIMBRE_KEY" -H 'Svc-Empresa: ${RUT}' ` +
        `-H 'Idempotency-Key: k1' -H 'Content-Type: application/json' -d '{"tipo_dte":33,"observations":"it'\\''s"}'`,
    )
    const upload = await failed(
      client(service).certificate.upload('emp_1', { file: new Uint8Array(9), password: 'hunter2' }),
    )
    expect(upload.curl).toContain('"password":"…"')
    expect(upload.curl).toContain('"file":"…"')
    for (const text of [upload.curl, error.curl, JSON.stringify(upload), String(upload.stack)]) {
      expect(text).not.toMatch(/hunter|sk_test_secret/)
    }
  })
})
