import type { TSchema } from 'typebox'
import { HEADERS } from '../catalog/headers.ts'
import { MODE_NAMES } from '../catalog/modes.ts'
import { namesEmpresa, type Operation } from '../domain/operation.ts'
import type { Components, Json } from './components.ts'

const TEXT = { type: 'string' }

interface PropertyBag {
  readonly properties: Record<string, Json>
  readonly required?: readonly string[]
}

/** The properties of a params or query schema as OpenAPI parameters. */
function parametersOf(components: Components, schema: TSchema | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties, required = [] } = schema as unknown as PropertyBag
  return Object.entries(properties).map(([name, { description, ...rest }]) =>
    components.parameter({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: components.place(rest),
    }),
  )
}

/** What becomes of `Svc-Empresa`: it selects the empresa, must agree with the path, is refused, or nobody reads it. */
export function empresaHeader(operation: Operation): 'selects' | 'agrees' | 'refused' | 'ignored' {
  if (operation.reach === 'account') return 'refused'
  if (operation.reach !== 'empresa') return 'ignored'
  return namesEmpresa(operation) ? 'agrees' : 'selects'
}

const EMPRESA_HEADER = {
  selects:
    'RUT of the empresa, as `76192083-9`. Needed with a session, and with a key that reaches several empresas or all of them ' +
    '(`*`): the key of a registration is one of those, even while the account has one empresa. It may be left out with an ' +
    'empresa token alone, a key whose `empresas` holds exactly one RUT.',
  agrees: 'Not needed, for the path names the empresa. Where it is sent, it must be the RUT of that empresa.',
} as const

function headerParameters(components: Components, operation: Operation): Json[] {
  const header = (name: string, required: boolean, description: string, schema: Json = TEXT) =>
    components.parameter({ name, in: 'header', required, description, schema })
  const empresa = empresaHeader(operation)
  return [
    ...(empresa === 'selects' || empresa === 'agrees' ? [header(HEADERS.empresa, false, EMPRESA_HEADER[empresa])] : []),
    ...(operation.dashboard
      ? [
          header(
            HEADERS.mode,
            false,
            'The mode of a session, under `/dashboard`. Nobody reads it beside an API key, whose prefix says the mode.',
            { type: 'string', enum: [...MODE_NAMES], default: 'live' },
          ),
        ]
      : []),
    ...(operation.idempotent !== false
      ? [
          header(
            HEADERS.idempotency_key,
            operation.idempotent === 'required',
            'Your own key for this logical operation, kept 24 hours. The same one on every retry.',
          ),
        ]
      : []),
  ]
}

/** An operation that takes only the empresa from its path declares no params: the pipeline reads it. */
function pathSchema(path: string): TSchema {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  return { properties: Object.fromEntries(names.map((name) => [name, TEXT])), required: names } as never
}

export function operationParameters(components: Components, operation: Operation): Json[] {
  return [
    ...parametersOf(components, operation.params ?? pathSchema(operation.path), 'path'),
    ...parametersOf(components, operation.query, 'query'),
    ...headerParameters(components, operation),
  ]
}
