import { HEADERS } from '../../catalog/headers.ts'
import { isOperators } from '../../domain/context.ts'
import { namesEmpresa, type Operation } from '../../domain/operation.ts'
import type { Example } from '../../domain/recorded-examples.ts'
import type { Addresses } from '../../ports/ports.ts'

/** A value of a header: text, or what the reader has in a variable of the environment. */
export interface HeaderValue {
  readonly before: string
  readonly variable?: string
}

/** One call of an example, as every language has to send it. */
export interface Sent {
  readonly method: Operation['method']
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: HeaderValue])[]
  readonly body: unknown
  /** What to call the file of an answer that is one. */
  readonly file: string | null
}

const text = (before: string): HeaderValue => ({ before })

function credential({ reach }: Operation): [string, HeaderValue][] {
  if (reach === 'public') return []
  if (isOperators(reach)) return [[HEADERS.operator_secret, { before: '', variable: 'TIMBRE_OPERATOR_SECRET' }]]
  const variable = reach === 'session' ? 'TIMBRE_SESSION' : 'TIMBRE_KEY'
  return [['Authorization', { before: 'Bearer ', variable }]]
}

/** Whether a call on one empresa has to name it by the header, its path not doing so. */
export const takesEmpresa = (operation: Operation) => operation.reach === 'empresa' && !namesEmpresa(operation)

const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'text/csv': 'csv',
  'text/plain': 'txt',
}

function fileOf(operation: Operation): string | null {
  const schema = (operation.returns ?? {}) as {
    readonly 'x-artifact'?: boolean
    readonly contentMediaType?: string
    readonly 'x-media-types'?: readonly string[]
  }
  if (!schema['x-artifact']) return null
  const type = schema.contentMediaType ?? schema['x-media-types']?.[0] ?? ''
  return `${operation.id.split('.')[0]}.${ENDINGS[type] ?? 'bin'}`
}

const filled = (path: string, params: Readonly<Record<string, string>>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? `{${name}}`))

/** The call that an example shows, on this server's own address. */
export function sentBy(operation: Operation, { request }: Example, addresses: Addresses): Sent {
  const { method, path, api, idempotent } = operation
  const root = api === 'v1' ? addresses.base_url : addresses.public_url
  const query = new URLSearchParams(request.query ?? {}).toString()
  const key = request.headers?.[HEADERS.idempotency_key]
  return {
    method,
    url: `${root}${filled(path, request.params ?? {})}${query && `?${query}`}`,
    headers: [
      ...credential(operation),
      ...(takesEmpresa(operation) ? [[HEADERS.empresa, { before: '', variable: 'TIMBRE_EMPRESA' }] as const] : []),
      ...(idempotent !== false ? [[HEADERS.idempotency_key, text(key ?? 'your-own-key-1')] as const] : []),
      ...(request.body === undefined ? [] : [['Content-Type', text('application/json')] as const]),
    ],
    body: request.body,
    file: fileOf(operation),
  }
}
