import type { Answer } from '../kernel/answer.ts'

export const JSON_RPC = { invalid_request: -32600, parse: -32700, refused: -32000 } as const

export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers, body: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }) }
}

/** A request, a notification or reply that needs no answer, or why it is no message. */
export type ParsedMessage =
  | { readonly request: { readonly id: string | number; readonly method: string; readonly params?: unknown } }
  | { readonly notification: true }
  | { readonly refused: Answer }

const refuse = (code: number, message: string): ParsedMessage => ({ refused: rpcError(400, code, message) })
const decoder = new TextDecoder('utf-8', { fatal: true })

function parse(raw: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(raw))
  } catch {
    return undefined
  }
}

const MAX_DEPTH = 64

const isContainer = (value: unknown) => value !== null && typeof value === 'object'

/** Whether a value is nested deeper than any of ours. Without recursion, which a deep enough value would exhaust. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((one) => Object.values(one as object).filter(isContainer))
  }
  return false
}

/** The one JSON-RPC message of a request. Several at once left the protocol in 2025-06-18, and would share one count. */
export function readMessage(raw: Uint8Array): ParsedMessage {
  const parsed = parse(raw)
  if (parsed === undefined) return refuse(JSON_RPC.parse, 'The body is not valid JSON in UTF-8.')
  if (Array.isArray(parsed)) return refuse(JSON_RPC.invalid_request, 'Send one message at a time: no batches.')
  if (isTooDeep(parsed)) return refuse(JSON_RPC.invalid_request, `The body is nested deeper than ${MAX_DEPTH} levels.`)
  const { jsonrpc, id, method, params, ...rest } = (parsed ?? {}) as Record<string, unknown>
  const named = typeof method === 'string'
  const numbered = typeof id === 'string' || Number.isSafeInteger(id)
  const answers = method === undefined && numbered && ('result' in rest || 'error' in rest)
  const params_fit = params === undefined || (params !== null && typeof params === 'object' && !Array.isArray(params))
  if (jsonrpc !== '2.0' || !params_fit || !(named || answers)) {
    return refuse(JSON_RPC.invalid_request, 'The body is not a JSON-RPC 2.0 message.')
  }
  // A notification, or a reply, which answers nothing: this server sends no requests.
  if (!named || id === undefined) return { notification: true }
  if (!numbered) return refuse(JSON_RPC.invalid_request, 'The id of a request is a text or a whole number.')
  return { request: { id: id as string | number, method, ...(params !== undefined && { params }) } }
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
