import { HEADERS } from '../catalog/headers.ts'
import { isOperators } from '../domain/context.ts'
import type { Operation } from '../domain/operation.ts'
import type { Example, Examples } from '../domain/recorded-examples.ts'
import type { Answer } from '../kernel/answer.ts'
import type { Addresses } from '../ports/ports.ts'
import type { Reference } from './reference/resource-page.ts'
import { areasOf, type Resource } from './reference/resources.ts'
import { takesEmpresa } from './samples/sent.ts'

// A collection for Postman and whatever else reads its format, version 2.1: the same operations and examples as the reference.

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** What the reader fills in once. None of them has a secret in it. */
const variables = ({ base_url, public_url }: Addresses) => [
  { key: 'base_url', value: base_url },
  { key: 'public_url', value: public_url },
  { key: 'key', value: '', description: 'An API key: sk_test_… for the sandbox.' },
  { key: 'empresa', value: '', description: 'RUT of the empresa that calls are about.' },
  { key: 'session', value: '', description: 'The token that logging in answers.' },
  { key: 'operator_secret', value: '', description: 'Only for the operator of an installation.' },
]

const bearer = (value: string) => ({ type: 'bearer', bearer: [{ key: 'token', value, type: 'string' }] })

function authOf({ reach }: Operation): object {
  if (reach === 'account' || reach === 'empresa') return {}
  return { auth: reach === 'session' ? bearer('{{session}}') : { type: 'noauth' } }
}

function headersOf(operation: Operation): object[] {
  const header = (key: string, value: string) => ({ key, value, type: 'text' })
  return [
    ...(isOperators(operation.reach) ? [header(HEADERS.operator_secret, '{{operator_secret}}')] : []),
    ...(takesEmpresa(operation) ? [header(HEADERS.empresa, '{{empresa}}')] : []),
    ...(operation.idempotent === false ? [] : [header(HEADERS.idempotency_key, '{{$guid}}')]),
    ...(operation.body ? [header('Content-Type', 'application/json')] : []),
  ]
}

function urlOf({ api, path }: Operation, { params = {}, query = {} }: Example['request']): object {
  const root = api === 'v1' ? '{{base_url}}' : '{{public_url}}'
  const asked = Object.entries(query).map(([key, value]) => ({ key, value }))
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const segments = path.slice(1).replace(/\{(\w+)\}/g, ':$1')
  const search = asked.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&')
  return {
    raw: `${root}/${segments}${search && `?${search}`}`,
    host: [root],
    path: segments.split('/'),
    ...(asked.length > 0 && { query: asked }),
    ...(names.length > 0 && { variable: names.map((key) => ({ key, value: params[key] ?? '' })) }),
  }
}

function requestOf(operation: Operation, example: Example | undefined): object {
  const { method, description, summary } = operation
  const { request = {} } = example ?? {}
  const body = operation.body && (request.body ?? {})
  return {
    method,
    ...authOf(operation),
    header: headersOf(operation),
    url: urlOf(operation, request),
    ...(body && {
      body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
    }),
    description: description ?? summary,
  }
}

function responsesOf(request: object, name: string, example: Example | undefined): object[] {
  if (!example) return []
  const { status, headers = {}, body, note } = example.response
  const text = typeof body === 'string' ? body : body === undefined ? (note ?? '') : JSON.stringify(body, null, 2)
  const header = Object.entries(headers).map(([key, value]) => ({ key, value }))
  return [{ name, originalRequest: request, code: status, header, body: text }]
}

function itemOf(operation: Operation, examples: Examples): object {
  const { id, summary } = operation
  const request = requestOf(operation, examples[id])
  return { id, name: summary, request, response: responsesOf(request, summary, examples[id]) }
}

const folderOf = ({ title, operations }: Resource, examples: Examples) => ({
  name: title,
  item: operations.map((operation) => itemOf(operation, examples)),
})

export const POSTMAN_PATH = '/openapi/postman.json'

/** Every operation in a folder for each resource, in one for each area. */
export function postmanCollection({ resources, examples }: Reference, addresses: Addresses): object {
  return {
    info: {
      name: 'Timbre',
      description: `Electronic invoicing for Chile. Set \`key\` and \`empresa\` in the variables. ${addresses.docs_url}`,
      schema: SCHEMA,
    },
    auth: bearer('{{key}}'),
    variable: variables(addresses),
    item: areasOf(resources).map((area) => ({
      name: area.title,
      item: area.resources.map((resource) => folderOf(resource, examples)),
    })),
  }
}

export function postmanAnswer(reference: Reference, addresses: Addresses): Answer {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': 'attachment; filename="timbre.postman_collection.json"',
  }
  return { status: 200, headers, body: JSON.stringify(postmanCollection(reference, addresses)) }
}
