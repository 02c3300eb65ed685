import { readFileSync } from 'node:fs'
import type { Operation } from '../domain/operation.ts'
import type { Components, Json } from './components.ts'

/** One call of each operation, recorded: see `test/examples`. */
interface Example {
  readonly request: { readonly body?: unknown }
  readonly response: { readonly body?: unknown; readonly note?: string }
}

const FILE = new URL('../../../../openapi/examples.json', import.meta.url)

let read: Readonly<Record<string, Example>> | null = null

function exampleOf({ id }: Operation): Example | undefined {
  read ??= JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, Example>>
  return read[id]
}

export function requestExample(operation: Operation): Json {
  const body = exampleOf(operation)?.request.body
  return body === undefined ? {} : { example: body }
}

/** One element of a list is enough to see what it is a list of. */
function shortened(body: unknown): unknown {
  const { object, data } = (body ?? {}) as { object?: unknown; data?: unknown[] }
  return object === 'list' && data ? { ...(body as Json), data: data.slice(0, 1) } : body
}

/** What a success looks like, written once for each kind of answer: of the first operation that gives it. */
export function responseExample(components: Components, operation: Operation, name: string): Json {
  const body = exampleOf(operation)?.response.body
  if (body === undefined) return {}
  components.examples[name] ??= { value: shortened(body) }
  return { examples: { recorded: { $ref: `#/components/examples/${name}` } } }
}
