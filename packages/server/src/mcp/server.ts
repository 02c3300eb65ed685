import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import type { Log } from '../kernel/log.ts'
import { fillPrompt, PROMPTS } from '../pages/agent-prompts.ts'
import type { Agent, Bench } from './call.ts'
import type { Library } from './resources.ts'
import type { ToolResult } from './result.ts'
import type { Toolbox } from './tools.ts'
import { SharedTransport } from './transport.ts'
import { use } from './use.ts'

export interface McpParts {
  readonly bench: Bench
  readonly toolbox: Toolbox
  readonly library: Library
  readonly instructions: string
}

/** What travels beside a message: who sent it, and who wants to know what a tool gave back. */
export interface Beside {
  readonly agent: Agent
  readonly onResult: (result: ToolResult) => void
}

type Extra = {
  readonly authInfo: { readonly token: ''; readonly clientId: ''; readonly scopes: []; readonly extra: Beside }
}
type Given = { readonly authInfo?: { readonly extra?: unknown } }

const besideOf = ({ authInfo }: Given) => authInfo?.extra as Beside
const NAME = { name: 'timbre', title: 'Timbre', version: '1.0.0' }
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Checked by hand and not by the SDK's schemas: those walk every answer twice, and it is our own. */
async function callTool(
  { bench, toolbox }: McpParts,
  params: unknown,
  { agent, onResult }: Beside,
): Promise<ToolResult> {
  const { name, arguments: given = {} } = isObject(params) ? params : {}
  if (typeof name !== 'string') throw new McpError(ErrorCode.InvalidParams, 'params.name must be a text')
  if (!isObject(given)) throw new McpError(ErrorCode.InvalidParams, 'params.arguments must be an object')
  const tool = toolbox.find(name)
  if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`)
  const result = await use(bench, agent, tool, given)
  onResult(result)
  return result
}

function serveTools(server: Server, parts: McpParts): void {
  server.setRequestHandler(ListToolsRequestSchema, (_request, extra) => {
    const { caller, account } = besideOf(extra).agent
    return { tools: parts.toolbox.listed(caller.scopes, account.mode) as never }
  })
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (method !== 'tools/call') throw new McpError(ErrorCode.MethodNotFound, 'Method not found')
    return callTool(parts, params, besideOf(extra))
  }
}

function serveLibrary(server: Server, { library }: McpParts): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: library.listed as never }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: library.templates as never,
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    const found = await library.read(params.uri)
    if (!found) throw new McpError(-32002, `Resource not found: ${params.uri.slice(0, 200)}`)
    return { contents: [{ uri: params.uri, mimeType: found.mimeType, text: found.text }] }
  })
}

function servePrompts(server: Server): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: PROMPTS.map(({ text: _text, arguments: takes, ...told }) => ({ ...told, arguments: [...takes] })),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const filled = fillPrompt(params.name, params.arguments ?? {})
    if ('refused' in filled) throw new McpError(ErrorCode.InvalidParams, filled.refused)
    const content = { type: 'text' as const, text: filled.text }
    return { description: filled.description, messages: [{ role: 'user' as const, content }] }
  })
}

interface RpcReply {
  readonly error?: { readonly code: number; readonly message: string }
}

/** What a schema of the SDK found wrong with the parameters, in one line; null for what is no such finding. */
function wrongIn(message: string): string | null {
  try {
    const [first] = JSON.parse(message) as { path?: unknown[]; message?: string }[]
    return first?.path ? `${first.path.join('.')}: ${first.message}` : null
  } catch {
    return null
  }
}

/** The SDK takes bad parameters for a fault of ours, tells what a real one said, and writes the code twice. */
function tidied<Reply extends object>(reply: Reply & RpcReply, log: Log): object {
  if (!reply.error) return reply
  const { code, message } = reply.error
  if (code !== ErrorCode.InternalError)
    return { ...reply, error: { code, message: message.replace(/^MCP error -\d+: /, '') } }
  const wrong = wrongIn(message)
  if (wrong !== null) return { ...reply, error: { code: ErrorCode.InvalidParams, message: wrong } }
  log.error({ error: { message } }, 'unexpected error')
  return { ...reply, error: { code, message: 'Something failed on our side.' } }
}

export interface McpServer {
  readonly versions: readonly string[]
  /** One request in, one answer out. */
  ask(
    sent: { readonly id: string | number; readonly method: string; readonly params?: unknown },
    beside: Beside,
  ): Promise<object>
}

/**
 * One server for every agent and every message. Nothing is kept between messages, as the protocol allows: any process can
 * take the next one, and what a grant may do is read anew each time.
 */
export async function openMcpServer(parts: McpParts): Promise<McpServer> {
  const capabilities = { tools: {}, resources: {}, prompts: {} }
  const server = new Server(NAME, { capabilities, instructions: parts.instructions })
  serveTools(server, parts)
  serveLibrary(server, parts)
  servePrompts(server)
  const transport = new SharedTransport<Extra>()
  await server.connect(transport as never)
  return {
    versions: SUPPORTED_PROTOCOL_VERSIONS,
    async ask(sent, beside) {
      const extra: Extra = { authInfo: { token: '', clientId: '', scopes: [], extra: beside } }
      return tidied(await transport.ask(sent, extra), parts.bench.log)
    },
  }
}
