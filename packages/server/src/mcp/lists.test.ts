import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { portabilityWarnings } from '../../test/support/schema-portability.ts'
import { COLD_START_SCOPES, SCOPE_NAMES, type Scope } from '../catalog/scopes.ts'
import { OPERATIONS } from '../operations.ts'
import type { JsonSchema } from './schema.ts'
import { openToolbox } from './toolbox.ts'
import type { ListedTool } from './tools.ts'
import { OPERATION_SETS, TOOLSETS, toolsetOf } from './toolsets.ts'
import { names } from './values.ts'
import { readView, type View } from './view.ts'

const toolbox = openToolbox(OPERATIONS)
const viewOf = (query: Record<string, string>) => readView(query) as View
const listOf = (query: Record<string, string>, scopes: readonly Scope[] = SCOPE_NAMES) =>
  toolbox.listed(viewOf(query), scopes, 'test')
const namesOf = (tools: readonly ListedTool[]) => tools.map(({ name }) => name)

interface Property {
  readonly at: string
  readonly schema: JsonSchema
}

/** Every property of a schema, however deep. */
function propertiesOf(schema: JsonSchema, at = ''): Property[] {
  const inner = [schema.items, ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] as object[]) ?? [])]
  const own = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  return [
    ...own.flatMap(([name, one]) => [{ at: `${at}.${name}`, schema: one }, ...propertiesOf(one, `${at}.${name}`)]),
    ...inner.filter((one) => typeof one === 'object').flatMap((one) => propertiesOf(one as JsonSchema, at)),
  ]
}

describe('the list as it comes', () => {
  const listed = listOf({})

  // No tokenizer of a model spends more than one token on three bytes of such a text: `npm run bench -- mcp-list` counts
  // four, and opening one here would cost more than all the rest.
  it('has at most 24 tools and 30,000 bytes, which are less than 10,000 tokens', () => {
    expect(listed.length).toBeLessThanOrEqual(24)
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(30_000)
  })

  it('holds the tasks and the three tools that reach every operation, and no operation', () => {
    expect(namesOf(listed)).toEqual(toolbox.own.map(({ listed: { name } }) => name))
    expect(namesOf(listed)).toEqual(
      expect.arrayContaining(['operations_search', 'operations_describe', 'operations_call', 'issue_document']),
    )
  })

  it('shows a task to whoever reaches what it reads, and an act of it', () => {
    const reader = namesOf(listOf({}, ['documents:read']))
    expect(reader).toContain('who_owes_me')
    for (const name of ['issue_document', 'record_payment', 'find_receptor', 'my_empresas'])
      expect(reader).not.toContain(name)
    expect(namesOf(listOf({}, []))).toEqual(['operations_search', 'operations_describe', 'operations_call'])
  })
})

describe('toolsets', () => {
  it('hold every tool of an operation, each in exactly one', () => {
    const tools = [...toolbox.tools.values()]
    expect(tools.filter(({ operation }) => toolsetOf(operation) === null).map(({ operation }) => operation.id)).toEqual(
      [],
    )
    const together = OPERATION_SETS.flatMap((set) => namesOf(listOf({ toolsets: set })))
    expect(together.sort()).toEqual(tools.map(({ listed }) => listed.name).sort())
    expect(OPERATION_SETS.filter((set) => listOf({ toolsets: set }).length === 0)).toEqual([])
  })

  it('are listed by name, several at once, and all of them', () => {
    const both = namesOf(listOf({ toolsets: 'tax,bank' }))
    expect(both).toEqual(expect.arrayContaining(['tax_summary_get', 'connections_list', 'tax_movements_match']))
    expect(both).not.toContain('documents_create')
    expect(listOf({ toolsets: 'all' })).toHaveLength(toolbox.tools.size)
    expect(listOf({ toolsets: 'tasks,all' })).toHaveLength(toolbox.tools.size + toolbox.own.length)
  })

  it('are refused by a name that is none, with those that are', () => {
    const refused = readView({ toolsets: 'tax,impuestos' })
    expect(refused).toEqual({ refused: expect.stringContaining(`tasks, ${Object.keys(TOOLSETS).join(', ')}`) })
    expect(readView({ output: 'xml' })).toEqual({ refused: 'output is text or structured.' })
  })

  it('carry output schemas for who asks for structure, and for nobody else', () => {
    expect(listOf({ toolsets: 'all' }).filter(({ outputSchema }) => outputSchema)).toEqual([])
    const structured = listOf({ toolsets: 'all', output: 'structured' })
    expect(structured.find(({ name }) => name === 'documents_get')?.outputSchema).toBeDefined()
  })
})

describe('the schemas of every list', () => {
  const listed = [...listOf({ toolsets: 'tasks,all' })]

  it('describe every property to a model', () => {
    const silent = listed.flatMap(({ name, inputSchema }) =>
      propertiesOf(inputSchema)
        .filter(({ schema }) => typeof schema.description !== 'string')
        .map(({ at }) => name + at),
    )
    expect(silent).toEqual([])
  })

  it('name every value of a choice in the words of its field', () => {
    const unnamed = listed.flatMap(({ name, inputSchema }) =>
      propertiesOf(inputSchema).flatMap(({ at, schema }) => {
        const choices = [schema, schema.items, ...((schema.anyOf as JsonSchema[]) ?? [])] as (JsonSchema | undefined)[]
        const values = choices.flatMap((one) => (one?.enum as (string | number)[] | undefined) ?? [])
        return values
          .filter((value) => !names(String(schema.description), value))
          .map((value) => `${name}${at} ${value}`)
      }),
    )
    expect(unnamed).toEqual([])
  })

  it('name the kinds of document wherever one is asked for', () => {
    const bare = listed.flatMap(({ name, inputSchema }) =>
      propertiesOf(inputSchema)
        .filter(({ at, schema }) => at.endsWith('.tipo_dte') && !/\bfactura/i.test(String(schema.description)))
        .map(({ at }) => name + at),
    )
    // What is referred to may be of any kind that the SII knows.
    expect(bare.filter((one) => !one.includes('.references.'))).toEqual([])
  })

  it('speak no HTTP, and repeat no long sentence in tool after tool', () => {
    const no_tools = OPERATIONS.filter(({ mcp }) => mcp.not !== undefined).map(
      ({ method, path }) => `${method} ${path}`,
    )
    for (const { name, description } of listed) {
      expect(description, name).not.toMatch(/Svc-|Idempotency-Key|\bHTTP\b/)
      // What is no tool has no other name than its route.
      const routes = description.match(/\b(?:GET|POST|PATCH|DELETE) \/[\w/{}]+/g) ?? []
      expect(
        routes.filter((route) => !no_tools.includes(route)),
        name,
      ).toEqual([])
    }
    const sentences = listed.flatMap(({ description }) => description.match(/[^.]{60,}\./g) ?? [])
    const often = sentences.filter((one) => sentences.filter((other) => other === one).length > 5)
    expect([...new Set(often)]).toEqual([])
  })

  it('are plain JSON Schema that an inspector takes without a word: one type a branch, no keyword of ours', () => {
    const warnings: string[] = []
    const logger = {
      log: () => {},
      warn: (text: string) => warnings.push(text),
      error: (text: string) => warnings.push(text),
    }
    const ajv = new Ajv2020({ strict: 'log', logger, validateFormats: false, code: { optimize: false } })
    for (const { inputSchema } of listed) ajv.compile(inputSchema)
    expect(warnings).toEqual([])
  })
})

describe('every form of the list', () => {
  const BY_SETS = [{}, ...['all', 'tasks,all', ...OPERATION_SETS].map((toolsets) => ({ toolsets }))]
  const FORMS = [...BY_SETS, ...BY_SETS.map((sets) => ({ ...sets, output: 'structured' }))]
  const GRANTS: readonly (readonly Scope[])[] = [SCOPE_NAMES, COLD_START_SCOPES, ['documents:read'], []]

  it('leaves the Inspector without a warning, of what is taken and of what is answered', () => {
    const schemas = new Map<JsonSchema, string>()
    for (const form of FORMS) {
      for (const { name, inputSchema, outputSchema } of GRANTS.flatMap((scopes) => listOf(form, scopes))) {
        schemas.set(inputSchema, `${name} takes`)
        if (outputSchema) schemas.set(outputSchema, `${name} answers`)
      }
    }
    expect([...schemas.values()]).toEqual(expect.arrayContaining(['issue_document takes', 'documents_get answers']))
    expect([...schemas].flatMap(([schema, at]) => portabilityWarnings(schema, at))).toEqual([])
  })

  it('is what the rules of the Inspector would notice', () => {
    const bad = {
      properties: {
        a: { type: ['string', 'null'] },
        b: { description: 'Anything.' },
        c: true,
        d: { $ref: 'https://x.cl/y' },
      },
    }
    expect(portabilityWarnings(bad)).toHaveLength(4)
    expect(portabilityWarnings({ type: 'object', additionalProperties: true })).toEqual([])
  })

  it('shows no argument that may never be sent, and still refuses it by its name', () => {
    const update = listOf({ toolsets: 'empresas' }).find(({ name }) => name === 'empresas_update')
    expect(Object.keys(update?.inputSchema.properties as object)).not.toContain('ambiente')
    const { body } = toolbox.tools.get('empresas.update')?.input.read({ ambiente: 'produccion' }) ?? {}
    expect(body).toEqual({ ambiente: 'produccion' })
  })
})

describe('our own tools', () => {
  it('read by operations that only read, and act by operations that are tools', () => {
    for (const { listed, reads, may_read, acts } of toolbox.own) {
      for (const id of [...reads, ...may_read])
        expect(toolbox.tools.get(id)?.operation.method, `${listed.name} reads ${id}`).toBe('GET')
      for (const id of acts) expect(toolbox.tools.has(id), `${listed.name} acts by ${id}`).toBe(true)
    }
  })

  it('take a confirmation where an act of theirs has two steps, and there alone', () => {
    for (const { listed, acts } of toolbox.own) {
      const stepped = acts.some((id) => toolbox.tools.get(id)?.irreversible !== undefined)
      const { properties } = listed.inputSchema as { properties: object }
      expect('confirmation' in properties, listed.name).toBe(stepped)
      expect(listed.annotations.readOnlyHint, listed.name).toBe(acts.length === 0)
    }
  })
})
