// What the MCP Inspector says of the schemas of tools (its "schema portability", version 2.12): the rules of a stranger, written
// down so that none of ours has to be remembered.

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

const ALONE = ['items', 'contains', 'not', 'propertyNames', 'if', 'then', 'else', 'contentSchema']
/** These may be true or false as well. */
const ALONE_OR_BOOLEAN = ['additionalProperties', 'unevaluatedProperties', 'additionalItems', 'unevaluatedItems']
const IN_A_ROW = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const BY_NAME = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']

/** Any of these asks for something; a schema with none of them is taken for one that was forgotten. */
const ASKS = new Set([
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength'],
  ...['minLength', 'pattern', 'format', 'contentMediaType', 'contentEncoding', 'maxItems', 'minItems', 'uniqueItems'],
  ...['maxContains', 'minContains', 'maxProperties', 'minProperties', 'required', 'dependentRequired', '$ref'],
  ...['items', 'contains', 'not', 'propertyNames', 'contentSchema', ...ALONE_OR_BOOLEAN, ...IN_A_ROW],
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies'],
])

/** The schemas directly inside one, each with its path and whether a bare true or false may stand there. */
function inner(node: Node, at: string): [string, unknown, boolean][] {
  const rows = IN_A_ROW.flatMap((key) => (Array.isArray(node[key]) ? node[key].map((one, n) => [key, n, one]) : []))
  const named = BY_NAME.flatMap((key) => Object.entries((node[key] ?? {}) as object).map(([n, one]) => [key, n, one]))
  return [
    ...[...rows, ...named].map(([key, n, one]): [string, unknown, boolean] => [`${at}.${key}.${n}`, one, false]),
    ...ALONE.filter((key) => key in node).map((key): [string, unknown, boolean] => [`${at}.${key}`, node[key], false]),
    ...ALONE_OR_BOOLEAN.filter((key) => key in node).map((key): [string, unknown, boolean] => [
      `${at}.${key}`,
      node[key],
      true,
    ]),
  ]
}

/** What the Inspector warns of in a schema, with the path to each: nothing for one that every client takes. */
export function portabilityWarnings(schema: unknown, at = ''): string[] {
  if (!isNode(schema)) return [`${at}: a bare ${String(schema)} where a schema stands`]
  const own = [
    Array.isArray(schema.type) && 'a list of types',
    'nullable' in schema && 'nullable, which is no JSON Schema',
    typeof schema.$ref === 'string' && !schema.$ref.startsWith('#') && 'a $ref to elsewhere',
    !Object.keys(schema).some((key) => ASKS.has(key)) && !at.endsWith('.not') && 'a schema that asks for nothing',
  ].filter((found) => found !== false)
  const within = inner(schema, at).flatMap(([path, one, may_be_boolean]) =>
    may_be_boolean && typeof one === 'boolean' ? [] : portabilityWarnings(one, path),
  )
  return [...own.map((found) => `${at}: ${found}`), ...within]
}
