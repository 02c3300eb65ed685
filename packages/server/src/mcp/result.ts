import { HEADERS } from '../catalog/headers.ts'
import { AGENTS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { type ErrorBody, errorBody, Problem } from '../kernel/problem.ts'

type Content =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'resource'
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string }
    }

/** The result of a tool call, as the protocol writes it. */
export interface ToolResult {
  readonly [key: string]: unknown
  readonly content: Content[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
  readonly _meta?: Record<string, unknown>
}

const MIB = 1024 * 1024

export function errorResult(error: ErrorBody, extra: object = {}): ToolResult {
  const structuredContent = { error, ...extra }
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent, isError: true }
}

/** When to poll, and whether it was a replay: for the program around the model. */
function metaOf({ headers }: Answer): { _meta?: Record<string, unknown> } {
  const { [HEADERS.poll_after]: poll, [HEADERS.idempotent_replay]: replayed } = headers
  if (poll === undefined && replayed === undefined) return {}
  return { _meta: { ...(poll && { poll_after_seconds: Number(poll) }), ...(replayed && { idempotent_replay: true }) } }
}

/** A file travels inside the answer, where it is not too large for a conversation. */
function fileResult({ headers, bytes = new Uint8Array(0) }: Answer, uri: string): ToolResult {
  const blob = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const mimeType = headers['Content-Type'] ?? 'application/octet-stream'
  return { content: [{ type: 'resource', resource: { uri, mimeType, blob } }] }
}

export interface RequestFacts {
  readonly request_id: string
  readonly docs_url: string
  /** The address the same thing has over HTTP. */
  readonly uri: string
  readonly nameOf: (param: string) => string
}

export function problemResult(problem: Problem, facts: Omit<RequestFacts, 'uri'>): ToolResult {
  return errorResult(renamed(errorBody(problem, facts), facts))
}

/** The field at fault as this caller spells it. */
function renamed(error: ErrorBody, { nameOf }: Pick<RequestFacts, 'nameOf'>): ErrorBody {
  return error.param === undefined ? error : { ...error, param: nameOf(error.param) }
}

/** The answer of an operation as the result of its tool: the same JSON twice, for programs and for models. */
export function resultOf(answer: Answer, facts: RequestFacts): ToolResult {
  if (answer.bytes && answer.bytes.byteLength > AGENTS.file_bytes) {
    const message = `The file is larger than ${AGENTS.file_bytes / MIB} MiB: download it over HTTP, at ${facts.uri}.`
    return problemResult(new Problem('payload_too_large', { message }), facts)
  }
  if (answer.bytes) return fileResult(answer, facts.uri)
  const text = answer.body ?? '{"done":true}'
  const value = JSON.parse(text) as Record<string, unknown>
  if (answer.status >= 400) return errorResult(renamed(value.error as ErrorBody, facts))
  return { content: [{ type: 'text', text }], structuredContent: value, ...metaOf(answer) }
}
