import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ErrorCode,
  GetPromptRequestSchema,
  isJSONRPCRequest,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import type { Log } from '../kernel/log.ts'
import type { ErrorBody } from '../kernel/problem.ts'
import { fillPrompt, PROMPTS } from '../pages/agent-prompts.ts'
import type { Agent } from './agent.ts'
import { callTool } from './call-tool.ts'
import { FILE_TEMPLATES, readFileResource } from './file-resource.ts'
import type { RpcRequest } from './json-rpc.ts'
import type { ToolParts } from './operation-call.ts'
import { callOwnTool } from './own-tool-context.ts'
import type { ResourceCatalog } from './resources.ts'
import { writeResult } from './result.ts'
import { SharedTransport } from './shared-transport.ts'
import type { FoundTool, Toolbox } from './toolbox.ts'

export interface McpParts {
  readonly parts: ToolParts
  readonly toolbox: Toolbox
  readonly resources: ResourceCatalog
  readonly instructions: string
}

/** Who sent a message travels through the SDK beside it. */
type Extra = {
  readonly authInfo: { readonly token: ''; readonly clientId: ''; readonly scopes: []; readonly extra: Agent }
}
type HandlerExtra = { readonly authInfo?: { readonly extra?: unknown } }

const agentOf = ({ authInfo }: HandlerExtra) => authInfo?.extra as Agent
const NAME = { name: 'timbre', title: 'Timbre', version: '1.0.0' }
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Finds the tool that a call names, and its arguments. */
function readToolCall(
  { toolbox }: McpParts,
  params: unknown,
): { readonly found: FoundTool; readonly given: Record<string, unknown> } {
  const { name, arguments: given = {}, _meta = {} } = isObject(params) ? params : {}
  if (typeof name !== 'string') throw new McpError(ErrorCode.InvalidParams, 'params.name must be a text')
  if (!isObject(given)) throw new McpError(ErrorCode.InvalidParams, 'params.arguments must be an object')
  if (!isObject(_meta)) throw new McpError(ErrorCode.InvalidParams, UNFIT_META)
  const found = toolbox.find(name)
  if (!found) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`)
  return { found, given }
}

/**
 * Goes past the SDK, whose schemas would walk the message four times, whose promises would hold a controller for a
 * cancellation that cannot come, and which would have the answer read only to be written again.
 */
async function answerToolCall(mcp: McpParts, { id, params }: RpcRequest, agent: Agent): Promise<Reply> {
  const number = JSON.stringify(id)
  try {
    const { found, given } = readToolCall(mcp, params)
    const result =
      'tool' in found
        ? await callTool(mcp.parts, agent, found.tool, given)
        : await callOwnTool(mcp.parts, agent, found.own, given)
    const json = writeResult(result, agent.view.structured)
    return { body: `{"result":${json},"jsonrpc":"2.0","id":${number}}`, refusal: result.refusal }
  } catch (thrown) {
    const code = thrown instanceof McpError ? thrown.code : ErrorCode.InternalError
    const error = correctError({ code, message: (thrown as Error).message }, mcp.parts.log)
    return { body: `{"jsonrpc":"2.0","id":${number},"error":${JSON.stringify(error)}}` }
  }
}

function serveTools(server: Server, { toolbox }: McpParts): void {
  server.setRequestHandler(ListToolsRequestSchema, (_request, extra) => {
    const { caller, account, view } = agentOf(extra)
    return { tools: toolbox.listed(view, caller.scopes, account.mode) as never }
  })
}

function serveResources(server: Server, { resources, parts }: McpParts): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: resources.listed as never }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...resources.templates, ...FILE_TEMPLATES] as never,
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, extra) => {
    const file = await readFileResource(parts, agentOf(extra), params.uri)
    if (file && 'refused' in file) throw new McpError(-32002, file.refused)
    if (file) return { contents: [{ uri: params.uri, ...file }] }
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

const UNFIT_META = 'params._meta is not what the protocol says it is'

interface RpcError {
  readonly code: number
  readonly message: string
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
function correctError({ code, message }: RpcError, log: Log): RpcError {
  if (code !== ErrorCode.InternalError)
    return { code, message: message.replace(/^MCP error -\d+: /, '').slice(0, MESSAGE_CHARS) }
  const issue = schemaIssue(message)
  if (issue !== null) return { code: ErrorCode.InvalidParams, message: issue }
  log.error({ error: { message } }, 'unexpected error')
  return { code, message: 'Something failed on our side.' }
}

/** The JSON of an answer, and the refusal of the operation behind it. */
interface Reply {
  readonly body: string
  readonly refusal?: ErrorBody | undefined
}

export interface McpServer {
  readonly versions: readonly string[]
  /** One request in, one answer out. */
  request(sent: RpcRequest, agent: Agent): Promise<Reply>
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
  const ask = async (sent: RpcRequest, agent: Agent) => {
    // The SDK drops what it does not take for a request, and whoever sent it would wait for ever.
    if (!isJSONRPCRequest({ jsonrpc: '2.0', ...sent }))
      return { jsonrpc: '2.0', id: sent.id, error: { code: ErrorCode.InvalidParams, message: UNFIT_META } }
    const reply = await transport.request(sent, {
      authInfo: { token: '', clientId: '', scopes: [], extra: agent as never },
    })
    return reply.error ? { ...reply, error: correctError(reply.error, mcp.parts.log) } : reply
  }
  return {
    versions: SUPPORTED_PROTOCOL_VERSIONS,
    request: async (sent, agent) =>
      sent.method === 'tools/call'
        ? answerToolCall(mcp, sent, agent)
        : { body: JSON.stringify(await ask(sent, agent)) },
  }
}
