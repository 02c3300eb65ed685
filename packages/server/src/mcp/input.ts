import { HEADERS } from '../catalog/headers.ts'
import { namesEmpresa, type Operation } from '../domain/operation.ts'
import { invalidField } from '../kernel/problem.ts'
import { type JsonSchema, plainSchema, wordOf } from './schema.ts'

type Place = 'params' | 'query' | 'body'

/** What a tool takes beside the input of its operation, and which HTTP sends as headers. */
export const EMPRESA = 'empresa_rut'
export const KEY = 'idempotency_key'
export const CONFIRMATION = 'confirmation'

/** The arguments of a tool, each put back where its operation takes it. */
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

const PLACES: readonly Place[] = ['params', 'query', 'body']

function partsOf(operation: Operation): [Place, PropertyBag][] {
  const path = namesEmpresa(operation) && !operation.params ? { properties: { empresa_id: { type: 'string' } } } : {}
  const params = { ...path, ...operation.params } as PropertyBag
  const body = (operation.mcp.not === undefined ? operation.mcp.input : undefined) ?? operation.body
  const bags = { params, query: (operation.query ?? {}) as PropertyBag, body: (body ?? {}) as PropertyBag }
  return PLACES.map((place) => [place, bags[place]])
}

export const takesEmpresa = (operation: Operation) => operation.reach === 'empresa' && !namesEmpresa(operation)

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
  /** What the caller calls a field that the operation knows by another name. */
  readonly nameOf: (param: string) => string
}

/** The input of a tool: path, query and body of its operation in one flat object, and what HTTP sends as headers. */
export function toolInput(operation: Operation): ToolInput {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  const homes = new Map<string, readonly [Place, string]>()
  for (const [place, bag] of partsOf(operation)) {
    for (const [name, schema] of Object.entries(bag.properties ?? {})) {
      const word = wordOf(name)
      if (homes.has(word)) throw new Error(`${operation.id} takes ${word} twice`)
      homes.set(word, [place, name])
      properties[word] = plainSchema(schema)
      if (place === 'params' || bag.required?.includes(name)) required.push(word)
    }
  }
  const extras = extrasOf(operation)
  for (const extra of extras) {
    if (homes.has(extra)) throw new Error(`${operation.id} takes ${extra} of its own`)
    properties[extra] = EXTRAS[extra] as JsonSchema
  }
  const schema = { type: 'object', properties, required, additionalProperties: false }
  const stray = operation.method === 'GET' ? 'query' : 'body'
  const reading: Reading = { homes, stray, extras: new Set(homes.has(EMPRESA) ? extras : [...extras, EMPRESA]) }
  return { schema, read: (args) => readArguments(reading, args), nameOf: (param) => renamed(homes, param) }
}

interface Reading {
  readonly homes: ReadonlyMap<string, readonly [Place, string]>
  /** Where the check of the whole refuses by its name what no part takes. */
  readonly stray: Place
  /** What travels as a header. The empresa always does: what works on the account refuses it with a code of its own. */
  readonly extras: ReadonlySet<string>
}

function readArguments({ homes, stray, extras }: Reading, args: Readonly<Record<string, unknown>>): Arguments {
  // As pairs, so that a name such as __proto__ is a name like any other.
  const found: Record<Place, [string, unknown][]> = { params: [], query: [], body: [] }
  for (const [word, value] of Object.entries(args)) {
    if (extras.has(word)) continue
    const [place, name] = homes.get(word) ?? [stray, word]
    found[place].push([name, value])
  }
  const extra = (word: string) => (extras.has(word) ? textOf(word, args[word]) : undefined)
  return {
    params: Object.fromEntries(found.params) as Record<string, string>,
    query: Object.fromEntries(found.query),
    body: Object.fromEntries(found.body),
    empresa_rut: extra(EMPRESA),
    idempotency_key: extra(KEY),
    confirmation: extra(CONFIRMATION),
  }
}

/** A header is text. Anything else made into text could be another's: all objects are spelt alike. */
function textOf(word: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidField(word, 'it must be a string.')
  return value
}

const HEADER_WORDS: ReadonlyMap<string, string> = new Map([
  [HEADERS.empresa, EMPRESA],
  [HEADERS.idempotency_key, KEY],
])

function renamed(homes: ReadonlyMap<string, readonly [Place, string]>, param: string): string {
  const word = wordOf(param)
  return HEADER_WORDS.get(param) ?? (homes.has(word) ? word : param)
}
