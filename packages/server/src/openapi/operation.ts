import { HEADERS } from '../catalog/headers.ts'
import { BUCKETS } from '../catalog/limits.ts'
import { isOperators } from '../domain/context.ts'
import { namesEmpresa, type Operation } from '../domain/operation.ts'
import { sizeText } from '../kernel/json.ts'
import { type Components, type Json, parametersOf } from './components.ts'

const TEXT = { type: 'string' }

function headerParameters(operation: Operation): Json[] {
  const parameters: Json[] = []
  const add = (name: string, required: boolean, description: string) =>
    parameters.push({ name, in: 'header', required, description, schema: TEXT })
  if (operation.reach === 'empresa' && !namesEmpresa(operation)) {
    add(HEADERS.empresa, false, 'RUT of the empresa. Needed unless the key reaches exactly one.')
  }
  if (operation.idempotent !== false) {
    add(
      HEADERS.idempotency_key,
      operation.idempotent === 'required',
      'Your own key for this logical operation, kept 24 hours.',
    )
  }
  return parameters
}

function securityOf({ reach, dashboard }: Operation): Json[] {
  if (reach === 'public') return []
  if (isOperators(reach)) return [{ operator: [] }]
  if (reach === 'session') return [{ session: [] }]
  return dashboard ? [{ api_key: [] }, { session: [] }] : [{ api_key: [] }]
}

function describe(operation: Operation): string {
  const { scope, limit } = operation
  const lines = [operation.description]
  if (scope) lines.push(`Scope: \`${scope}\`.`)
  if (limit) lines.push(`Limit: ${BUCKETS[limit].max} per ${BUCKETS[limit].window_seconds} s.`)
  if (operation.test_only) lines.push('Test mode only.')
  return lines.filter((line) => line !== undefined).join('\n\n')
}

/** The same fields as parts of a form, where a file is bytes. */
function formSchema(body: NonNullable<Operation['body']>): Json {
  const fields = Object.entries(body.properties as Readonly<Record<string, Json>>).map(([name, schema]) => {
    const { contentEncoding, pattern: _, maxLength: __, minLength: ___, ...rest } = schema
    return [name, contentEncoding === undefined ? schema : { ...rest, contentMediaType: 'application/octet-stream' }]
  })
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(fields) }
}

function requestBody(components: Components, { body, body_bytes, takes_form }: Operation): Json {
  if (!body) return {}
  const description = `At most ${sizeText(body_bytes)}.`
  const required = ((body as unknown as { required?: unknown[] }).required ?? []).length > 0
  const content = {
    'application/json': { schema: components.place(body) },
    ...(takes_form && { 'multipart/form-data': { schema: formSchema(body) } }),
  }
  return { requestBody: { description, required, content } }
}

/** One operation as OpenAPI writes it. */
export function operationObject(components: Components, operation: Operation, responses: Json): Json {
  const path = parametersOf(components, operation.params ?? pathSchema(operation.path), 'path')
  const description = describe(operation)
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(description !== '' && { description }),
    tags: [operation.id.split('.')[0]],
    ...(operation.sunset && { deprecated: true }),
    security: securityOf(operation),
    parameters: [...path, ...parametersOf(components, operation.query, 'query'), ...headerParameters(operation)],
    ...requestBody(components, operation),
    responses,
  }
}

/** An operation that takes only the empresa from its path declares no params: the pipeline reads it. */
function pathSchema(path: string): never {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  return { properties: Object.fromEntries(names.map((name) => [name, TEXT])), required: names } as never
}
