import type { Operation } from '../domain/operation.ts'
import { recordedExamples } from '../domain/recorded-examples.ts'
import type { Components, Json } from './components.ts'

const exampleOf = ({ id }: Operation) => recordedExamples()[id]

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
