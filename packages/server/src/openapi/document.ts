import { Document, type Tags, visit } from 'yaml'
import { EVENT_TYPES, EVENTS } from '../catalog/events.ts'
import { DELIVERY_HEADERS, HEADERS } from '../catalog/headers.ts'
import type { Operation } from '../domain/operation.ts'
import { Event } from '../domain/platform/event/schema.ts'
import type { Addresses } from '../ports/ports.ts'
import { Components, type Json } from './components.ts'
import { operationObject } from './operation.ts'
import { ANSWER_HEADERS, accountResponses, errorResponses, successResponse } from './responses.ts'

const CONTRACT_VERSION = '1.0.0'

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

/** How a receiver knows that a delivery is ours, and which one it is. */
const DELIVERY_PARAMETERS = Object.fromEntries(
  DELIVERY_HEADERS.map(({ name, says }) => [
    name,
    { name, in: 'header', required: true, description: says, schema: { type: 'string' } },
  ]),
)

function webhooksOf(components: Components): Json {
  const schema = components.place(Event)
  const parameters = DELIVERY_HEADERS.map(({ name }) => ({ $ref: `#/components/parameters/${name}` }))
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          summary: EVENTS[type].when,
          description: `\`data.object\` is the ${EVENTS[type].object} as a GET shows it at that moment.`,
          parameters,
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
function v1Contract(operations: readonly Operation[], base_url: string): Json {
  const components = new Components()
  const main = operations.filter(({ api }) => api === 'v1')
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
    components: {
      schemas: components.schemas,
      responses: components.responses,
      parameters: DELIVERY_PARAMETERS,
      headers: ANSWER_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/** The contract of /account, whose envelope is its own. */
function bootstrapContract(operations: readonly Operation[], public_url: string): Json {
  const components = new Components()
  const account = operations.filter(({ api }) => api === 'bootstrap')
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
    components: {
      schemas: components.schemas,
      responses: components.responses,
      headers: ANSWER_HEADERS,
      securitySchemes: { session: SECURITY_SCHEMES.session },
    },
  }
}

export type ContractAddresses = Pick<Addresses, 'base_url' | 'public_url'>

/** Plain scalars that YAML 1.1 takes for a type of its own (yaml.org/type: value and merge), which the library does not know. */
const SPECIAL_IN_YAML_1_1 = new Set(['=', '<<'])

const withoutMerge = (tags: Tags): Tags =>
  tags.filter((tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:merge')

/** Most readers still follow YAML 1.1: what it would take for a boolean, a date or a number in base 60 stands in quotes. */
export function yamlOf(value: unknown): string {
  const document = new Document(value, { version: '1.1', customTags: withoutMerge, aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && SPECIAL_IN_YAML_1_1.has(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 })
}

/** The two contracts in both spellings, by file name. Aliases are spelt out: not every YAML reader follows them. */
export function contractFiles(
  operations: readonly Operation[],
  { base_url, public_url }: ContractAddresses,
): Map<string, string> {
  const files = new Map<string, string>()
  const contracts = { v1: v1Contract(operations, base_url), bootstrap: bootstrapContract(operations, public_url) }
  for (const [name, contract] of Object.entries(contracts)) {
    files.set(`${name}.json`, `${JSON.stringify(contract, null, 2)}\n`)
    files.set(`${name}.yaml`, yamlOf(JSON.parse(JSON.stringify(contract))))
  }
  return files
}
