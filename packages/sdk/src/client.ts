import { amount, type Config, configOf, headerValue, misuse, type TimbreOptions } from './config.ts'
import { UsageError } from './errors.ts'
import type { FileAnswer } from './file-answer.ts'
import { PATHS_WITHOUT_EMPRESA } from './generated/account-paths.ts'
import type { CallOptions } from './shapes.ts'
import { type Answer, send } from './transport.ts'
import { VERSION } from './version.ts'

type Query = Readonly<Record<string, unknown>>

/** What is sent, before it is put in words of HTTP. */
export interface Request {
  readonly method: string
  /** From the root of the API, without `/v1`. */
  readonly path: string
  readonly query?: Query | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether Svc-Empresa belongs to it. */
  readonly empresa: boolean
  /** Whether it takes an Idempotency-Key. */
  readonly keyed: boolean
  readonly credential: 'key' | 'session' | 'operator' | 'none'
  readonly answers: 'json' | 'file' | 'either'
}

export interface RawRequest {
  readonly query?: Query | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly options?: CallOptions | undefined
}

function queryText(query: Query | undefined): string {
  if (query === undefined) return ''
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    search.append(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

const toBase64 = (bytes: Uint8Array) => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Files stand in the body itself, or in an object of it. */
function holdsBytes(body: unknown, depth = 2): boolean {
  if (!isObject(body) || Array.isArray(body)) return false
  // A plain loop, without a list of the values: every body is looked through.
  for (const name in body) {
    const value = (body as Readonly<Record<string, unknown>>)[name]
    if (!isObject(value)) continue
    if (value instanceof Uint8Array || (depth > 1 && holdsBytes(value, depth - 1))) return true
  }
  return false
}

/** JSON, in which bytes are base64. */
function bodyText(body: unknown): string {
  try {
    return writtenOut(body)
  } catch (cause) {
    throw new UsageError({
      code: 'invalid_argument',
      message: 'The body cannot be written as JSON.',
      hint: 'Give plain values: numbers, texts, lists and objects that do not hold themselves.',
      cause,
    })
  }
}

function writtenOut(body: unknown): string {
  if (!holdsBytes(body)) return JSON.stringify(body)
  return JSON.stringify(body, function (this: Record<string, unknown>, name, value) {
    // A Buffer has turned itself into an object by now; the holder still has it.
    const held = this[name]
    return held instanceof Uint8Array ? toBase64(held) : value
  })
}

/** A key that would be refused, or cut by whatever reads it, protects nothing. */
function keyOf({ idempotencyKey }: CallOptions): string {
  if (idempotencyKey === undefined) return crypto.randomUUID()
  const key = headerValue('idempotencyKey', idempotencyKey)
  if (key !== undefined) return key
  throw misuse('idempotencyKey is empty.', 'Leave it out to have one made, or give your own.', 'invalid_argument')
}

/** Checked here, for `fetch` would repeat the value in its refusal. */
function ownHeader(name: string, value: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(String(value))) return String(value)
  throw misuse('A header holds what no header can carry.', 'Copy it again, without line breaks.', 'invalid_argument')
}

/** Puts calls in words of HTTP: addresses, credentials, headers and keys. */
export class Client {
  readonly #config: Config
  readonly #options: TimbreOptions

  constructor(options: TimbreOptions = {}) {
    this.#options = options
    this.#config = configOf(options, VERSION)
  }

  /** Where the service answers. */
  get baseUrl(): string {
    return this.#config.origin
  }

  /** The settings that it was made with, some of them replaced. */
  protected optionsWith(changes: TimbreOptions): TimbreOptions {
    return { ...this.#options, ...changes }
  }

  /**
   * Any call, by its method and path: `request('GET', '/documents', { query: { limit: 5 } })`. Gives the JSON of the answer,
   * a file where one is answered, undefined where nothing is.
   */
  async request<T = unknown>(
    method: string,
    path: string,
    { query, body, headers, options }: RawRequest = {},
  ): Promise<T | FileAnswer> {
    const bare = path.replace(/^\/?(v1\/)?/, '/')
    const [, first, second] = bare.split(/[/?]/)
    const known = PATHS_WITHOUT_EMPRESA.includes(`${first}`) || PATHS_WITHOUT_EMPRESA.includes(`${first}/${second}`)
    const verb = method.toUpperCase()
    const answer = await this.send(
      {
        method: verb,
        path: bare,
        query,
        body,
        headers,
        empresa: !known || typeof options?.empresa === 'string',
        keyed: verb === 'POST',
        credential: this.#config.credential === undefined ? 'none' : bare.startsWith('/account/') ? 'session' : 'key',
        answers: 'either',
      },
      options,
    )
    return answer.body as T | FileAnswer
  }

  /** For the resources: sends a request and gives the answer with its headers. What cannot be sent is thrown at once. */
  send(request: Request, options: CallOptions = {}): Promise<Answer> {
    const { method, body, keyed, answers } = request
    const headers = this.#headers(request, options)
    amount('timeout', options.timeout, 0)
    amount('maxRetries', options.maxRetries, 0)
    const call = {
      method,
      url: this.#config.origin + this.#root(request) + request.path + queryText(request.query),
      headers,
      body: body === undefined ? undefined : bodyText(body),
      repeatable: method !== 'POST' || keyed,
      answers,
    }
    return send(this.#config, call, options)
  }

  #root({ path, credential }: Request): string {
    if (path.startsWith('/account/')) return ''
    return credential === 'key' && this.#config.session ? '/dashboard' : '/v1'
  }

  #headers({ body, empresa, keyed, credential, headers: own }: Request, options: CallOptions) {
    const { session, mode, userAgent } = this.#config
    const headers: Record<string, string> = {}
    if (userAgent !== undefined) headers['User-Agent'] = userAgent
    this.#identify(headers, credential)
    if (credential === 'key' && session) headers['Svc-Mode'] = mode
    const rut =
      options.empresa === undefined ? this.#config.empresa : headerValue('empresa', options.empresa ?? undefined)
    if (empresa && rut) headers['Svc-Empresa'] = rut
    if (keyed) headers['Idempotency-Key'] = keyOf(options)
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    if (own) for (const [name, value] of Object.entries(own)) headers[name] = ownHeader(name, value)
    return headers
  }

  #identify(headers: Record<string, string>, credential: Request['credential']): void {
    const { credential: key, operatorSecret } = this.#config
    if (credential === 'none') return
    if (credential === 'operator') {
      if (operatorSecret === undefined) {
        throw misuse('This operation is the operator’s.', 'Give `operatorSecret` to the client.')
      }
      headers['Svc-Operator-Secret'] = operatorSecret
      return
    }
    if (key === undefined) {
      throw misuse('There is no key.', 'Give `key` to the client, or set TIMBRE_KEY.')
    }
    headers.Authorization = `Bearer ${key}`
  }
}
