import { mayHoldControls, parseJson } from '../kernel/json.ts'
import { Closed } from '../kernel/schema.ts'
import { controlCharacter, refuseControlCharacters, validate } from '../kernel/validate.ts'
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

/** Path, query and body, each checked, merged into the one flat input a verb takes. Their names never collide. */
export function parseInput(call: Call, body: Uint8Array): Record<string, unknown> {
  const { operation } = call
  if (operation.params) validate(operation.params, call.params, 'body')
  validate(operation.query ?? EMPTY, call.query, 'query', controlCharacter(call.query))
  if (operation.method === 'GET') return { ...call.params, ...call.query }
  const json = readJson(call, body)
  const controls = mayHoldControls(body) ? controlCharacter(json) : null
  const schema = (call.api === 'dashboard' ? operation.dashboardBody : undefined) ?? operation.body ?? EMPTY
  validate(schema, json, 'body', controls)
  return { ...call.params, ...call.query, ...(json as object) }
}
