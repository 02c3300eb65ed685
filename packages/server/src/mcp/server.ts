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
import type { Agent } from './agent.ts'
import { callTool } from './call-tool.ts'
import type { ToolParts } from './operation-call.ts'
import type { ResourceCatalog } from './resources.ts'
import type { ToolResult } from './result.ts'
import { SharedTransport } from './shared-transport.ts'
import type { Toolbox } from './tools.ts'

export interface McpParts {
  readonly parts: ToolParts
  readonly toolbox: Toolbox
  readonly resources: ResourceCatalog
  readonly instructions: string
}

/** Travels with a message through the SDK: its sender, and a listener for the result of a tool. */
export interface MessageContext {
  readonly agent: Agent
  readonly onResult: (result: ToolResult) => void
}

type Extra = {
  readonly authInfo: { readonly token: ''; readonly clientId: ''; readonly scopes: []; readonly extra: MessageContext }
}
type HandlerExtra = { readonly authInfo?: { readonly extra?: unknown } }

const contextOf = ({ authInfo }: HandlerExtra) => authInfo?.extra as MessageContext
const NAME = { name: 'timbre', title: 'Timbre', version: '1.0.0' }
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Checked by hand and not by the SDK's schemas: those walk every answer twice, and it is our own. */
async function answerToolCall(
  { parts, toolbox }: McpParts,
  params: unknown,
  { agent, onResult }: MessageContext,
): Promise<ToolResult> {
  const { name, arguments: given = {} } = isObject(params) ? params : {}
  if (typeof name !== 'string') throw new McpError(ErrorCode.InvalidParams, 'params.name must be a text')
  if (!isObject(given)) throw new McpError(ErrorCode.InvalidParams, 'params.arguments must be an object')
  const tool = toolbox.find(name)
  if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`)
  const result = await callTool(parts, agent, tool, given)
  onResult(result)
  return result
}

function serveTools(server: Server, mcp: McpParts): void {
  server.setRequestHandler(ListToolsRequestSchema, (_request, extra) => {
    const { caller, account } = contextOf(extra).agent
    return { tools: mcp.toolbox.listed(caller.scopes, account.mode) as never }
  })
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (method !== 'tools/call') throw new McpError(ErrorCode.MethodNotFound, 'Method not found')
    return answerToolCall(mcp, params, contextOf(extra))
  }
}

function serveResources(server: Server, { resources }: McpParts): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: resources.listed as never }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: resources.templates as never,
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    const found = await resources.read(params.uri)
    if (!found) throw new McpError(-32002, `Resource not found: ${params.uri.slice(0, 200)}`)
    return { contents: [{ uri: params.uri, mimeType: found.mimeType, text: found.text }] }
  })
}

function servePrompts(server: Server): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: PROMPTS.map(({ text: _text, arguments: takes, ...prompt }) => ({ ...prompt, arguments: [...takes] })),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const filled = fillPrompt(params.name, params.arguments ?? {})
    if ('refused' in filled) throw new McpError(ErrorCode.InvalidParams, filled.refused)
    const content = { type: 'text' as const, text: filled.text }
    return { description: filled.description, messages: [{ role: 'user' as const, content }] }
  })
}

/** An error may quote what was sent; it never gives megabytes of it back. */
const MESSAGE_CHARS = 1_000

interface RpcReply {
  readonly error?: { readonly code: number; readonly message: string }
}

/** The first issue that a schema of the SDK found in the parameters, in one line; null for any other error. */
function schemaIssue(message: string): string | null {
  try {
    const [first] = JSON.parse(message) as { path?: unknown[]; message?: string }[]
    return first?.path ? `${first.path.join('.')}: ${first.message}`.slice(0, MESSAGE_CHARS) : null
  } catch {
    return null
  }
}

/** Corrects the SDK, which reports bad parameters as our fault, leaks what a real fault said, and writes the code twice. */
function correctError<Reply extends object>(reply: Reply & RpcReply, log: Log): object {
  if (!reply.error) return reply
  const { code, message } = reply.error
  if (code !== ErrorCode.InternalError)
    return { ...reply, error: { code, message: message.replace(/^MCP error -\d+: /, '').slice(0, MESSAGE_CHARS) } }
  const issue = schemaIssue(message)
  if (issue !== null) return { ...reply, error: { code: ErrorCode.InvalidParams, message: issue } }
  log.error({ error: { message } }, 'unexpected error')
  return { ...reply, error: { code, message: 'Something failed on our side.' } }
}

export interface McpServer {
  readonly versions: readonly string[]
  /** One request in, one answer out. */
  request(
    sent: { readonly id: string | number; readonly method: string; readonly params?: unknown },
    context: MessageContext,
  ): Promise<object>
}

/**
 * One server for every agent and every message. Nothing is kept between messages, as the protocol allows: any process can
 * take the next one, and what a grant may do is read anew each time.
 */
export async function openMcpServer(mcp: McpParts): Promise<McpServer> {
  const capabilities = { tools: {}, resources: {}, prompts: {} }
  const server = new Server(NAME, { capabilities, instructions: mcp.instructions })
  serveTools(server, mcp)
  serveResources(server, mcp)
  servePrompts(server)
  const transport = new SharedTransport<Extra>()
  await server.connect(transport as never)
  return {
    versions: SUPPORTED_PROTOCOL_VERSIONS,
    async request(sent, context) {
      const extra: Extra = { authInfo: { token: '', clientId: '', scopes: [], extra: context } }
      return correctError(await transport.request(sent, extra), mcp.parts.log)
    },
  }
}
