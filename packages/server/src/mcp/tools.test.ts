import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { SCOPE_NAMES } from '../catalog/scopes.ts'
import { defineOperation, type Operation } from '../domain/operation.ts'
import { errorBody, Problem } from '../kernel/problem.ts'
import { Closed } from '../kernel/schema.ts'
import { OPERATIONS } from '../operations.ts'
import { toolName } from './terms.ts'
import { openToolbox } from './toolbox.ts'
import { operationTools } from './tools.ts'
import { OPERATION_SETS } from './toolsets.ts'

const toolbox = openToolbox(OPERATIONS)
const toolFor = (operation: Operation) => toolbox.tools.get(operation.id)
const named = (name: string) => [...toolbox.tools.values()].find(({ listed }) => listed.name === name)
const tools = OPERATIONS.filter(({ mcp }) => mcp.not === undefined)
// Hundreds of schemas are compiled for one look: shortening their code would be a third of the work.
const ajv = new Ajv2020({ strict: true, code: { optimize: false } })
formats.default(ajv)

/** Names that the interfaces of the large models take for a tool and for an argument. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
const ARGUMENT_NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** Tools whose effect cannot be undone, or goes on by itself when the agent is gone. Whatever deletes is one. */
const TWO_STEPS: readonly string[] = [
  'documents.create',
  'documents.invoice_guias',
  'documents.credit_note',
  'documents.cede',
  'documents.send',
  'documents.public_links.delete',
  'documents.payments.delete',
  'received_documents.accept',
  'received_documents.reject',
  'received_documents.acknowledge_receipt',
  'received_documents.quarantine.release',
  'received_documents.quarantine.discard',
  'received_documents.payments.delete',
  'cafs.deactivate',
  'cafs.annul',
  'tax.f29.filings.create',
  'tax.f29.proposals.public_links.delete',
  'tax.expenses.delete',
  'tax.statements.delete',
  'tax.suggestions.confirm',
  'connections.create',
  'connections.reconnect',
  'connections.delete',
  'webhook_endpoints.update',
  'webhook_endpoints.delete',
  'empresas.create',
  'empresas.update',
  'empresas.delete',
  'counterparties.update',
  'counterparties.contacts.create',
  'counterparties.contacts.update',
  'counterparties.contacts.delete',
  'branding.update',
  'automation_settings.update',
]

/** The others, each with what takes it back. A new tool is in one of the two tables. */
const UNDONE_BY: Readonly<Record<string, string>> = {
  'documents.previews.create': 'nothing is done',
  'documents.cesion': 'nothing is done',
  'documents.retry': 'nothing new is issued: the document was confirmed before',
  'documents.public_links.create': 'documents.public_links.delete; it ends with the grant',
  'documents.payments.create': 'documents.payments.delete; within the caps of the grant',
  'received_documents.payments.create': 'received_documents.payments.delete; within the caps of the grant',
  'folios.request': 'cafs.annul',
  'cafs.upload': 'cafs.deactivate',
  'tax.sync': 'nothing is done but reading',
  'tax.purchases.characterize': 'tax.purchases.revert',
  'tax.purchases.characterize_many': 'tax.purchases.revert',
  'tax.purchases.revert': 'tax.purchases.characterize',
  'tax.purchases.estado_contable': 'itself, with the former estado',
  'tax.f29.proposals.recompute': 'itself, with other overrides',
  'tax.f29.proposals.public_links.create': 'tax.f29.proposals.public_links.delete; it ends with the grant',
  'tax.expenses.create': 'tax.expenses.delete',
  'tax.expenses.update': 'itself, with the former values',
  'tax.statements.create': 'tax.statements.delete',
  'tax.statements.preview': 'nothing is done',
  'tax.movements.match': 'tax.movements.unmatch',
  'tax.movements.unmatch': 'tax.movements.match',
  'tax.movements.merge': 'tax.movements.unmerge',
  'tax.movements.unmerge': 'tax.movements.merge',
  'tax.suggestions.dismiss': 'the same act by hand',
  'connections.sync': 'nothing is done but reading',
  'onboarding.steps.recheck': 'nothing is done but looking again',
  'webhook_endpoints.create': 'webhook_endpoints.delete; it ends with the grant',
  'webhook_endpoints.ping': 'an event of no consequence',
  'webhook_endpoints.deliveries.retry': 'an event that was sent before',
}

describe('every operation', () => {
  for (const operation of OPERATIONS) {
    it(`${operation.id} is a tool, or says why not`, () => {
      const { mcp } = operation
      if (mcp.not !== undefined) expect(mcp.not).toMatch(/^[A-Z].{20,}\.$/)
      else expect(toolFor(operation)?.operation).toBe(operation)
    })
  }

  it('is a tool when a key can call it, but for those that make credentials, put them into custody, hand them over or tell them anew, those that bind a taxpayer and those that give a list as a file', () => {
    const no_tools = OPERATIONS.filter(({ reach, mcp }) => /^(account|empresa)$/.test(reach) && mcp.not !== undefined)
    const one_by_one = ['connections.exchange', 'webhook_endpoints.rotate_secret']
    const refused = no_tools.filter(({ id, path }) => !path.endsWith('/export') && !one_by_one.includes(id))
    expect(refused.map(({ id }) => id.split('.')[0])).toEqual(
      refused.map(() =>
        expect.stringMatching(/^(api_keys|agent_grants|audit_log|certificate|sfg_credential|mandato|onboarding)$/),
      ),
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
    const tool = toolFor(operation)
    const listed = tool?.listed
    const input = listed?.inputSchema as { properties: Record<string, { examples?: unknown[] }>; required: string[] }

    it(`${operation.id} has schemas that compile strictly, and take their own examples`, () => {
      ajv.compile(input)
      if (tool?.outputSchema) {
        expect(tool.outputSchema.type).toBe('object')
        const check = ajv.compile(tool.outputSchema)
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
      for (const beside of [irreversible?.before, irreversible?.preview, irreversible?.when?.reads].filter(
        (one) => one !== undefined,
      )) {
        const found = ids.get(beside)
        expect(found, `${id} looks at ${beside}`).toBeDefined()
        const taken = Object.keys(found?.params?.properties ?? {})
        expect(Object.keys(params?.properties ?? {})).toEqual(expect.arrayContaining(taken))
      }
    }
  })

  it('walk two steps for everything that cannot be undone, and for what goes on when the agent is gone', () => {
    const writes = tools.filter(({ method, test_only }) => method !== 'GET' && !test_only)
    const stepped = writes.filter(({ mcp }) => mcp.not === undefined && mcp.irreversible).map(({ id }) => id)
    expect(stepped.sort()).toEqual([...TWO_STEPS].sort())
    const single = writes.map(({ id }) => id).filter((id) => !stepped.includes(id))
    expect(single.sort()).toEqual(Object.keys(UNDONE_BY).sort())
    expect(writes.filter(({ id, method }) => method === 'DELETE' && !stepped.includes(id))).toEqual([])
  })

  it('walk two steps with those fields of a call alone that send things elsewhere', () => {
    const guarded = (id: string, input: object, subject: unknown = null) => {
      const { mcp } = OPERATIONS.find((one) => one.id === id) ?? {}
      return mcp?.not === undefined && mcp?.irreversible?.when?.holds({ ...input }, subject)
    }
    expect(guarded('documents.send', { to: 'otro@example.cl' }, { receptor: { email: null } })).toBe(true)
    expect(guarded('documents.send', {}, { receptor: { email: null } })).toBe(false)
    expect(guarded('documents.send', {}, { receptor: { email: 'otro@example.cl' } })).toBe(true)
    // What cannot be read is taken for the worst.
    expect(guarded('documents.send', {})).toBe(true)
  })

  it('name each other, not the addresses of HTTP', () => {
    expect(named('documents_previews_create')?.listed.description).toContain('`documents_create`')
    expect(named('documents_create')?.listed.description).not.toContain('Svc-')
  })

  it('are listed once for each set of scopes', () => {
    const all = { toolsets: OPERATION_SETS, structured: false }
    const once = toolbox.listed(all, ['documents:read', 'empresas:read'], 'test')
    expect(toolbox.listed(all, ['empresas:read', 'documents:read'], 'test')).toBe(once)
    expect(toolbox.listed(all, SCOPE_NAMES, 'test')).toHaveLength(tools.length)
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
    expect(() => operationTools([twice])).toThrow('things.list takes at_gte twice')
    const own = defineOperation({
      ...twice,
      path: '/things',
      params: undefined,
      query: Closed({ empresa: Type.String() }),
      reach: 'empresa',
      returns: null,
      run: async () => null,
    } as never)
    expect(() => operationTools([own])).toThrow('things.list takes empresa of its own')
  })
})
