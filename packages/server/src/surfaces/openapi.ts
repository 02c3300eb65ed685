import { ACCOUNT_ERRORS } from '../catalog/account-errors.ts'
import { type ErrorCode, errorEntry } from '../catalog/errors.ts'
import { EVENT_TYPES, EVENTS } from '../catalog/events.ts'
import { HEADERS } from '../catalog/headers.ts'
import { BUCKETS } from '../catalog/limits.ts'
import type { Operation } from '../kernel/operation.ts'
import { Event } from '../modules/event/schema.ts'
import { codesOf } from './codes.ts'
import { Components, parametersOf } from './openapi-schema.ts'

type Json = Record<string, unknown>

export const CONTRACT_VERSION = '1.0.0'

const TEXT = { type: 'string' }
const COUNT = { type: 'integer' }
const header = (description: string, schema: Json = TEXT) => ({ description, schema })

const REQUEST_ID = { [HEADERS.request_id]: header('Id of this call.') }
const RATE = {
  [HEADERS.rate_limit]: header('Size of the tightest bucket this call counts in.', COUNT),
  [HEADERS.rate_remaining]: header('Calls left in it.', COUNT),
  [HEADERS.rate_reset]: header('Seconds until it has room again.', COUNT),
}
const RETRY = { [HEADERS.retry_after]: header('Seconds to wait before the same request.', COUNT) }
const POLL = { [HEADERS.poll_after]: header('Seconds to the next useful poll; absent once terminal.', COUNT) }

const ERROR_SCHEMA = {
  title: 'Error',
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'hint', 'retriable', 'doc_url', 'request_id'],
      properties: {
        type: { ...TEXT, description: 'Family; decides what to do.' },
        code: { ...TEXT, description: 'Specific and stable; program against it.' },
        message: { ...TEXT, description: 'Prose; never program against it.' },
        hint: { ...TEXT, description: 'What to do.' },
        retriable: { type: 'boolean', description: 'Whether the identical request can work later.' },
        param: { ...TEXT, description: 'Dotted path of the field at fault.' },
        doc_url: TEXT,
        request_id: TEXT,
        empresa: { ...TEXT, description: 'RUT of the context.' },
        existing_id: { ...TEXT, description: 'On conflicts, the id of what exists.' },
        details: { type: 'object' },
        sii: { type: 'object', description: 'On sii_error: what the SII said.' },
        retry_after_seconds: COUNT,
      },
    },
  },
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = errorEntry(code)
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return new Map([...groups].sort(([a], [b]) => a - b))
}

function errorResponses(components: Components, operation: Operation): Json {
  const error = components.place(ERROR_SCHEMA as never)
  const counted = operation.reach === 'account' || operation.reach === 'empresa'
  const responses: Json = {}
  for (const [status, codes] of byStatus(codesOf(operation))) {
    const only = { properties: { error: { properties: { code: { enum: codes } } } } }
    const waits = codes.some((code) => errorEntry(code).retry_after_seconds !== undefined)
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorEntry(code).message}`).join('\n\n'),
      headers: { ...REQUEST_ID, ...(counted && status !== 401 && RATE), ...(waits && RETRY) },
      content: { 'application/json': { schema: { allOf: [error, only] } } },
    }
  }
  return responses
}

function successResponse(components: Components, operation: Operation): Json {
  const counted = operation.reach === 'account' || operation.reach === 'empresa'
  const headers = { ...REQUEST_ID, ...(counted && RATE), ...(operation.pollAfter && POLL) }
  if (operation.returns === null) return { description: 'Done.', headers }
  const schema = components.place(operation.returns)
  return { description: 'Done.', headers, content: { 'application/json': { schema } } }
}

function headerParameters(operation: Operation): Json[] {
  const parameters: Json[] = []
  const add = (name: string, required: boolean, description: string) =>
    parameters.push({ name, in: 'header', required, description, schema: TEXT })
  if (operation.reach === 'empresa' && !operation.path.includes('{empresa_id}')) {
    add(HEADERS.empresa, false, 'RUT of the empresa. Needed unless the key reaches exactly one.')
  }
  if (operation.idempotent !== false) {
    add(
      HEADERS.idempotency_key,
      operation.idempotent === 'required',
      'Your own key for this logical operation, kept 24 hours.',
    )
  }
  return parameters
}

function securityOf({ reach, dashboard }: Operation): Json[] {
  if (reach === 'public') return []
  if (reach === 'operator') return [{ operator: [] }]
  if (reach === 'session') return [{ session: [] }]
  return dashboard ? [{ api_key: [] }, { session: [] }] : [{ api_key: [] }]
}

function describe(operation: Operation): string {
  const { scope, limit } = operation
  const lines = [operation.description]
  if (scope) lines.push(`Scope: \`${scope}\`.`)
  if (limit) lines.push(`Limit: ${BUCKETS[limit].max} per ${BUCKETS[limit].window_seconds} s.`)
  if (operation.test_only) lines.push('Test mode only.')
  return lines.filter((line) => line !== undefined).join('\n\n')
}

function requestBody(components: Components, { body }: Operation): Json {
  if (!body) return {}
  const required = ((body as unknown as { required?: unknown[] }).required ?? []).length > 0
  return { requestBody: { required, content: { 'application/json': { schema: components.place(body) } } } }
}

function operationObject(components: Components, operation: Operation, responses: Json): Json {
  const path = parametersOf(components, operation.params ?? pathSchema(operation.path), 'path')
  const description = describe(operation)
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(description !== '' && { description }),
    tags: [operation.id.split('.')[0]],
    ...(operation.sunset && { deprecated: true }),
    security: securityOf(operation),
    parameters: [...path, ...parametersOf(components, operation.query, 'query'), ...headerParameters(operation)],
    ...requestBody(components, operation),
    responses,
  }
}

/** An operation that takes only the empresa from its path declares no params: the pipeline reads it. */
function pathSchema(path: string): never {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  return { properties: Object.fromEntries(names.map((name) => [name, TEXT])), required: names } as never
}

function pathsOf(operations: readonly Operation[], show: (operation: Operation) => Json): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: show(operation) }
  }
  return paths
}

const SECURITY_SCHEMES = {
  api_key: { type: 'http', scheme: 'bearer', description: 'An API key: sk_test_… or sk_live_….' },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A session of one hour, on /dashboard paths.',
  },
  operator: { type: 'apiKey', in: 'header', name: HEADERS.operator_secret },
}

function webhooksOf(components: Components): Json {
  const schema = components.place(Event)
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          summary: EVENTS[type].when,
          description: `\`data.object\` is the ${EVENTS[type].object} as a GET shows it at that moment.`,
          requestBody: { content: { 'application/json': { schema } } },
          responses: { '2XX': { description: 'Taken. Anything else is tried again.' } },
        },
      },
    ]),
  )
}

const server = (name: string, url: string, description: string) => ({
  url: `{${name}}`,
  description,
  variables: { [name]: { default: url } },
})

/** The contract of /v1, generated from the very schemas that validate. */
export function v1Contract(operations: readonly Operation[], base_url: string): Json {
  const components = new Components()
  const main = operations.filter(({ surface }) => surface === 'v1')
  const paths = pathsOf(main, (operation) =>
    operationObject(components, operation, {
      [operation.status]: successResponse(components, operation),
      ...errorResponses(components, operation),
    }),
  )
  const webhooks = webhooksOf(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Timbre',
      version: CONTRACT_VERSION,
      description:
        'Electronic invoicing for Chile. The same operations answer API keys under the first server and account sessions ' +
        '(with the Svc-Mode header) under the second.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      server('base_url', base_url, 'Main API, with an API key'),
      server('session_base_url', `${base_url}/dashboard`, 'Session surface, with a session token'),
    ],
    paths,
    webhooks,
    components: { schemas: components.schemas, securitySchemes: SECURITY_SCHEMES },
  }
}

function envelope(data: unknown): Json {
  return {
    type: 'object',
    required: ['status', 'message', 'data', 'errors'],
    properties: { status: { enum: ['success', 'error'] }, message: TEXT, data, errors: { type: 'array', items: TEXT } },
  }
}

function accountResponses(components: Components, operation: Operation): Json {
  const data = operation.returns === null ? { type: 'null' } : components.place(operation.returns)
  const failed = envelope({ type: ['object', 'null'] })
  const errors = {
    ...failed,
    properties: {
      ...(failed.properties as Json),
      errors: { type: 'array', items: { enum: Object.keys(ACCOUNT_ERRORS) } },
    },
  }
  return {
    [operation.status]: {
      description: 'Done.',
      headers: REQUEST_ID,
      content: { 'application/json': { schema: envelope(data) } },
    },
    default: {
      description: 'Refused: branch on `errors[0]`. The message is in Spanish, for the person who is there.',
      headers: { ...REQUEST_ID, ...RETRY },
      content: { 'application/json': { schema: errors } },
    },
  }
}

/** The contract of the bootstrap surface, whose envelope is its own. */
export function bootstrapContract(operations: readonly Operation[], public_url: string): Json {
  const components = new Components()
  const account = operations.filter(({ surface }) => surface === 'bootstrap')
  const paths = pathsOf(account, (operation) =>
    operationObject(components, operation, accountResponses(components, operation)),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Timbre: account bootstrap',
      version: CONTRACT_VERSION,
      description: 'Sign up, log in and look after an account.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [server('bootstrap_base_url', public_url, 'Bootstrap surface')],
    paths,
    components: { schemas: components.schemas, securitySchemes: { session: SECURITY_SCHEMES.session } },
  }
}
