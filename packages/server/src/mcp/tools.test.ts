import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { SCOPE_NAMES } from '../catalog/scopes.ts'
import { defineOperation, type Operation } from '../domain/operation.ts'
import { errorBody, Problem } from '../kernel/problem.ts'
import { Closed } from '../kernel/schema.ts'
import { OPERATIONS } from '../operations.ts'
import { openToolbox, toolName } from './tools.ts'

const toolbox = openToolbox(OPERATIONS)
const toolFor = (operation: Operation) => toolbox.find(toolName(operation))
const tools = OPERATIONS.filter(({ mcp }) => mcp.not === undefined)
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
formats.default(ajv)

/** Names that the interfaces of the large models take for a tool and for an argument. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
const ARGUMENT_NAME = /^[a-zA-Z0-9_-]{1,64}$/

describe('every operation', () => {
  for (const operation of OPERATIONS) {
    it(`${operation.id} is a tool, or says why not`, () => {
      const { mcp } = operation
      if (mcp.not !== undefined) expect(mcp.not).toMatch(/^[A-Z].{20,}\.$/)
      else expect(toolFor(operation)?.operation).toBe(operation)
    })
  }

  it('is a tool when a key can call it, but for those that make credentials or put them into custody and those that give a list as a file', () => {
    const no_tools = OPERATIONS.filter(({ reach, mcp }) => /account|empresa/.test(reach) && mcp.not !== undefined)
    const refused = no_tools.filter(({ path }) => !path.endsWith('/export'))
    expect(refused.map(({ id }) => id.split('.')[0])).toEqual(
      refused.map(() => expect.stringMatching(/^(api_keys|agent_grants|audit_log|certificate|sfg_credential)$/)),
    )
  })
})

describe('the tools', () => {
  it('have names of their own that models take', () => {
    const names = tools.map(toolName)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(TOOL_NAME)
  })

  for (const operation of tools) {
    const listed = toolFor(operation)?.listed
    const input = listed?.inputSchema as { properties: Record<string, { examples?: unknown[] }>; required: string[] }

    it(`${operation.id} has schemas that compile strictly, and take their own examples`, () => {
      ajv.compile(input)
      if (listed?.outputSchema) {
        expect(listed.outputSchema.type).toBe('object')
        const check = ajv.compile(listed.outputSchema)
        expect(check({ error: errorBody(new Problem('rate_limited'), { request_id: '', docs_url: '' }) })).toBe(true)
        expect(check({ whatever: true })).toBe(false)
      }
      for (const schema of Object.values(input.properties)) {
        for (const example of schema.examples ?? []) expect(ajv.validate(schema, example)).toBe(true)
      }
    })

    it(`${operation.id} takes a plain object of plain names`, () => {
      expect(Object.keys(input)).toEqual(['type', 'properties', 'required', 'additionalProperties'])
      for (const name of Object.keys(input.properties)) expect(name).toMatch(ARGUMENT_NAME)
      const bags = [operation.query, operation.body].map(
        (bag) => (bag as { required?: string[] } | undefined)?.required,
      )
      const expected = operation.mcp.not === undefined && operation.mcp.input ? [] : (bags[1] ?? [])
      expect(input.required).toEqual(expect.arrayContaining([...(bags[0] ?? []), ...expected]))
    })

    it(`${operation.id} says what it does to the world`, () => {
      const irreversible = operation.mcp.not === undefined && operation.mcp.irreversible !== undefined
      expect(listed?.annotations).toMatchObject({
        readOnlyHint: operation.method === 'GET',
        destructiveHint: operation.method === 'DELETE' || irreversible,
      })
    })
  }

  it('look before they act by operations that exist and take nothing else', () => {
    const ids = new Map(OPERATIONS.map((operation) => [operation.id, operation]))
    for (const { id, mcp, params } of tools) {
      const irreversible = mcp.not === undefined ? mcp.irreversible : undefined
      for (const beside of [irreversible?.before, irreversible?.preview].filter((one) => one !== undefined)) {
        const found = ids.get(beside)
        expect(found, `${id} looks at ${beside}`).toBeDefined()
        const taken = Object.keys(found?.params?.properties ?? {})
        expect(Object.keys(params?.properties ?? {})).toEqual(expect.arrayContaining(taken))
      }
    }
  })

  it('walk two steps for everything that emits, files, cedes, answers a supplier or deletes for good', () => {
    const guarded = tools.filter(({ mcp }) => mcp.not === undefined && mcp.irreversible).map(({ id }) => id)
    expect(guarded).toEqual(
      expect.arrayContaining([
        'documents.create',
        'documents.credit_note',
        'documents.cede',
        'tax.f29.filings.create',
        'tax.suggestions.confirm',
        'received_documents.accept',
        'received_documents.reject',
        'received_documents.acknowledge_receipt',
        'empresas.delete',
        'webhook_endpoints.delete',
        'connections.delete',
        'tax.statements.delete',
        'cafs.deactivate',
      ]),
    )
  })

  it('name each other, not the addresses of HTTP', () => {
    expect(toolbox.find('documents_previews_create')?.listed.description).toContain('`documents_create`')
    expect(toolbox.find('documents_create')?.listed.description).not.toContain('Svc-')
  })

  it('are listed once for each set of scopes', () => {
    const once = toolbox.listed(['documents:read', 'empresas:read'], 'test')
    expect(toolbox.listed(['empresas:read', 'documents:read'], 'test')).toBe(once)
    expect(toolbox.listed(SCOPE_NAMES, 'test')).toHaveLength(tools.length)
  })
})

describe('a table with a collision', () => {
  it('cannot be opened', () => {
    const twice = defineOperation({
      id: 'things.list',
      method: 'GET',
      path: '/things/{at_gte}',
      summary: 'List things',
      reach: 'account',
      params: Closed({ at_gte: Type.String() }),
      query: Closed({ 'at[gte]': Type.String() }),
      returns: null,
      run: async () => null,
    })
    expect(() => openToolbox([twice])).toThrow('things.list takes at_gte twice')
    const own = defineOperation({
      ...twice,
      path: '/things',
      params: undefined,
      query: Closed({ empresa_rut: Type.String() }),
      reach: 'empresa',
      returns: null,
      run: async () => null,
    } as never)
    expect(() => openToolbox([own])).toThrow('things.list takes empresa_rut of its own')
  })
})
