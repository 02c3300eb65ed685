import { SENT } from '../catalog/headers.ts'
import type { Operation } from '../domain/operation.ts'
import type { ActiveCall, Call } from '../http/call.ts'
import { type Pipeline, perform } from '../http/pipeline.ts'
import type { RequestHandler } from '../http/request-handler.ts'
import type { Answer } from '../kernel/answer.ts'
import type { Log } from '../kernel/log.ts'
import type { Agent } from './agent.ts'
import { canonical } from './confirmation-token.ts'
import type { Arguments } from './input.ts'
import type { Tool } from './tools.ts'

/** Everything a tool call needs: the same handler, the same pipeline and the same table as HTTP. */
export interface ToolParts {
  readonly handler: RequestHandler
  readonly pipeline: Pipeline
  readonly operations: ReadonlyMap<string, Operation>
  /** The tools of operations, by the id of the operation. */
  readonly tools: ReadonlyMap<string, Tool>
  /** A text of the table in the words of an agent. */
  readonly inToolTerms: (text: string) => string
  readonly log: Log
}

const NO_BODY = new Uint8Array(0)

/** Replaces lone surrogates, which cannot be encoded: the look-up then finds nothing and answers 404. */
const encodeParam = (value: unknown) => encodeURIComponent(String(value ?? '').replace(/[\ud800-\udfff]/gu, '\ufffd'))

/** By their template, paths cut at their parameters: every second piece is the name of one. */
const cut = new Map<string, readonly string[]>()

function piecesOf(path: string): readonly string[] {
  const known = cut.get(path) ?? `/v1${path}`.split(/\{(\w+)\}/)
  cut.set(path, known)
  return known
}

export function pathOf({ path }: Operation, params: Readonly<Record<string, unknown>>): string {
  return piecesOf(path)
    .map((piece, i) => (i % 2 === 0 ? piece : encodeParam(params[piece])))
    .join('')
}

/** The bytes HTTP would have carried. Written in one order, so that the same arguments are the same request. */
export function bytesOf({ method }: Operation, body: object): Uint8Array {
  return method === 'GET' ? NO_BODY : Buffer.from(canonical(body))
}

/** A tool call as the call of its operation. */
export function operationCall(
  agent: Agent,
  operation: Operation,
  args: Pick<Arguments, 'params' | 'query' | 'empresa_rut' | 'idempotency_key'>,
): ActiveCall {
  const { admission, request_id, ip } = agent
  const headers: Record<string, string | undefined> = {
    [SENT.empresa]: args.empresa_rut,
    [SENT.idempotency_key]: args.idempotency_key,
  }
  const call: Call = {
    operation,
    api: 'v1',
    request_id,
    ip,
    header: (name) => headers[name],
    params: args.params,
    query: { ...args.query },
    path: pathOf(operation, args.params),
  }
  return { call, admission, started: performance.now() }
}

/** Performs the operation of a tool, as HTTP would. */
export function callOperation(
  { handler }: ToolParts,
  agent: Agent,
  operation: Operation,
  args: Omit<Arguments, 'confirmation'>,
): Promise<Answer> {
  const active = operationCall(agent, operation, args)
  const body = bytesOf(operation, args.body)
  return handler.performKnown(active, (pipeline) => perform(pipeline, active.call, active.admission, body))
}

/** Calls another operation for a preview, uncounted; null where the caller lacks its scope. */
export async function callForPreview(
  { pipeline, operations }: ToolParts,
  agent: Agent,
  id: string | undefined,
  args: Arguments,
): Promise<unknown> {
  const operation = operations.get(id ?? '')
  if (!operation || (operation.scope && !agent.caller.scopes.includes(operation.scope))) return null
  const { call, admission } = operationCall(agent, operation, { ...args, idempotency_key: undefined })
  const body = operation.method === 'GET' ? {} : args.body
  const answer = await perform(pipeline, call, admission, bytesOf(operation, body))
  return answer.body === null ? null : JSON.parse(answer.body)
}
