import type { Operation } from '../domain/operation.ts'
import type { AgentAuthenticator } from '../domain/platform/agent-grant/authenticate.ts'
import { refuseTwice } from '../http/bad-http.ts'
import type { Admission } from '../http/call.ts'
import { asProblem, rateHeaders } from '../http/envelope.ts'
import type { Pipeline } from '../http/pipeline.ts'
import type { RequestHandler } from '../http/request-handler.ts'
import type { PlainRequest, PlainRoute } from '../http/server.ts'
import type { Answer } from '../kernel/answer.ts'
import type { Log } from '../kernel/log.ts'
import { admitAgent, admitMessage, bearerOf } from './admit.ts'
import type { Agent } from './call.ts'
import { instructions } from './instructions.ts'
import { JSON_RPC, type Read, readMessage, refuseHeaders, rpcError } from './message.ts'
import { foreigners, originHeaders, PREFLIGHT } from './origin.ts'
import { openLibrary } from './resources.ts'
import type { McpServer } from './server.ts'
import { openToolbox } from './tools.ts'

export const MCP_PATH = '/mcp'

export interface McpDoorParts {
  readonly handler: RequestHandler
  readonly pipeline: Pipeline
  readonly operations: readonly Operation[]
  readonly agents: AgentAuthenticator
  readonly log: Log
}

/** The server, and everything it is made of, when the first agent comes: a process that meets none starts faster. */
function opener({ handler, pipeline, operations, log }: McpDoorParts): () => Promise<McpServer> {
  let made: Promise<McpServer> | null = null
  const open = async () => {
    const { openMcpServer } = await import('./server.ts')
    return openMcpServer({
      bench: { handler, pipeline, operations: new Map(operations.map((one) => [one.id, one])), log },
      toolbox: openToolbox(operations),
      library: openLibrary(operations, pipeline.addresses),
      instructions: instructions(pipeline.addresses),
    })
  }
  return () => {
    // What failed is tried again by the next.
    made ??= open().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

/** Where a client learns who gives out tokens for this door (RFC 9728). */
function challenge(public_url: string, facts: Readonly<Record<string, string>>): Record<string, string> {
  const metadata = { resource_metadata: `${public_url}/.well-known/oauth-protected-resource${MCP_PATH}` }
  const pairs = Object.entries({ ...facts, ...metadata }).map(([name, value]) => `${name}="${value}"`)
  return { 'WWW-Authenticate': `Bearer ${pairs.join(', ')}` }
}

function unauthorized(public_url: string, sent: boolean): Answer {
  const facts = sent ? { error: 'invalid_token', error_description: 'The token is unknown, expired or revoked' } : {}
  const says = sent ? 'The access token is unknown, expired, revoked or meant for another server.' : 'Authorize first.'
  return rpcError(401, JSON_RPC.refused, says, challenge(public_url, facts))
}

type Refusal = { readonly code?: string; readonly details?: { readonly scope?: string } } | undefined

/** A grant that lacks a scope is told so by HTTP too: it is how a client knows to ask the person for more. */
function stepUp(agent: Agent, error: Refusal, public_url: string): Record<string, string> | null {
  if (agent.caller.kind !== 'agent' || error?.code !== 'insufficient_scope') return null
  const scope = [...new Set([...agent.caller.scopes, error.details?.scope ?? ''])].join(' ').trim()
  return challenge(public_url, { error: 'insufficient_scope', scope })
}

type Opened = McpDoorParts & { readonly server: () => Promise<McpServer> }

/** What a request asks, or why it is not taken. */
function readRequest({ header, raw }: PlainRequest, { versions }: McpServer): Read {
  const unfit = refuseHeaders(header, versions)
  return unfit ? { refused: unfit } : readMessage(raw)
}

async function answerMessage(door: Opened, request: PlainRequest, agent: Agent): Promise<Answer> {
  const { pipeline } = door
  const server = await door.server()
  const message = readRequest(request, server)
  const counts_itself = 'asks' in message && message.asks.method === 'tools/call'
  if (!counts_itself) await admitMessage(pipeline, agent)
  if ('refused' in message) return message.refused
  if (!('asks' in message)) return { status: 202, headers: {}, body: null }
  let error: Refusal
  const reply = await server.ask(message.asks, {
    agent,
    onResult: ({ structuredContent }) => {
      error = structuredContent?.error as Refusal
    },
  })
  // No operation was called, so nothing was counted yet: an unknown tool, arguments that are none.
  if (!agent.admission.rate) await admitMessage(pipeline, agent)
  const { public_url } = pipeline.addresses
  // Its grant ended while it waited for its turn.
  if (error?.code === 'invalid_access_token') return unauthorized(public_url, true)
  const missing = stepUp(agent, error, public_url)
  return { status: missing ? 403 : 200, headers: { ...missing }, body: JSON.stringify(reply) }
}

async function answerAgent(door: Opened, request: PlainRequest, token: string): Promise<Answer> {
  const known = await admitAgent(door.pipeline, door.agents, token)
  const { account, caller, clock } = known
  const admission: Admission = { account, caller, clock }
  const agent: Agent = { ...known, admission, request_id: request.request_id, ip: request.ip }
  const answer = await answerMessage(door, request, agent).catch((error: unknown) => refused(door, request, error))
  return { ...answer, headers: { ...rateHeaders(admission.rate), ...answer.headers } }
}

function refused({ pipeline, log }: McpDoorParts, request: PlainRequest, error: unknown): Answer {
  const problem = asProblem(error, log, request.request_id)
  if (problem.status === 401) return unauthorized(pipeline.addresses.public_url, true)
  const wait = problem.retry_after_seconds
  return rpcError(problem.status, JSON_RPC.refused, problem.message, wait ? { 'Retry-After': String(wait) } : {})
}

/** Nobody of another origin gets further than this. */
function guarded(public_url: string, answer: (request: PlainRequest) => Promise<Answer>): PlainRoute['answer'] {
  const isForeign = foreigners(public_url)
  return async (request) => {
    if (isForeign(request.header)) {
      return rpcError(403, JSON_RPC.refused, 'A page of another origin may not speak to this server.')
    }
    const given = await answer(request)
    if (request.header('origin') === undefined) return given
    return { ...given, headers: { ...originHeaders(request.header), ...given.headers } }
  }
}

/** `POST /mcp`: the agent protocol over HTTP, without sessions. */
export function mcpRoutes(parts: McpDoorParts): PlainRoute[] {
  const { public_url } = parts.pipeline.addresses
  const door = { ...parts, server: opener(parts) }
  const take = async (request: PlainRequest): Promise<Answer> => {
    refuseTwice(request.node.req.rawHeaders)
    const token = bearerOf(request.header('authorization'))
    if (token === null) return unauthorized(public_url, request.header('authorization') !== undefined)
    return answerAgent(door, request, token)
  }
  const answer = (request: PlainRequest) => take(request).catch((error: unknown) => refused(door, request, error))
  const preflight = async (): Promise<Answer> => ({ status: 204, headers: PREFLIGHT, body: null })
  return [
    { path: MCP_PATH, method: 'POST', answer: guarded(public_url, answer) },
    { path: MCP_PATH, method: 'OPTIONS', answer: guarded(public_url, preflight) },
  ]
}
