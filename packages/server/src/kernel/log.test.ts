import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../test/support/world.ts'
import { defineOperation } from '../domain/operation.ts'
import { OPERATIONS } from '../operations.ts'
import { newId, randomSecret } from './id.ts'
import { describeError, openLog, scrub } from './log.ts'
import { Closed } from './schema.ts'

const secrets = {
  key: `sk_test_${randomSecret()}`,
  root: `sk_live_root_${randomSecret()}`,
  webhook: `whsec_${Buffer.from(randomSecret()).toString('base64')}`,
  session: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhY2N0In0.${randomSecret()}`,
  url: 'redis://user:hunter2hunter2@cache.internal:6379',
}

describe('scrubbing', () => {
  it.each(Object.entries(secrets))('cuts a %s out of any text', (_kind, secret) => {
    const tail = secret.includes('hunter2') ? 'hunter2hunter2' : secret.slice(-20)
    for (const text of [secret, `before ${secret} after`, `{"x":"${secret}"}`, `Authorization: Bearer ${secret}`]) {
      expect(scrub(text)).not.toContain(tail)
      expect(scrub(text)).toContain('[secret]')
    }
  })

  it('leaves ordinary text alone', () => {
    const text = 'connect ECONNREFUSED 127.0.0.1:5432 at http://127.0.0.1:3000/v1/account for key_01abc'
    expect(scrub(text)).toBe(text)
  })
})

describe('what is told of an error', () => {
  it('is its kind and place, without the row a database error quotes', () => {
    const error = Object.assign(new Error('duplicate key value (email)=(ana@example.cl)'), {
      severity: 'ERROR',
      code: '23505',
      constraint: 'account_email',
      detail: 'Key (email)=(ana@example.cl) already exists.',
    })
    const told = describeError(error)
    expect(told).toMatchObject({ code: '23505', constraint: 'account_email' })
    expect(JSON.stringify(told)).not.toContain('ana@example.cl')
  })
})

/** Fails as badly as a verb can: with everything it must not tell in its message. */
const fail = defineOperation({
  id: 'probe.fail',
  method: 'POST',
  path: '/probe',
  summary: 'Fail',
  reach: 'account',
  body: Closed({ note: Type.String() }),
  returns: Closed({}),
  async run() {
    throw new Error(`select * from account where secret = '${secrets.key}' and hook = '${secrets.webhook}'`)
  },
})

describe('a whole life of the service', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ operations: [...OPERATIONS, fail] })
  })
  afterAll(() => world.close())

  it('leaves no secret in any log line and no stack, SQL or secret in any answer', async () => {
    const account = await world.account()
    const key = await world.key(account)
    const session = await world.session(account)
    const answers = [
      await world.post('/v1/probe', { key, body: { note: 'a note of the customer' } }),
      await world.post('/v1/probe', { key, raw: `{"note": ${secrets.webhook}` }),
      await world.get(`/v1/jobs/${secrets.key}`, { key }),
      await world.get(`/v1/account?token=${secrets.key}`, { key }),
      await world.get(`/v1/account`, { key: secrets.root }),
      await world.get(`/nowhere/${secrets.key}?x=${secrets.webhook}`),
      await world.get('/dashboard/account', { session, mode: 'test' }),
      await world.get('/dashboard/account', { session: `${session}x` }),
      await world.post('/account/login', { body: { email: 'ana@example.cl', password: 'hunter2hunter2' } }),
      await world.get('/v1/account', { key, headers: { 'svc-operator-secret': 'operator-secret-value' } }),
    ]
    expect(answers[0]?.body.error).toMatchObject({ code: 'internal_error', message: 'Something failed on our side.' })
    for (const { text } of answers) expect(text).not.toMatch(/\bat \S+ \(|\.ts:\d+|node_modules|select \*|hunter2/)
    expect(answers[0]?.text).not.toContain('sk_test_')
    const log = world.log_lines.join('')
    expect(log).toContain('unexpected error')
    for (const secret of [
      key,
      session,
      ...Object.values(secrets),
      'hunter2',
      'operator-secret-value',
      'a note of the customer',
      'ana@example.cl',
    ]) {
      expect(log).not.toContain(secret)
      expect(log).not.toContain(secret.slice(-24))
    }
  })

  it('says of each answer what was called, how it ended and for whom, in one line of JSON', async () => {
    const account = await world.account()
    const { headers } = await world.get('/v1/account', { key: await world.key(account) })
    const line = world.log_lines
      .map((text) => JSON.parse(text))
      .find(({ request_id }) => request_id === headers['svc-request-id'])
    expect(line).toMatchObject({ msg: 'answered', operation: 'account.get', status: 200, account })
    expect(line.credential).toMatch(/^key_/)
    expect(typeof line.ms).toBe('number')
  })
})

describe('a log', () => {
  it('keeps quiet below its level', () => {
    const lines: string[] = []
    const log = openLog('warn', { write: (line) => void lines.push(line) })
    log.info({ id: newId('request') }, 'said quietly')
    log.warn('said aloud')
    expect(lines).toHaveLength(1)
  })
})
