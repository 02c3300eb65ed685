import { Document, type Tags, visit } from 'yaml'
import { HEADERS } from '../catalog/headers.ts'
import type { Operation } from '../domain/operation.ts'
import type { Addresses } from '../ports/ports.ts'
import { Components, type Json } from './components.ts'
import { DELIVERY_PARAMETERS, WEBHOOK_TAG, webhooksOf, writeEvents } from './events.ts'
import { titlesOf } from './names.ts'
import { operationObject, tagOf } from './operation.ts'
import { ANSWER_HEADERS, accountResponses, errorResponses, successResponse } from './responses.ts'
import { shareSchemas } from './share-schemas.ts'
import { tagObject } from './tags.ts'

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

const tagsOf = (operations: readonly Operation[]) => [...new Set(operations.map(tagOf))].map(tagObject)

const infoOf = (title: string, description: string, public_url: string) => ({
  title,
  version: CONTRACT_VERSION,
  description,
  contact: { name: 'Timbre', url: `${public_url}/docs` },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
})

const V1_DESCRIPTION = `Electronic invoicing for Chile. The same operations answer API keys under the first server and account sessions (with the Svc-Mode header) under the second.

Which empresa a call works on: where the path has no \`{empresa_id}\`, the \`Svc-Empresa\` header selects it. \`x-empresa-header\` of each operation tells whether it \`selects\`, must agree with the path (\`agrees\`), is \`refused\` with \`400 empresa_header_forbidden\`, or is \`ignored\`.`

/** Only those of the headers that some answer carries. */
function sentHeaders(contract: Json): Json {
  const text = JSON.stringify(contract)
  return Object.fromEntries(
    Object.entries(ANSWER_HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  )
}

/** The contract of /v1, generated from the very schemas that validate. */
function v1Contract(operations: readonly Operation[], { base_url, public_url }: ContractAddresses): Json {
  const main = operations.filter(({ api }) => api === 'v1')
  const components = new Components(titlesOf(main))
  const paths = pathsOf(main, (operation) =>
    operationObject(components, operation, {
      [operation.status]: successResponse(components, operation),
      ...errorResponses(components, operation),
    }),
  )
  writeEvents(components)
  shareSchemas(components.schemas)
  const { schemas, responses, parameters, examples } = components
  return {
    openapi: '3.1.0',
    info: infoOf('Timbre', V1_DESCRIPTION, public_url),
    servers: [
      { url: base_url, description: 'Main API, with an API key' },
      { url: `${base_url}/dashboard`, description: 'Session surface, with a session token' },
    ],
    tags: [...tagsOf(main), tagObject(WEBHOOK_TAG)],
    paths,
    webhooks: webhooksOf(),
    components: {
      schemas,
      responses,
      parameters: { ...parameters, ...DELIVERY_PARAMETERS },
      examples,
      headers: sentHeaders({ paths, responses }),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/** The contract of /account, whose envelope is its own. */
function bootstrapContract(operations: readonly Operation[], { public_url }: ContractAddresses): Json {
  const account = operations.filter(({ api }) => api === 'bootstrap')
  const components = new Components(titlesOf(account))
  const paths = pathsOf(account, (operation) =>
    operationObject(components, operation, accountResponses(components, operation)),
  )
  shareSchemas(components.schemas)
  const { schemas, responses, examples } = components
  return {
    openapi: '3.1.0',
    info: infoOf('Timbre: account bootstrap', 'Sign up, log in and look after an account.', public_url),
    servers: [{ url: public_url, description: 'Bootstrap surface' }],
    tags: tagsOf(account),
    paths,
    components: {
      schemas,
      responses,
      examples,
      headers: sentHeaders({ paths, responses }),
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

const LINE_CHARS = 120

/** JSON that people compare: what fits into a line stands in one. Half the length of one value a line. */
export function jsonOf(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE_CHARS) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((one) => jsonOf(one, inner))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${JSON.stringify(key)}: ${jsonOf(one, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}

/** Where the recorded examples say that they were played. */
const RECORDED_AT = 'http://127.0.0.1:3000'

/** The two contracts in both spellings, by file name. Aliases are spelt out: not every YAML reader follows them. */
export function contractFiles(operations: readonly Operation[], addresses: ContractAddresses): Map<string, string> {
  const files = new Map<string, string>()
  const contracts = { v1: v1Contract(operations, addresses), bootstrap: bootstrapContract(operations, addresses) }
  for (const [name, contract] of Object.entries(contracts)) {
    const text = jsonOf(contract).replaceAll(RECORDED_AT, addresses.public_url)
    files.set(`${name}.json`, `${text}\n`)
    files.set(`${name}.yaml`, yamlOf(JSON.parse(text)))
  }
  return files
}
