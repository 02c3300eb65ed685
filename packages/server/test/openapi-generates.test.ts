// What makes a contract good to generate clients from: names, unions, addresses and examples.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../src/catalog/events.ts'
import { isArtifact } from '../src/kernel/schema.ts'
import { mapSchemas } from '../src/openapi/components.ts'
import { OPERATIONS } from '../src/operations.ts'

type Json = Record<string, unknown>

interface Shown {
  readonly operationId: string
  readonly summary: string
  readonly 'x-empresa-header': string
  readonly parameters: readonly { $ref?: string; name?: string }[]
  readonly requestBody?: { content: Record<string, { schema: Json; example?: unknown }> }
  readonly responses: Record<string, Json>
  readonly security: readonly Json[]
}

interface Contract {
  readonly servers: readonly { url: string; variables?: unknown }[]
  readonly paths: Record<string, Record<string, Shown>>
  readonly webhooks?: Record<string, { post: Shown }>
  readonly components: Record<'schemas' | 'responses' | 'parameters' | 'examples', Record<string, Json>>
}

const read = (name: string): Contract =>
  JSON.parse(readFileSync(new URL(`../../../openapi/${name}.json`, import.meta.url), 'utf8'))

const CONTRACTS = { v1: read('v1'), bootstrap: read('bootstrap') }
const shownIn = ({ paths }: Contract) => Object.values(paths).flatMap((methods) => Object.values(methods))
const SHOWN = new Map(
  Object.values(CONTRACTS)
    .flatMap(shownIn)
    .map((shown) => [shown.operationId, shown]),
)
const of = (id: string) => {
  const shown = SHOWN.get(id)
  if (!shown) throw new Error(`${id} is in no contract`)
  return shown
}

function resolved(contract: Contract, value: Json): Json {
  if (typeof value.$ref !== 'string') return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return contract.components[kind as 'schemas'][name] ?? {}
}

const parametersOf = (contract: Contract, shown: Shown) =>
  shown.parameters.map((parameter) => resolved(contract, parameter as Json) as { name: string; required: boolean })

describe.each(Object.entries(CONTRACTS))('the contract of %s', (_name, contract) => {
  it('has the very addresses of the service, and no placeholder that a generator would take literally', () => {
    for (const { url, variables } of contract.servers) {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000/)
      expect(variables).toBeUndefined()
    }
  })

  it('calls every body, every JSON answer and every shared refusal by what it is', () => {
    for (const shown of shownIn(contract)) {
      for (const { schema } of Object.values(shown.requestBody?.content ?? {})) {
        expect([shown.operationId, Object.keys(schema)]).toEqual([shown.operationId, ['$ref']])
      }
      const success = Object.entries(shown.responses).find(([status]) => status.startsWith('2'))?.[1] ?? {}
      const { content = {} } = resolved(contract, success) as { content?: Record<string, { schema: Json }> }
      const json = content['application/json']
      if (json) expect([shown.operationId, Object.keys(json.schema)]).toEqual([shown.operationId, ['$ref']])
    }
    for (const name of Object.keys(contract.components.responses)) expect(name).not.toMatch(/Refused\d|\d{3}/)
    for (const name of Object.keys(contract.components.schemas)) expect(name).toMatch(/^[A-Z][A-Za-z0-9]+$/)
  })

  it('writes no object of some length twice without a name', () => {
    const seen = new Map<string, string>()
    const walk = (schema: Json, path: string): Json =>
      mapSchemas(schema, (inner, keyword, name) => {
        const at = `${path}/${name ?? keyword}`
        const text = JSON.stringify(inner)
        if (inner.properties && text.length >= 160) {
          expect([at, seen.get(text)]).toEqual([at, undefined])
          seen.set(text, at)
        }
        return walk(inner, at)
      })
    for (const [title, schema] of Object.entries(contract.components.schemas)) walk(schema, title)
  })

  it('refers to nothing that is not there', () => {
    for (const [, ref = ''] of JSON.stringify(contract).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = ref.split('/').reduce((inside: unknown, part) => (inside as Json | undefined)?.[part], contract)
      expect([ref, typeof found]).toEqual([ref, 'object'])
    }
  })
})

describe('each operation in its contract', () => {
  for (const operation of OPERATIONS) {
    it(`${operation.id} shows an example of what it takes and of what it gives`, () => {
      const contract = CONTRACTS[operation.api]
      const { requestBody, responses } = of(operation.id)
      const answer = resolved(contract, responses[operation.status] ?? {}) as {
        content?: Record<string, { examples?: Record<string, Json> }>
      }
      const sent = requestBody?.content['application/json']
      // A body that may be empty has none to show where the call was made without it.
      if (sent && (operation.body as unknown as { required?: [] }).required?.length) expect(sent.example).toBeDefined()
      if (operation.returns === null || isArtifact(operation.returns)) return
      const [example] = Object.values(answer.content?.['application/json']?.examples ?? {})
      expect(resolved(contract, example ?? {}).value).toBeDefined()
    })
  }

  it('tells exactly what becomes of Svc-Empresa', () => {
    for (const operation of OPERATIONS) {
      const shown = of(operation.id)
      const names = parametersOf(CONTRACTS[operation.api], shown).map(({ name }) => name)
      const told = shown['x-empresa-header']
      expect([operation.id, told === 'refused']).toEqual([operation.id, operation.reach === 'account'])
      expect([operation.id, names.includes('Svc-Empresa')]).toEqual([operation.id, operation.reach === 'empresa'])
      if (operation.reach === 'empresa')
        expect([operation.id, told]).toEqual([
          operation.id,
          operation.path.includes('{empresa_id}') ? 'agrees' : 'selects',
        ])
    }
  })

  it('declares Svc-Mode wherever a session may call it, and nowhere else', () => {
    for (const operation of OPERATIONS) {
      const names = parametersOf(CONTRACTS[operation.api], of(operation.id)).map(({ name }) => name)
      expect([operation.id, names.includes('Svc-Mode')]).toEqual([operation.id, operation.dashboard])
    }
  })
})

describe('the events of the contract', () => {
  const { webhooks = {}, components } = CONTRACTS.v1
  const union = components.schemas.Event as { oneOf: Json[]; discriminator: { mapping: Record<string, string> } }

  it('are one union that `type` tells apart, with the resource of each', () => {
    expect(Object.keys(union.discriminator.mapping)).toEqual(EVENT_TYPES)
    expect(union.oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(union.discriminator.mapping))
    for (const type of EVENT_TYPES) {
      const [, own] = (resolved(CONTRACTS.v1, { $ref: union.discriminator.mapping[type] }) as { allOf: Json[] }).allOf
      const { type: told, data } = (own as { properties: Record<string, Json> }).properties
      expect(told).toEqual({ const: type })
      const { object } = (resolved(CONTRACTS.v1, data ?? {}) as { properties: Record<string, Json> }).properties
      expect(object).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/[A-Z]/) })
    }
  })

  it('are webhooks that a menu can list: each by its type, and open to nobody else', () => {
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES)
    for (const [type, { post }] of Object.entries(webhooks)) {
      expect([post.summary, post.operationId, post.security]).toEqual([type, `webhooks.${type}`, []])
      expect(post.requestBody?.content['application/json']?.schema.$ref).toBe(union.discriminator.mapping[type])
    }
  })
})
