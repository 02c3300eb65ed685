import type { TSchema } from 'typebox'
import { accountErrorEntry } from '../catalog/account-errors.ts'
import { errorEntry } from '../catalog/errors.ts'
import { HEADERS } from '../catalog/headers.ts'
import { CEILINGS } from '../catalog/limits.ts'
import type { Operation } from '../domain/operation.ts'
import { accountCodesOf, codesOf } from '../domain/operation-codes.ts'
import { isArtifact, mediaTypesOf } from '../kernel/schema.ts'
import type { Components, Json } from './components.ts'
import { responseExample } from './examples.ts'
import { answerNames, bodyName, elementOf, pascal } from './names.ts'
import { refusalName } from './response-names.ts'

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

/** A wait is told twice: HTTP's own header, and the one that polls read. */
const WAIT = [HEADERS.retry_after, HEADERS.poll_after]
const RATE = [HEADERS.rate_limit, HEADERS.rate_remaining, HEADERS.rate_reset]

function headers(...names: string[]): Json {
  const all = [HEADERS.request_id, ...names]
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function isCounted({ reach }: Operation): boolean {
  return reach === 'account' || reach === 'empresa'
}

const FAULT_SCHEMA = {
  type: 'object',
  required: ['param', 'code', 'message'],
  properties: {
    param: { ...TEXT, description: 'Dotted path of the field at fault.' },
    code: { ...TEXT, description: 'What it would be refused with by itself.' },
    message: { ...TEXT, description: 'Prose; never program against it.' },
  },
}

const detailsSchema = (fault: unknown) => ({
  type: 'object',
  additionalProperties: true,
  description: 'Facts beside it, which the code decides.',
  properties: {
    errors: {
      type: 'array',
      maxItems: CEILINGS.errors_told,
      items: fault,
      description: `On \`invalid_field\`, \`invalid_rut\` and \`receptor_incomplete\`: everything wrong with the input, the one that \`param\` names first.`,
    },
    errors_truncated: { type: 'boolean', description: '`true` where more is wrong than `errors` has room for.' },
  },
})

const errorSchema = (fault: unknown) => ({
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
        details: detailsSchema(fault),
        sii: { type: 'object', description: 'On sii_error: what the SII said.' },
        retry_after_seconds: COUNT,
      },
    },
  },
})

function byStatus<Code>(codes: readonly Code[], entryOf: (code: Code) => { status: number }): Map<number, Code[]> {
  const groups = new Map<number, Code[]>()
  for (const code of codes) {
    const { status } = entryOf(code)
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return new Map([...groups].sort(([a], [b]) => a - b))
}

/** A refusal: under its name where operations share it, in full where it is one operation's own. */
function refusal(components: Components, codes: readonly string[], metered: boolean, response: Json): Json {
  const name = refusalName(codes)
  return name === null ? response : components.response(metered ? name : `${name}Unmetered`, response)
}

const listed = (codes: readonly string[]) => codes.map((code) => `\`${code}\``).join(', ')

export function errorResponses(components: Components, operation: Operation): Json {
  const error = components.write('Error', errorSchema(components.write('InputFault', FAULT_SCHEMA)))
  const counted = isCounted(operation)
  const responses: Json = {}
  for (const [status, codes] of byStatus(codesOf(operation), errorEntry)) {
    const only = {
      required: ['error'],
      properties: { error: { required: ['code'], properties: { code: { enum: codes } } } },
    }
    const waits = codes.some((code) => errorEntry(code).retry_after_seconds !== undefined)
    responses[status] = refusal(components, codes, counted, {
      description: listed(codes),
      headers: headers(...(counted && status !== 401 ? RATE : []), ...(waits ? WAIT : [])),
      content: { 'application/json': { schema: { allOf: [error, only] } } },
    })
  }
  return responses
}

/** An answer under its name, and what it lists under its own. */
function answerSchema(
  components: Components,
  operation: Operation,
  returns: TSchema,
): { name: string; schema: unknown } {
  const { own, element } = answerNames(operation, returns)
  const { properties } = returns as unknown as { properties: { data: { items: Json } } }
  if (!element || elementOf(returns)?.title) return { name: own, schema: components.place(returns, own) }
  const data = { ...properties.data, items: { ...properties.data.items, title: element } }
  const named = { ...(returns as unknown as Json), properties: { ...properties, data } }
  return { name: own, schema: components.place(named, own) }
}

export function successResponse(components: Components, operation: Operation): Json {
  const sent = headers(
    ...(isCounted(operation) ? RATE : []),
    ...(operation.pollAfter ? [HEADERS.poll_after] : []),
    ...(operation.idempotent ? [HEADERS.idempotent_replay] : []),
  )
  if (operation.returns === null) return components.response('NoContent', { description: 'Done.', headers: sent })
  if (isArtifact(operation.returns)) {
    const file = { schema: { type: 'string', format: 'binary' } }
    const types = mediaTypesOf(operation.returns)
    const content = Object.fromEntries(types.map((type) => [type, file]))
    const name = `${types.map((type) => pascal(type.split('/').at(-1) ?? '')).join('Or')}File`
    return components.response(name, { description: 'The file.', headers: sent, content })
  }
  const { name, schema } = answerSchema(components, operation, operation.returns)
  const content = { 'application/json': { schema, ...responseExample(components, operation, name) } }
  return components.response(name, { description: 'Done.', headers: sent, content })
}

function envelope(status: 'success' | 'error', data: unknown, errors: Json): Json {
  return {
    type: 'object',
    required: ['status', 'message', 'data', 'errors'],
    properties: {
      status: { const: status },
      message: { ...TEXT, description: 'Chilean Spanish, for the person who is there.' },
      data,
      errors: { type: 'array', items: TEXT, ...errors },
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
  const metered = operation.reach === 'session'
  const rate = metered ? RATE : []
  const answer = (description: string, names: readonly string[], content: Json) => ({
    description,
    headers: headers(...names),
    content: { 'application/json': content },
  })
  const { returns } = operation
  const name = returns === null ? 'Done' : `${bodyName(operation)}Answer`
  const data = returns === null ? { type: 'null' } : components.place(returns)
  const success = components.write(name, envelope('success', data, { maxItems: 0 }))
  const error = components.write(
    'AccountError',
    envelope('error', REFUSAL_FACTS, { minItems: 1, description: 'Branch on the first.' }),
  )
  const responses: Json = {
    [operation.status]: answer('Done.', rate, { schema: success, ...responseExample(components, operation, name) }),
  }
  for (const [status, codes] of byStatus(accountCodesOf(operation), accountErrorEntry)) {
    const waits = codes.some((code) => accountErrorEntry(code).retry_after_seconds !== undefined)
    const names = [...(status === 401 ? [] : rate), ...(waits ? WAIT : [])]
    const only = { required: ['errors'], properties: { errors: { items: { enum: codes } } } }
    const schema = { allOf: [error, only] }
    responses[status] = refusal(components, codes, metered, answer(listed(codes), names, { schema }))
  }
  return responses
}
