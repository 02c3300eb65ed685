import { HEADERS } from '../catalog/headers.ts'
import { AGENTS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { type ErrorBody, errorBody, type Fault, Problem } from '../kernel/problem.ts'

/**
 * The result of a tool call as the protocol writes it. An answer is JSON already, and may be long: it is put in its place
 * as it is, once as structure and once as text, and never read.
 */
export interface ToolResult {
  readonly json: string
  /** What `structuredContent` holds, where it holds anything. */
  readonly structure?: string
  readonly refusal?: ErrorBody
}

const MIB = 1024 * 1024

/** The same JSON twice, for programs and for models. */
export function structuredResult(structure: string, rest = ''): ToolResult {
  const content = `[{"type":"text","text":${JSON.stringify(structure)}}]`
  return { json: `{"content":${content},"structuredContent":${structure}${rest}}`, structure }
}

export function errorResult(refusal: ErrorBody, rest = ''): ToolResult {
  return { ...structuredResult(`{"error":${JSON.stringify(refusal)}${rest}}`, ',"isError":true'), refusal }
}

/** When to poll, and whether it was a replay: for the program around the model. */
function metaOf({ headers }: Answer): string {
  const { [HEADERS.poll_after]: poll, [HEADERS.idempotent_replay]: replayed } = headers
  if (poll === undefined && replayed === undefined) return ''
  const meta = { ...(poll && { poll_after_seconds: Number(poll) }), ...(replayed && { idempotent_replay: true }) }
  return `,"_meta":${JSON.stringify(meta)}`
}

/** A file travels inside the answer, where it is not too large for a conversation. */
function fileResult({ headers, bytes = new Uint8Array(0) }: Answer, uri: string): ToolResult {
  const blob = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const mimeType = headers['Content-Type'] ?? 'application/octet-stream'
  return { json: JSON.stringify({ content: [{ type: 'resource', resource: { uri, mimeType, blob } }] }) }
}

export interface RequestFacts {
  readonly request_id: string
  readonly docs_url: string
  /** The address the same thing has over HTTP. Only a file needs it. */
  readonly uri: () => string
  readonly nameOf: (param: string) => string
}

export function problemResult(problem: Problem, facts: Omit<RequestFacts, 'uri'>): ToolResult {
  return errorResult(renamed(errorBody(problem, facts), facts))
}

/** The fields at fault as this caller spells them. */
function renamed(error: ErrorBody, { nameOf }: Pick<RequestFacts, 'nameOf'>): ErrorBody {
  if (error.param === undefined) return error
  const errors = error.details?.errors as readonly Fault[] | undefined
  const details = errors && { ...error.details, errors: errors.map((one) => ({ ...one, param: nameOf(one.param) })) }
  return { ...error, param: nameOf(error.param), ...(details && { details }) }
}

/** The answer of an operation as the result of its tool. */
export function resultOf(answer: Answer, facts: RequestFacts): ToolResult {
  if (answer.bytes && answer.bytes.byteLength > AGENTS.file_bytes) {
    const message = `The file is larger than ${AGENTS.file_bytes / MIB} MiB: download it over HTTP, at ${facts.uri()}.`
    return problemResult(new Problem('payload_too_large', { message }), facts)
  }
  if (answer.bytes) return fileResult(answer, facts.uri())
  const text = answer.body ?? '{"done":true}'
  if (answer.status < 400) return structuredResult(text, metaOf(answer))
  return errorResult(renamed((JSON.parse(text) as { readonly error: ErrorBody }).error, facts))
}
