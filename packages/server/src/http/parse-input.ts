import { mayHoldControls, parseJson } from '../kernel/json.ts'
import { type Problem, refuseAll } from '../kernel/problem.ts'
import { Closed } from '../kernel/schema.ts'
import { controlCharacter, faultsOf, refuseControlCharacters } from '../kernel/validate.ts'
import type { Call } from './call.ts'

const EMPTY = Closed({})

function readJson({ operation }: Call, body: Uint8Array): unknown {
  if (body.length === 0) return {}
  return parseJson(body, { bytes: operation.body_bytes, values: operation.body_values })
}

/** Characters that no id can hold are refused before they reach the database. */
export function checkParams(call: Call): void {
  for (const [name, value] of Object.entries(call.params)) refuseControlCharacters(value, name)
}

/** What is wrong with the address of a call: its path and its query. */
function addressFaults({ operation, params, query }: Call): readonly Problem[] {
  const of_query = faultsOf(operation.query ?? EMPTY, query, 'query', controlCharacter(query))
  return operation.params ? [...faultsOf(operation.params, params, 'body'), ...of_query] : of_query
}

/** A body that cannot be read is told only where nothing else is wrong: what it holds, nobody knows. */
function readBody(call: Call, body: Uint8Array, before: readonly Problem[]): unknown {
  try {
    return readJson(call, body)
  } catch (error) {
    refuseAll(before)
    throw error
  }
}

/** Path, query and body, all of them checked before one is refused, merged into the one flat input a verb takes. Their names never collide. */
export function parseInput(call: Call, body: Uint8Array): Record<string, unknown> {
  const { operation } = call
  const before = addressFaults(call)
  if (operation.method === 'GET') {
    refuseAll(before)
    return { ...call.params, ...call.query }
  }
  const json = readBody(call, body, before)
  const controls = mayHoldControls(body) ? controlCharacter(json) : null
  const schema = (call.api === 'dashboard' ? operation.dashboardBody : undefined) ?? operation.body ?? EMPTY
  const of_body = faultsOf(schema, json, 'body', controls)
  if (before.length > 0 || of_body.length > 0) refuseAll([...before, ...of_body])
  return { ...call.params, ...call.query, ...(json as object) }
}
