import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isBrowser } from '../src/config.ts'
import { Timbre, UsageError } from '../src/index.ts'
import { VERSION } from '../src/version.ts'
import { fake } from './fake-fetch.ts'

const made = (options: object) => () => new Timbre(options)
const refused = (options: object): UsageError => {
  try {
    made(options)()
  } catch (error) {
    return error as UsageError
  }
  throw new Error('it was taken')
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

describe('a client', () => {
  it('takes its key, empresa and address from the environment, and what it is given before that', async () => {
    vi.stubEnv('TIMBRE_KEY', ' sk_test_env\n')
    vi.stubEnv('TIMBRE_EMPRESA', '76192083-9')
    vi.stubEnv('TIMBRE_URL', 'https://timbre.example.cl/v1/')
    const service = fake({ body: {} })
    await new Timbre({ fetch: service.fetch }).documents.get('doc_1')
    await new Timbre({ fetch: service.fetch, key: 'sk_test_own', baseUrl: 'http://127.0.0.1:9' }).documents.get('doc_1')
    const [one, two] = service.asked
    expect(one).toMatchObject({
      url: 'https://timbre.example.cl/v1/documents/doc_1',
      headers: { Authorization: 'Bearer sk_test_env', 'Svc-Empresa': '76192083-9' },
    })
    expect(two).toMatchObject({
      url: 'http://127.0.0.1:9/v1/documents/doc_1',
      headers: { Authorization: 'Bearer sk_test_own' },
    })
  })

  it('says that it has no key when a call needs one, and not before', async () => {
    const service = fake({ body: { object: 'list', data: [], has_more: false, next_cursor: null } })
    const timbre = new Timbre({ fetch: service.fetch })
    await timbre.errorCodes.list()
    const error = await timbre.documents.get('doc_1').catch((refusal) => refusal)
    expect(error).toMatchObject({ name: 'UsageError', code: 'invalid_configuration', message: 'There is no key.' })
    expect(error.hint).toContain('TIMBRE_KEY')
    expect(service.asked).toHaveLength(1)
  })

  it('refuses a key with a line break in it without saying the key', () => {
    const error = refused({ key: 'sk_test_hidden\nX: y' })
    expect(error).toBeInstanceOf(UsageError)
    expect(`${error.message}${error.hint}${error.stack}`).not.toContain('hidden')
  })

  it.each(['timbre.cl', 'ftp://timbre.cl', 'http://timbre.cl/v1?x=1', 'http://user:pass@timbre.cl', ''])(
    'refuses the address %j',
    (baseUrl) => expect(refused({ baseUrl }).code).toBe('invalid_configuration'),
  )

  it('keeps its settings when some of them are replaced', async () => {
    const service = fake({ body: {} })
    const timbre = new Timbre({ fetch: service.fetch, key: 'sk_test_x', empresa: '76192083-9' })
    await timbre.with({ empresa: '77123456-9' }).documents.get('doc_1')
    expect(service.asked[0]?.headers).toMatchObject({ Authorization: 'Bearer sk_test_x', 'Svc-Empresa': '77123456-9' })
  })

  it('tells of every answer, for logs', async () => {
    const told: unknown[] = []
    const service = fake({ status: 201, body: {}, headers: { 'svc-idempotent-replay': 'true' } })
    const timbre = new Timbre({
      fetch: service.fetch,
      key: 'sk_test_x',
      onAnswer: ({ headers: _, ...fact }) => told.push(fact),
    })
    await timbre.tax.sync({} as never)
    const url = 'http://127.0.0.1:3000/v1/tax/sync'
    expect(told).toEqual([{ method: 'POST', url, status: 201, requestId: 'req_1', attempt: 1, replayed: true }])
  })
})

describe('in a browser', () => {
  const page = { document: {} }
  const pageWorker = { importScripts: () => undefined, location: { protocol: 'https:' } }

  it('is a page or a worker of one, of a blob or an extension too; Node with a DOM, Deno, Bun and servers at the edge are not', () => {
    expect(isBrowser(page)).toBe(true)
    expect(isBrowser({ ...page, process: { env: {} } })).toBe(true)
    for (const protocol of ['https:', 'http:', 'blob:', 'chrome-extension:', 'moz-extension:', 'file:']) {
      expect([protocol, isBrowser({ ...pageWorker, location: { protocol } })]).toEqual([protocol, true])
    }
    expect(isBrowser({ importScripts: () => undefined })).toBe(false)
    expect(isBrowser({ ...page, process: { versions: { node: '20.20.2' } } })).toBe(false)
    expect(isBrowser({ ...pageWorker, Deno: {} })).toBe(false)
    expect(isBrowser({})).toBe(false)
  })

  it('an sk_ key is refused with the reason, and a session is taken', async () => {
    vi.stubGlobal('process', undefined)
    vi.stubGlobal('document', {})
    const error = refused({ key: 'sk_test_x' })
    expect(error.message).toContain('anybody’s who opens the page')
    expect(error.hint).toContain('session')
    expect(refused({ operatorSecret: 'op' }).code).toBe('invalid_configuration')
    const service = fake({ body: {} })
    await new Timbre({ key: 'eyJ.token', fetch: service.fetch }).documents.get('doc_1')
    // A page may not set it, and a header that is not on the list of CORS costs a question beforehand.
    expect(service.asked[0]?.headers['User-Agent']).toBeUndefined()
  })
})

it('says its version as the package does', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(VERSION).toBe(version)
})
