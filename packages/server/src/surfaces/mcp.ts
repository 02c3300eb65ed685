import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Agent, Bench } from './mcp-call.ts'
import { fillPrompt, PROMPTS } from './mcp-prompts.ts'
import type { Library } from './mcp-resources.ts'
import type { ToolResult } from './mcp-result.ts'
import type { Toolbox } from './mcp-tools.ts'
import { use } from './mcp-use.ts'

export interface McpParts {
  readonly bench: Bench
  readonly toolbox: Toolbox
  readonly library: Library
  readonly instructions: string
}

/** One message of an agent, already let in. */
export interface Message {
  readonly agent: Agent
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly parsed: unknown
  /** Told what a tool gave back, before it is written. */
  readonly onResult: (result: ToolResult) => void
}

// We never ask a client anything, so there is nothing to check; the SDK would build a validator for each request.
const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error('this server asks its clients nothing')
  },
}
const NAME = { name: 'timbre', title: 'Timbre', version: '1.0.0' }

function serveTools(server: Server, { bench, toolbox }: McpParts, { agent, onResult }: Message): void {
  const { caller, account } = agent
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolbox.listed(caller.scopes, account.mode) as never,
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = toolbox.find(params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 100)}`)
    const result = await use(bench, agent, tool, params.arguments ?? {})
    onResult(result)
    return result
  })
}

function serveLibrary(server: Server, { library }: McpParts): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: library.listed as never }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: library.templates as never,
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    const found = await library.read(params.uri)
    if (!found) throw new McpError(-32002, `Resource not found: ${params.uri.slice(0, 200)}`, { uri: params.uri })
    return { contents: [{ uri: params.uri, mimeType: found.mimeType, text: found.text }] }
  })
}

function servePrompts(server: Server): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: PROMPTS.map(({ name, title, description, arguments: takes }) => ({
      name,
      title,
      description,
      arguments: [...takes],
    })),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const filled = fillPrompt(params.name, params.arguments ?? {})
    if ('refused' in filled) throw new McpError(ErrorCode.InvalidParams, filled.refused)
    return {
      description: filled.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: filled.text } }],
    }
  })
}

/**
 * One message in, one answer out. Nothing is kept between them, as the protocol allows: any process can take the next one,
 * and what a grant may do is read anew each time.
 */
export async function answerMessage(parts: McpParts, message: Message): Promise<Response> {
  const server = new Server(NAME, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: parts.instructions,
    jsonSchemaValidator: NO_VALIDATOR,
  })
  serveTools(server, parts, message)
  serveLibrary(server, parts)
  servePrompts(server)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport as never)
  const { headers, url, parsed } = message
  const response = await transport.handleRequest(new Request(url, { method: 'POST', headers }), { parsedBody: parsed })
  await server.close()
  return response
}
