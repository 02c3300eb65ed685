import { CEILINGS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { parseJson } from '../kernel/json.ts'
import { Problem } from '../kernel/problem.ts'

export const JSON_RPC = { invalid_request: -32600, parse: -32700, refused: -32000 } as const

export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers, body: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }) }
}

/** A request as its sender numbered it. */
export interface RpcRequest {
  readonly id: string | number
  readonly method: string
  readonly params?: unknown
}

/** A request, a notification or reply that needs no answer, or why it is no message. */
export type ParsedMessage =
  | { readonly request: RpcRequest }
  | { readonly notification: true }
  | { readonly refused: Answer }

const refuse = (code: number, message: string): ParsedMessage => ({ refused: rpcError(400, code, message) })
const MESSAGE = { bytes: CEILINGS.agent_message_bytes, values: CEILINGS.json_values } as const
const ID_CHARS = 200

/** The one JSON-RPC message of a request. Several at once left the protocol in 2025-06-18, and would share one count. */
export function readMessage(raw: Uint8Array): ParsedMessage {
  let parsed: unknown
  try {
    parsed = parseJson(raw, MESSAGE)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // What is no JSON has no message of its own; what is too much of it says how much is taken.
    if (error.facts.message === undefined) return refuse(JSON_RPC.parse, 'The body is not valid JSON in UTF-8.')
    return { refused: rpcError(error.status, JSON_RPC.invalid_request, error.message) }
  }
  if (Array.isArray(parsed)) return refuse(JSON_RPC.invalid_request, 'Send one message at a time: no batches.')
  const message = (parsed ?? {}) as Record<string, unknown>
  const { jsonrpc, id, method, params } = message
  const named = typeof method === 'string'
  const numbered = (typeof id === 'string' && id.length <= ID_CHARS) || Number.isSafeInteger(id)
  const answers = method === undefined && numbered && ('result' in message || 'error' in message)
  const params_fit = params === undefined || (params !== null && typeof params === 'object' && !Array.isArray(params))
  if (jsonrpc !== '2.0' || !params_fit || !(named || answers)) {
    return refuse(JSON_RPC.invalid_request, 'The body is not a JSON-RPC 2.0 message.')
  }
  // A notification, or a reply, which answers nothing: this server sends no requests.
  if (!named || id === undefined) return { notification: true }
  if (!numbered)
    return refuse(
      JSON_RPC.invalid_request,
      `The id of a request is a text of at most ${ID_CHARS} characters or a whole number.`,
    )
  return {
    request:
      params === undefined ? { id: id as string | number, method } : { id: id as string | number, method, params },
  }
}

/** Checks the headers that the protocol asks for; gives the refusal, or null. */
export function refuseHeaders(
  header: (name: string) => string | undefined,
  versions: readonly string[],
): Answer | null {
  const accept = header('accept') ?? ''
  const takes = (type: string) => accept.includes(type) || accept.includes('*/*')
  if (!takes('application/json') || !takes('text/event-stream')) {
    return rpcError(406, JSON_RPC.refused, 'Accept both application/json and text/event-stream.')
  }
  if (!/^application\/json\s*(;|$)/i.test(header('content-type') ?? '')) {
    return rpcError(415, JSON_RPC.refused, 'The Content-Type of a message is application/json.')
  }
  const version = header('mcp-protocol-version')
  if (version === undefined || versions.includes(version)) return null
  return rpcError(400, JSON_RPC.refused, `This server speaks ${versions.join(', ')}.`)
}
