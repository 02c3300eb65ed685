// What the format of Postman collections asks for, version 2.1.0, in so far as a collection of ours uses it
// (schema.getpostman.com/json/collection/v2.1.0): presence, types and the closed lists. What we write beyond it is refused.

import { Ajv } from 'ajv'

const TEXT = { type: 'string' }
const closed = (required: readonly string[], properties: object) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
})
const list = (items: object) => ({ type: 'array', items })
const ref = (name: string) => ({ $ref: `#/$defs/${name}` })

const $defs = {
  // `auth-attribute`
  attribute: closed(['key'], { key: TEXT, value: {}, type: TEXT }),
  auth: {
    ...closed(['type'], { type: { enum: ['bearer', 'noauth', 'apikey', 'basic'] }, bearer: list(ref('attribute')) }),
    if: { properties: { type: { const: 'bearer' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['type', 'bearer'] },
  },
  // `key` or `id` names a variable; its type is one of four.
  variable: closed(['key'], {
    key: TEXT,
    value: TEXT,
    type: { enum: ['string', 'boolean', 'any', 'number'] },
    description: TEXT,
  }),
  header: closed(['key', 'value'], { key: TEXT, value: TEXT, type: { const: 'text' }, description: TEXT }),
  query: closed(['key', 'value'], { key: TEXT, value: TEXT, description: TEXT }),
  url: closed(['raw', 'host', 'path'], {
    raw: { type: 'string', pattern: '^\\{\\{\\w+\\}\\}/' },
    host: list(TEXT),
    path: list(TEXT),
    query: list(ref('query')),
    variable: list(ref('variable')),
  }),
  body: closed(['mode', 'raw'], {
    mode: { enum: ['raw', 'urlencoded', 'formdata', 'file', 'graphql'] },
    raw: TEXT,
    options: closed(['raw'], { raw: closed(['language'], { language: { enum: ['json', 'text', 'xml'] } }) }),
  }),
  request: closed(['method', 'header', 'url', 'description'], {
    method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    auth: ref('auth'),
    header: list(ref('header')),
    url: ref('url'),
    body: ref('body'),
    description: TEXT,
  }),
  response: closed(['name', 'originalRequest', 'code', 'header', 'body'], {
    name: TEXT,
    originalRequest: ref('request'),
    code: { type: 'integer' },
    header: list(closed(['key', 'value'], { key: TEXT, value: TEXT })),
    body: TEXT,
  }),
  item: closed(['id', 'name', 'request', 'response'], {
    id: TEXT,
    name: TEXT,
    request: ref('request'),
    response: list(ref('response')),
  }),
  folder: closed(['name', 'item'], { name: TEXT, item: list({ anyOf: [ref('item'), ref('folder')] }) }),
}

const collection = {
  ...closed(['info', 'item'], {
    info: closed(['name', 'schema'], {
      name: TEXT,
      description: TEXT,
      schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    }),
    auth: ref('auth'),
    variable: list(ref('variable')),
    item: list(ref('folder')),
  }),
  $defs,
}

const check = new Ajv({ strict: false }).compile(collection)

/** What is wrong with a collection; empty where Postman takes it. */
export function postmanFaults(value: unknown): readonly string[] {
  return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
