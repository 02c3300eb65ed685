import { HEADERS } from '../catalog/headers.ts'
import { namesEmpresa, type Operation } from '../domain/operation.ts'
import { invalidField } from '../kernel/problem.ts'
import { argumentName, type JsonSchema, plainSchema, takesAnything } from './schema.ts'
import { valuesFor } from './values.ts'
import { wordsFor } from './words.ts'

export type Location = 'params' | 'query' | 'body'

/** Arguments of a tool beside the input of its operation, which HTTP sends as headers. */
export const EMPRESA = 'empresa'
export const KEY = 'idempotency_key'
export const CONFIRMATION = 'confirmation'

/** What HTTP calls the empresa, by where it stands. A caller that knows those names may use them. */
const EMPRESA_FIELDS = ['empresa_rut', 'empresa_id'] as const

/** The arguments of a tool, each in the part of the request where its operation expects it. */
export interface Arguments {
  readonly params: Readonly<Record<string, string>>
  readonly query: Record<string, unknown>
  readonly body: Record<string, unknown>
  readonly empresa_rut: string | undefined
  readonly idempotency_key: string | undefined
  readonly confirmation: string | undefined
}

/** The same before it is known which empresa was meant: a name of it that stands nowhere yet. */
export interface GivenArguments extends Arguments {
  readonly empresa: string | undefined
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

/** Where an operation takes its empresa: in the path, as a header, as a filter of the account, or not at all. */
export type EmpresaPlace = { readonly at: Location; readonly field: string } | { readonly at: 'header' } | null

function empresaPlace(operation: Operation): EmpresaPlace {
  const bag = schemasOf(operation).flatMap(([at, { properties = {} }]) =>
    EMPRESA_FIELDS.filter((field) => field in properties).map((field) => ({ at, field })),
  )
  return bag[0] ?? (operation.reach === 'empresa' ? { at: 'header' } : null)
}

const EMPRESA_SAYS = 'The empresa, by its RUT (76192083-9) or id. Leave out where you reach only one.'
const EMPRESA_FILTER_SAYS = 'Only this empresa, by its RUT (76192083-9) or id.'

const EXTRAS: Readonly<Record<string, JsonSchema>> = {
  [KEY]: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'Your own name for this one act: repeated with it within 24 hours, it is never done twice.',
  },
  [CONFIRMATION]: {
    type: 'string',
    description:
      'Leave out first: nothing is done and you get a preview. Once the person agrees, repeat the same arguments with its `confirmation.token`.',
  },
}

function extrasOf(operation: Operation): string[] {
  const extras = operation.idempotent === false ? [] : [KEY]
  if (operation.mcp.not === undefined && operation.mcp.irreversible) extras.push(CONFIRMATION)
  return extras
}

export interface ToolInput {
  readonly schema: JsonSchema
  readonly empresa: EmpresaPlace
  readonly read: (args: Readonly<Record<string, unknown>>) => GivenArguments
  /** The caller's name for a field of the operation. */
  readonly nameOf: (param: string) => string
}

/** The input of a tool: path, query and body of its operation in one flat object, and what HTTP sends as headers. */
export function toolInput(operation: Operation): ToolInput {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  const locations = new Map<string, readonly [Location, string]>()
  const place = empresaPlace(operation)
  const vocabulary = { words: wordsFor(operation.id), values: valuesFor(operation.id) }
  const own = place !== null && 'field' in place ? place : null
  for (const [location, bag] of schemasOf(operation)) {
    for (const [name, schema] of Object.entries(bag.properties ?? {})) {
      if (own?.at === location && own.field === name) continue
      const argument = argumentName(name)
      if (locations.has(argument)) throw new Error(`${operation.id} takes ${argument} twice`)
      locations.set(argument, [location, name])
      // It is in the table to be refused by its name: no model is shown what it may never send.
      if (takesAnything(schema)) continue
      properties[argument] = plainSchema(schema, vocabulary, argument)
      if (location === 'params' || bag.required?.includes(name)) required.push(argument)
    }
  }
  const extras = extrasOf(operation)
  for (const extra of [...(place ? [EMPRESA] : []), ...extras])
    if (locations.has(extra)) throw new Error(`${operation.id} takes ${extra} of its own`)
  if (place)
    properties[EMPRESA] = {
      type: 'string',
      description: operation.reach === 'account' ? EMPRESA_FILTER_SAYS : EMPRESA_SAYS,
    }
  for (const extra of extras) properties[extra] = EXTRAS[extra] as JsonSchema
  const schema = { type: 'object', properties, required, additionalProperties: false }
  const fallback = operation.method === 'GET' ? 'query' : 'body'
  const layout: InputLayout = { locations, fallback, place, extras: new Set(extras) }
  return {
    schema,
    empresa: place,
    read: (args) => readArguments(layout, args),
    nameOf: (param) => renamed(locations, param),
  }
}

interface InputLayout {
  readonly locations: ReadonlyMap<string, readonly [Location, string]>
  readonly place: EmpresaPlace
  /** Where an unknown argument is put, so that validation refuses it by its name. */
  readonly fallback: Location
  /** Arguments that travel as headers. */
  readonly extras: ReadonlySet<string>
}

/** The argument that names the empresa: the name that all tools share, else that of HTTP which is closest to the place. */
function empresaArgument({ place, locations }: InputLayout, args: Readonly<Record<string, unknown>>): string | null {
  const closest = place !== null && 'field' in place ? place.field : 'empresa_rut'
  const names = [EMPRESA, closest, ...EMPRESA_FIELDS].filter((name) => !locations.has(name))
  return names.find((name) => args[name] !== undefined && args[name] !== null) ?? null
}

function readArguments(layout: InputLayout, args: Readonly<Record<string, unknown>>): GivenArguments {
  const { locations, fallback, extras, place } = layout
  const naming = empresaArgument(layout, args)
  // Beside an id in the path HTTP lets the header name the empresa too, and compares the two.
  const beside = naming === 'empresa_id' && place?.at === 'params' ? 'empresa_rut' : null
  // As pairs, so that a name such as __proto__ is a name like any other.
  const found: Record<Location, [string, unknown][]> = { params: [], query: [], body: [] }
  for (const [argument, value] of Object.entries(args)) {
    if (extras.has(argument) || argument === naming || argument === beside) continue
    if (argument === EMPRESA && !locations.has(argument)) continue
    const [location, name] = locations.get(argument) ?? [fallback, argument]
    found[location].push([name, value])
  }
  const extra = (argument: string) => (extras.has(argument) ? textOf(argument, args[argument]) : undefined)
  return {
    params: Object.fromEntries(found.params) as Record<string, string>,
    query: Object.fromEntries(found.query),
    body: Object.fromEntries(found.body),
    empresa: naming === null ? undefined : textOf(naming, args[naming]),
    empresa_rut: beside === null ? undefined : textOf(beside, args[beside]),
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

const FIELD_ARGUMENTS: ReadonlyMap<string, string> = new Map([
  [HEADERS.empresa, EMPRESA],
  [HEADERS.idempotency_key, KEY],
])

function renamed(locations: ReadonlyMap<string, readonly [Location, string]>, param: string): string {
  const argument = argumentName(param)
  if (locations.has(argument)) return argument
  return FIELD_ARGUMENTS.get(param) ?? param
}
