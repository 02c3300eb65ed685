import { HEADERS } from '../catalog/headers.ts'
import { namesEmpresa, type Operation } from '../domain/operation.ts'
import { invalidField } from '../kernel/problem.ts'
import { argumentName, type JsonSchema, plainSchema } from './schema.ts'

type Location = 'params' | 'query' | 'body'

/** Arguments of a tool beside the input of its operation, which HTTP sends as headers. */
export const EMPRESA = 'empresa_rut'
export const KEY = 'idempotency_key'
const CONFIRMATION = 'confirmation'

/** The arguments of a tool, each in the part of the request where its operation expects it. */
export interface Arguments {
  readonly params: Readonly<Record<string, string>>
  readonly query: Record<string, unknown>
  readonly body: Record<string, unknown>
  readonly empresa_rut: string | undefined
  readonly idempotency_key: string | undefined
  readonly confirmation: string | undefined
}

interface PropertyBag {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

const LOCATIONS: readonly Location[] = ['params', 'query', 'body']

function schemasOf(operation: Operation): [Location, PropertyBag][] {
  const path = namesEmpresa(operation) && !operation.params ? { properties: { empresa_id: { type: 'string' } } } : {}
  const params = { ...path, ...operation.params } as PropertyBag
  const body = (operation.mcp.not === undefined ? operation.mcp.input : undefined) ?? operation.body
  const bags = { params, query: (operation.query ?? {}) as PropertyBag, body: (body ?? {}) as PropertyBag }
  return LOCATIONS.map((location) => [location, bags[location]])
}

const takesEmpresa = (operation: Operation) => operation.reach === 'empresa' && !namesEmpresa(operation)

const EXTRAS: Readonly<Record<string, JsonSchema>> = {
  [EMPRESA]: { type: 'string', description: 'RUT of the empresa, as 76192083-9. Needed unless only one is reached.' },
  [KEY]: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'Your own key for this one act, kept 24 hours: repeating the call with it never does the act twice.',
  },
  [CONFIRMATION]: {
    type: 'string',
    description: 'Leave out to be shown what would happen. Then send the `confirmation.token` of that answer.',
  },
}

function extrasOf(operation: Operation): string[] {
  const extras = takesEmpresa(operation) ? [EMPRESA] : []
  if (operation.idempotent !== false) extras.push(KEY)
  if (operation.mcp.not === undefined && operation.mcp.irreversible) extras.push(CONFIRMATION)
  return extras
}

export interface ToolInput {
  readonly schema: JsonSchema
  readonly read: (args: Readonly<Record<string, unknown>>) => Arguments
  /** The caller's name for a field of the operation. */
  readonly nameOf: (param: string) => string
}

/** The input of a tool: path, query and body of its operation in one flat object, and what HTTP sends as headers. */
export function toolInput(operation: Operation): ToolInput {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  const locations = new Map<string, readonly [Location, string]>()
  for (const [location, bag] of schemasOf(operation)) {
    for (const [name, schema] of Object.entries(bag.properties ?? {})) {
      const argument = argumentName(name)
      if (locations.has(argument)) throw new Error(`${operation.id} takes ${argument} twice`)
      locations.set(argument, [location, name])
      properties[argument] = plainSchema(schema)
      if (location === 'params' || bag.required?.includes(name)) required.push(argument)
    }
  }
  const extras = extrasOf(operation)
  for (const extra of extras) {
    if (locations.has(extra)) throw new Error(`${operation.id} takes ${extra} of its own`)
    properties[extra] = EXTRAS[extra] as JsonSchema
  }
  const schema = { type: 'object', properties, required, additionalProperties: false }
  const fallback = operation.method === 'GET' ? 'query' : 'body'
  const layout: InputLayout = {
    locations,
    fallback,
    extras: new Set(locations.has(EMPRESA) ? extras : [...extras, EMPRESA]),
  }
  return { schema, read: (args) => readArguments(layout, args), nameOf: (param) => renamed(locations, param) }
}

interface InputLayout {
  readonly locations: ReadonlyMap<string, readonly [Location, string]>
  /** Where an unknown argument is put, so that validation refuses it by its name. */
  readonly fallback: Location
  /** Arguments that travel as headers. The empresa always does: operations on the account refuse it with a code of their own. */
  readonly extras: ReadonlySet<string>
}

function readArguments(
  { locations, fallback, extras }: InputLayout,
  args: Readonly<Record<string, unknown>>,
): Arguments {
  // As pairs, so that a name such as __proto__ is a name like any other.
  const found: Record<Location, [string, unknown][]> = { params: [], query: [], body: [] }
  for (const [argument, value] of Object.entries(args)) {
    if (extras.has(argument)) continue
    const [location, name] = locations.get(argument) ?? [fallback, argument]
    found[location].push([name, value])
  }
  const extra = (argument: string) => (extras.has(argument) ? textOf(argument, args[argument]) : undefined)
  return {
    params: Object.fromEntries(found.params) as Record<string, string>,
    query: Object.fromEntries(found.query),
    body: Object.fromEntries(found.body),
    empresa_rut: extra(EMPRESA),
    idempotency_key: extra(KEY),
    confirmation: extra(CONFIRMATION),
  }
}

/** Refuses all but strings: every object would become the same '[object Object]' and collide. */
function textOf(argument: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidField(argument, 'it must be a string.')
  return value
}

const HEADER_ARGUMENTS: ReadonlyMap<string, string> = new Map([
  [HEADERS.empresa, EMPRESA],
  [HEADERS.idempotency_key, KEY],
])

function renamed(locations: ReadonlyMap<string, readonly [Location, string]>, param: string): string {
  const argument = argumentName(param)
  return HEADER_ARGUMENTS.get(param) ?? (locations.has(argument) ? argument : param)
}
