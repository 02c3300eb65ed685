import { UsageError } from './errors.ts'

export interface TimbreOptions {
  /** An API key (`sk_test_…`, `sk_live_…`), or the token of an account session. Default: `TIMBRE_KEY`. */
  readonly key?: string | undefined
  /** RUT of the empresa that calls are about, where they take one. Default: `TIMBRE_EMPRESA`. */
  readonly empresa?: string | undefined
  /** Where the service answers, with or without `/v1`. Default: `TIMBRE_URL`, then `http://127.0.0.1:3000`. */
  readonly baseUrl?: string | undefined
  /** The mode of a session; a key says its own. Default: `test`. */
  readonly mode?: 'test' | 'live' | undefined
  /** For the operations of who runs the service. */
  readonly operatorSecret?: string | undefined
  readonly fetch?: typeof fetch | undefined
  /** Milliseconds that one attempt may take. Default: 60,000. */
  readonly timeout?: number | undefined
  /** Attempts after the first. Default: 3. */
  readonly maxRetries?: number | undefined
  /** Milliseconds beyond which a wait that the service asks for is an error at once, not a wait. Default: 60,000. */
  readonly longestWait?: number | undefined
  /** Told of every answer, refused or not, for logs. */
  readonly onAnswer?: ((answer: AnswerFacts) => void) | undefined
}

export interface AnswerFacts {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly requestId: string | undefined
  /** Counted from 1. */
  readonly attempt: number
  /** The kept answer of an earlier call under the same key. */
  readonly replayed: boolean
  readonly headers: Headers
}

export interface Config {
  readonly credential: string | undefined
  readonly session: boolean
  readonly empresa: string | undefined
  readonly origin: string
  readonly mode: 'test' | 'live'
  readonly operatorSecret: string | undefined
  readonly fetch: typeof fetch
  readonly timeout: number
  readonly maxRetries: number
  readonly longestWait: number
  readonly userAgent: string | undefined
  readonly onAnswer: ((answer: AnswerFacts) => void) | undefined
}

interface Surroundings {
  readonly process?: {
    readonly env?: Record<string, string | undefined>
    readonly versions?: { readonly node?: string }
  }
  readonly Deno?: unknown
  readonly document?: unknown
  readonly importScripts?: unknown
  readonly location?: { readonly protocol?: string }
}

/** A page, or a worker of one. Bundlers put a `process` into pages, but none with a version of Node. */
export function isBrowser(around = globalThis as unknown as Surroundings): boolean {
  if (around.process?.versions?.node !== undefined || around.Deno !== undefined) return false
  return (
    around.document !== undefined ||
    // Of a site, a blob or an extension: all of them have an address. A server at the edge has none.
    (typeof around.importScripts === 'function' && Boolean(around.location?.protocol))
  )
}

export const misuse = (
  message: string,
  hint: string,
  code: 'invalid_configuration' | 'invalid_argument' = 'invalid_configuration',
) => new UsageError({ code, message, hint })

/** What goes into a header: a stray line break would be refused by `fetch`, in words that hold the secret. */
export function headerValue(name: string, value: string | undefined): string | undefined {
  const text = value?.trim()
  if (text === undefined || text === '') return undefined
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw misuse(
      `${name} holds a blank or a character that no header can carry.`,
      'Copy it again, without quotes and line breaks.',
    )
  }
  return text
}

function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    // Not repeated where it may hold a password or a token.
    const told = /[@?#]/.test(baseUrl) ? '' : `: ${baseUrl}`
    throw misuse(`baseUrl is no address${told}`, 'Give it as https://host, with or without /v1, a user or a query.')
  }
  if (url.username !== '' || url.password !== '') {
    throw misuse('baseUrl holds a user or a password.', 'Give the key as `key` and the address without them.')
  }
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** A number that is none would be waited for for ever, or never. */
export function amount(name: string, value: number | undefined, usual: number): number {
  if (value === undefined) return usual
  if (typeof value === 'number' && value >= 0) return value
  throw misuse(`${name} is no number from zero on.`, 'Give milliseconds, or how often.', 'invalid_argument')
}

/** Settings as they are used: what was given, then the environment, then what is usual. */
export function configOf(options: TimbreOptions, version: string): Config {
  const env = (globalThis as unknown as Surroundings).process?.env ?? {}
  const browser = isBrowser()
  const credential = headerValue('key', options.key ?? env.TIMBRE_KEY)
  const operatorSecret = headerValue('operatorSecret', options.operatorSecret)
  if (browser && (credential?.startsWith('sk_') || operatorSecret !== undefined)) {
    throw misuse(
      'An sk_ key in a browser is anybody’s who opens the page.',
      'Call Timbre from your server; in a page use the token of an account session (POST /account/login).',
    )
  }
  return {
    credential,
    session: credential !== undefined && !credential.startsWith('sk_'),
    empresa: headerValue('empresa', options.empresa ?? env.TIMBRE_EMPRESA),
    origin: originOf(options.baseUrl ?? (env.TIMBRE_URL || 'http://127.0.0.1:3000')),
    mode: options.mode ?? 'test',
    operatorSecret,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeout: amount('timeout', options.timeout, 60_000),
    maxRetries: amount('maxRetries', options.maxRetries, 3),
    longestWait: amount('longestWait', options.longestWait, 60_000),
    // A page may not set it.
    userAgent: browser ? undefined : `timbre-sdk/${version}`,
    onAnswer: options.onAnswer,
  }
}
