import type { ErrorCode } from '../catalog/errors.ts'
import { HEADERS } from '../catalog/headers.ts'
import { AGENTS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { type ErrorBody, errorBody, type Fault, Problem } from '../kernel/problem.ts'
import { AGENT_WORDS } from './refusal-words.ts'

/** The result of a tool call. An answer is JSON already, and may be long: it is put in its place as it is, and never read. */
export interface ToolResult {
  /** The answer as JSON; a file has none. */
  readonly structure?: string
  /** Blocks of content beside the text of the answer, as the protocol writes them. */
  readonly blocks?: readonly object[]
  /** For the program around the model. */
  readonly meta?: object | undefined
  readonly refusal?: ErrorBody
}

const MIB = 1024 * 1024

/** The answer that a result carries, for a tool that tells it in other words. */
export const readStructure = <T>({ structure }: ToolResult) => JSON.parse(structure ?? 'null') as T

/**
 * The result as the protocol writes it: once, as text, which every client gives to its model; as structure too where the
 * address asks for it.
 */
export function writeResult({ structure, blocks = [], meta, refusal }: ToolResult, structured: boolean): string {
  const text = structure === undefined ? [] : [`{"type":"text","text":${JSON.stringify(structure)}}`]
  const content = [...text, ...blocks.map((block) => JSON.stringify(block))]
  const parts = [`"content":[${content.join()}]`]
  if (structured && structure !== undefined) parts.push(`"structuredContent":${structure}`)
  if (meta) parts.push(`"_meta":${JSON.stringify(meta)}`)
  if (refusal) parts.push('"isError":true')
  return `{${parts.join()}}`
}

export function errorResult(refusal: ErrorBody, rest = ''): ToolResult {
  return { structure: `{"error":${JSON.stringify(refusal)}${rest}}`, refusal }
}

/** When to poll, and whether it was a replay. */
function metaOf({ headers }: Answer): object | undefined {
  const { [HEADERS.poll_after]: poll, [HEADERS.idempotent_replay]: replayed } = headers
  if (poll === undefined && replayed === undefined) return undefined
  return { ...(poll && { poll_after_seconds: Number(poll) }), ...(replayed && { idempotent_replay: true }) }
}

/** A file travels inside the answer, where it is not too large for a conversation. */
function fileResult({ headers, bytes = new Uint8Array(0) }: Answer, uri: string): ToolResult {
  const blob = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const mimeType = headers['Content-Type'] ?? 'application/octet-stream'
  return { blocks: [{ type: 'resource', resource: { uri, mimeType, blob } }] }
}

export interface RequestFacts {
  readonly request_id: string
  readonly docs_url: string
  /** The address the same thing has over HTTP. Only a file needs it. */
  readonly uri: () => string
  readonly nameOf: (param: string) => string
  /** A text of the table in the words of an agent. */
  readonly inToolTerms: (text: string) => string
}

export function problemResult(problem: Problem, facts: Omit<RequestFacts, 'uri'>): ToolResult {
  return errorResult(inAgentsWords(errorBody(problem, facts), facts))
}

/** The fields at fault as this caller spells them. */
function renamed(error: ErrorBody, { nameOf }: Pick<RequestFacts, 'nameOf'>): ErrorBody {
  if (error.param === undefined) return error
  const errors = error.details?.errors as readonly Fault[] | undefined
  const details = errors && { ...error.details, errors: errors.map((one) => ({ ...one, param: nameOf(one.param) })) }
  return { ...error, param: nameOf(error.param), ...(details && { details }) }
}

/** A refusal as this caller speaks: its own names of fields, tools where HTTP would name routes. */
function inAgentsWords(error: ErrorBody, facts: Omit<RequestFacts, 'uri'>): ErrorBody {
  const { inToolTerms } = facts
  const { message = error.message, hint = error.hint } = AGENT_WORDS[error.code as ErrorCode] ?? {}
  return { ...renamed(error, facts), message: inToolTerms(message), hint: inToolTerms(hint) }
}

/** The answer of an operation as the result of its tool. */
export function resultOf(answer: Answer, facts: RequestFacts): ToolResult {
  if (answer.bytes && answer.bytes.byteLength > AGENTS.file_bytes) {
    const message = `The file is larger than ${AGENTS.file_bytes / MIB} MiB: download it over HTTP, at ${facts.uri()}.`
    return problemResult(new Problem('payload_too_large', { message }), facts)
  }
  if (answer.bytes) return fileResult(answer, facts.uri())
  const structure = answer.body ?? '{"done":true}'
  if (answer.status < 400) return { structure, meta: metaOf(answer) }
  return errorResult(inAgentsWords((JSON.parse(structure) as { readonly error: ErrorBody }).error, facts))
}
