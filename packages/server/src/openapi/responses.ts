import { accountErrorEntry } from '../catalog/account-errors.ts'
import { errorEntry } from '../catalog/errors.ts'
import { HEADERS } from '../catalog/headers.ts'
import type { Operation } from '../domain/operation.ts'
import { accountCodesOf, codesOf } from '../domain/operation-codes.ts'
import { isArtifact, mediaTypesOf } from '../kernel/schema.ts'
import type { Components, Json } from './components.ts'

const TEXT = { type: 'string' }
const COUNT = { type: 'integer' }

/** Headers of answers, described once under components. */
export const ANSWER_HEADERS = {
  [HEADERS.request_id]: { description: 'Id of this call.', schema: TEXT },
  [HEADERS.rate_limit]: { description: 'Size of the tightest bucket this call counts in.', schema: COUNT },
  [HEADERS.rate_remaining]: { description: 'Calls left in it.', schema: COUNT },
  [HEADERS.rate_reset]: { description: 'Seconds until it has room again.', schema: COUNT },
  [HEADERS.retry_after]: { description: 'Seconds to wait before the same request.', schema: COUNT },
  [HEADERS.poll_after]: { description: 'Seconds to the next useful poll; absent once terminal.', schema: COUNT },
  [HEADERS.idempotent_replay]: { description: 'true when this is the kept answer of an earlier call.', schema: TEXT },
}

const RATE = [HEADERS.rate_limit, HEADERS.rate_remaining, HEADERS.rate_reset]

function headers(...names: string[]): Json {
  const all = [HEADERS.request_id, ...names]
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function isCounted({ reach }: Operation): boolean {
  return reach === 'account' || reach === 'empresa'
}

const ERROR_SCHEMA = {
  title: 'Error',
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'hint', 'retriable', 'doc_url', 'request_id'],
      properties: {
        type: { ...TEXT, description: 'Family; decides what to do.' },
        code: { ...TEXT, description: 'Specific and stable; program against it.' },
        message: { ...TEXT, description: 'Prose; never program against it.' },
        hint: { ...TEXT, description: 'What to do.' },
        retriable: { type: 'boolean', description: 'Whether the identical request can work later.' },
        param: { ...TEXT, description: 'Dotted path of the field at fault.' },
        doc_url: TEXT,
        request_id: TEXT,
        empresa: { ...TEXT, description: 'RUT of the context.' },
        existing_id: { ...TEXT, description: 'On conflicts, the id of what exists.' },
        details: { type: 'object' },
        sii: { type: 'object', description: 'On sii_error: what the SII said.' },
        retry_after_seconds: COUNT,
      },
    },
  },
}

function byStatus<Code>(codes: readonly Code[], entryOf: (code: Code) => { status: number }): Map<number, Code[]> {
  const groups = new Map<number, Code[]>()
  for (const code of codes) {
    const { status } = entryOf(code)
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return new Map([...groups].sort(([a], [b]) => a - b))
}

export function errorResponses(components: Components, operation: Operation): Json {
  const error = components.place(ERROR_SCHEMA as never)
  const counted = isCounted(operation)
  const responses: Json = {}
  for (const [status, codes] of byStatus(codesOf(operation), errorEntry)) {
    const only = { properties: { error: { properties: { code: { enum: codes } } } } }
    const waits = codes.some((code) => errorEntry(code).retry_after_seconds !== undefined)
    responses[status] = components.refusal(status, {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: headers(...(counted && status !== 401 ? RATE : []), ...(waits ? [HEADERS.retry_after] : [])),
      content: { 'application/json': { schema: { allOf: [error, only] } } },
    })
  }
  return responses
}

export function successResponse(components: Components, operation: Operation): Json {
  const sent = headers(
    ...(isCounted(operation) ? RATE : []),
    ...(operation.pollAfter ? [HEADERS.poll_after] : []),
    ...(operation.idempotent ? [HEADERS.idempotent_replay] : []),
  )
  if (operation.returns === null) return { description: 'Done.', headers: sent }
  if (isArtifact(operation.returns)) {
    const file = { schema: { type: 'string', format: 'binary' } }
    return {
      description: 'The file.',
      headers: sent,
      content: Object.fromEntries(mediaTypesOf(operation.returns).map((type) => [type, file])),
    }
  }
  const schema = components.place(operation.returns)
  return { description: 'Done.', headers: sent, content: { 'application/json': { schema } } }
}

function envelope(status: 'success' | 'error', data: Json, errors: Json): Json {
  return {
    type: 'object',
    required: ['status', 'message', 'data', 'errors'],
    properties: {
      status: { const: status },
      message: { ...TEXT, description: 'Chilean Spanish, for the person who is there.' },
      data,
      errors: { type: 'array', ...errors },
    },
  }
}

const REFUSAL_FACTS = {
  type: 'object',
  required: ['request_id'],
  properties: {
    request_id: TEXT,
    param: { ...TEXT, description: 'Dotted path of the field at fault.' },
    retry_after_seconds: COUNT,
  },
}

/** The answers of an operation of /account, each wrapped in its envelope. */
export function accountResponses(components: Components, operation: Operation): Json {
  const rate = operation.reach === 'session' ? RATE : []
  const data = operation.returns === null ? { type: 'null' } : components.place(operation.returns)
  const answer = (description: string, names: readonly string[], schema: Json) => ({
    description,
    headers: headers(...names),
    content: { 'application/json': { schema } },
  })
  const responses: Json = {
    [operation.status]: answer('Done.', rate, envelope('success', data as Json, { maxItems: 0 })),
  }
  for (const [status, codes] of byStatus(accountCodesOf(operation), accountErrorEntry)) {
    const waits = codes.some((code) => accountErrorEntry(code).retry_after_seconds !== undefined)
    const names = [...(status === 401 ? [] : rate), ...(waits ? [HEADERS.retry_after] : [])]
    const described = codes.map((code) => `\`${code}\``).join(', ')
    const errors = { items: { enum: codes }, minItems: 1, description: 'Branch on the first.' }
    responses[status] = components.refusal(status, answer(described, names, envelope('error', REFUSAL_FACTS, errors)))
  }
  return responses
}
