import { BUCKETS } from '../catalog/limits.ts'
import { isOperators } from '../domain/context.ts'
import type { Operation } from '../domain/operation.ts'
import { sizeText } from '../kernel/json.ts'
import type { Components, Json } from './components.ts'
import { requestExample } from './examples.ts'
import { empresaHeader, operationParameters } from './parameters.ts'

function securityOf({ reach, dashboard }: Operation): Json[] {
  if (reach === 'public') return []
  if (isOperators(reach)) return [{ operator: [] }]
  if (reach === 'session') return [{ session: [] }]
  return dashboard ? [{ api_key: [] }, { session: [] }] : [{ api_key: [] }]
}

function describe(operation: Operation): string {
  const { scope, limit } = operation
  const lines = [operation.description ?? `${operation.summary}.`]
  if (scope) lines.push(`Scope: \`${scope}\`.`)
  if (limit) lines.push(`Limit: ${BUCKETS[limit].max} per ${BUCKETS[limit].window_seconds} s.`)
  if (operation.test_only) lines.push('Test mode only.')
  if (empresaHeader(operation) === 'refused')
    lines.push('Of the account: a `Svc-Empresa` header is `400 empresa_header_forbidden`.')
  return lines.join('\n\n')
}

/** The same fields as parts of a form, where a file is bytes. */
function formSchema(components: Components, body: NonNullable<Operation['body']>): unknown {
  const fields = Object.entries(body.properties as Readonly<Record<string, Json>>).map(([name, schema]) => {
    const { contentEncoding, pattern: _, maxLength: __, minLength: ___, ...rest } = schema
    return [name, contentEncoding === undefined ? schema : { ...rest, contentMediaType: 'application/octet-stream' }]
  })
  return components.place({ type: 'object', additionalProperties: false, properties: Object.fromEntries(fields) })
}

function requestBody(components: Components, operation: Operation): Json {
  const { body, body_bytes, takes_form } = operation
  if (!body) return {}
  const { name, schema } = components.placeBody(body, operation)
  const description = `At most ${sizeText(body_bytes)}.`
  const required = ((body as unknown as { required?: unknown[] }).required ?? []).length > 0
  const content = {
    'application/json': { schema, ...requestExample(operation) },
    ...(takes_form && {
      'multipart/form-data': { schema: components.write(`${name}Form`, formSchema(components, body) as Json) },
    }),
  }
  return { requestBody: { description, required, content } }
}

/** The tag of an operation: what it is about. */
export const tagOf = ({ id }: Operation) => id.split('.')[0] ?? ''

/** One operation as OpenAPI writes it. */
export function operationObject(components: Components, operation: Operation, responses: Json): Json {
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: describe(operation),
    tags: [tagOf(operation)],
    ...(operation.sunset && { deprecated: true }),
    'x-empresa-header': empresaHeader(operation),
    security: securityOf(operation),
    parameters: operationParameters(components, operation),
    ...requestBody(components, operation),
    responses,
  }
}
