import { CEILINGS } from '../catalog/limits.ts'
import type { Operation } from '../domain/operation.ts'
import type { AgentAuthenticator } from '../domain/platform/agent-grant/authenticate.ts'
import { rateHeaders, toProblem } from '../http/answers.ts'
import { bearerToken } from '../http/authenticate.ts'
import type { Admission } from '../http/call.ts'
import { refuseDuplicateHeaders } from '../http/malformed-request.ts'
import type { Pipeline } from '../http/pipeline.ts'
import type { RequestHandler } from '../http/request-handler.ts'
import type { PlainRequest, PlainRoute } from '../http/routes.ts'
import type { Answer } from '../kernel/answer.ts'
import type { Log } from '../kernel/log.ts'
import type { ErrorBody } from '../kernel/problem.ts'
import type { AccountScope } from '../kernel/scope.ts'
import { type Agent, authenticateAgent, throttleMessage } from './agent.ts'
import { corsHeaders, foreignOriginCheck, PREFLIGHT } from './cors.ts'
import { instructions } from './instructions.ts'
import { JSON_RPC, type ParsedMessage, readMessage, refuseHeaders, rpcError } from './json-rpc.ts'
import { openResources } from './resources.ts'
import type { McpServer } from './server.ts'
import { toolTerms } from './terms.ts'
import { openToolbox } from './toolbox.ts'
import { readView, type View } from './view.ts'

export const MCP_PATH = '/mcp'

export interface McpRouteParts {
  readonly handler: RequestHandler
  readonly pipeline: Pipeline
  readonly operations: readonly Operation[]
  readonly agents: AgentAuthenticator
  readonly log: Log
}

/** Opens the server at the first message of an agent: a process that meets none starts faster. */
function lazyServer({ handler, pipeline, operations, log }: McpRouteParts): () => Promise<McpServer> {
  let made: Promise<McpServer> | null = null
  const open = async () => {
    const { openMcpServer } = await import('./server.ts')
    const toolbox = openToolbox(operations)
    const table = new Map(operations.map((one) => [one.id, one]))
    return openMcpServer({
      parts: { handler, pipeline, operations: table, tools: toolbox.tools, inToolTerms: toolTerms(operations), log },
      toolbox,
      resources: openResources(operations, pipeline.addresses),
      instructions: instructions(pipeline.addresses),
    })
  }
  return () => {
    // A failed load is tried again by the next message.
    made ??= open().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

/** Tells a client which server gives out tokens for this one (RFC 9728). */
function challenge(public_url: string, facts: Readonly<Record<string, string>>): Record<string, string> {
  const metadata = { resource_metadata: `${public_url}/.well-known/oauth-protected-resource${MCP_PATH}` }
  const pairs = Object.entries({ ...facts, ...metadata }).map(([name, value]) => `${name}="${value}"`)
  return { 'WWW-Authenticate': `Bearer ${pairs.join(', ')}` }
}

function unauthorized(public_url: string, sent: boolean): Answer {
  const facts = sent ? { error: 'invalid_token', error_description: 'The token is unknown, expired or revoked' } : {}
  const message = sent
    ? 'The access token is unknown, expired, revoked or meant for another server.'
    : 'Authorize first.'
  return rpcError(401, JSON_RPC.refused, message, challenge(public_url, facts))
}

/** A grant that lacks a scope gets a challenge over HTTP too: it is how a client knows to ask the person for more. */
function scopeChallenge({ caller }: Agent, refusal: ErrorBody | undefined, public_url: string) {
  if (caller.kind !== 'agent' || refusal?.code !== 'insufficient_scope') return null
  const { scope: missing = '' } = (refusal.details ?? {}) as { readonly scope?: string }
  const scope = [...new Set([...caller.scopes, missing])].join(' ').trim()
  return challenge(public_url, { error: 'insufficient_scope', scope })
}

type McpRoute = McpRouteParts & { readonly server: () => Promise<McpServer> }

/** The message of a request, or the refusal of its headers. */
function readRequest({ header, raw }: PlainRequest, { versions }: McpServer): ParsedMessage {
  const unfit = refuseHeaders(header, versions)
  return unfit ? { refused: unfit } : readMessage(raw)
}

async function answerMessage(route: McpRoute, request: PlainRequest, agent: Agent): Promise<Answer> {
  const { pipeline } = route
  const server = await route.server()
  const message = readRequest(request, server)
  const counts_itself = 'request' in message && message.request.method === 'tools/call'
  if (!counts_itself) await throttleMessage(pipeline, agent)
  if ('refused' in message) return message.refused
  if (!('request' in message)) return { status: 202, headers: {}, body: null }
  const { body, refusal } = await server.request(message.request, agent)
  // No operation was called, so nothing was counted yet: an unknown tool, arguments that are none.
  if (!agent.admission.rate) await throttleMessage(pipeline, agent)
  const { public_url } = pipeline.addresses
  // The grant was revoked while the call waited for its lock.
  if (refusal?.code === 'invalid_access_token') return unauthorized(public_url, true)
  const missing = scopeChallenge(agent, refusal, public_url)
  return { status: missing ? 403 : 200, headers: { ...missing }, body }
}

async function answerAgent(route: McpRoute, request: PlainRequest, token: string, view: View): Promise<Answer> {
  const { account, caller, clock, two_steps } = await authenticateAgent(route.pipeline, route.agents, token)
  const { request_id, ip } = request
  const admission: Admission = { account, caller, clock }
  // Field by field: in Node 20 an object that is spread and gets more has a layout of its own each time (0027).
  const agent: Agent = { account, caller, clock, two_steps, admission, request_id, ip, view }
  const answer = await answerMessage(route, request, agent).catch((error: unknown) => refused(route, request, error))
  return { ...answer, headers: Object.assign(rateHeaders(admission.rate), answer.headers) }
}

function refused({ pipeline, log }: McpRouteParts, request: PlainRequest, error: unknown): Answer {
  const problem = toProblem(error, log, request.request_id)
  if (problem.status === 401) return unauthorized(pipeline.addresses.public_url, true)
  const wait = problem.retry_after_seconds
  return rpcError(problem.status, JSON_RPC.refused, problem.message, wait ? { 'Retry-After': String(wait) } : {})
}

/** The account of an agent's credential; null where it has none that is let in, which its answer tells it. */
async function accountOf({ pipeline, agents }: McpRoute, header: PlainRequest['header']): Promise<AccountScope | null> {
  const token = bearerToken(header('authorization'))
  if (token === null) return null
  return authenticateAgent(pipeline, agents, token).then(
    ({ account }) => account,
    () => null,
  )
}

/** Refuses pages of another origin before anything else is read. */
function guarded(public_url: string, answer: (request: PlainRequest) => Promise<Answer>): PlainRoute['answer'] {
  const isForeign = foreignOriginCheck(public_url)
  return async (request) => {
    if (isForeign(request.header)) {
      return rpcError(403, JSON_RPC.refused, 'A page of another origin may not speak to this server.')
    }
    const given = await answer(request)
    if (request.header('origin') === undefined) return given
    return { ...given, headers: { ...corsHeaders(request.header), ...given.headers } }
  }
}

/** `POST /mcp`: the agent protocol over HTTP, without sessions. */
export function mcpRoutes(parts: McpRouteParts): PlainRoute[] {
  const { public_url } = parts.pipeline.addresses
  const route = { ...parts, server: lazyServer(parts) }
  const authenticated = async (request: PlainRequest): Promise<Answer> => {
    refuseDuplicateHeaders(request.node.req.rawHeaders)
    const token = bearerToken(request.header('authorization'))
    if (token === null) return unauthorized(public_url, request.header('authorization') !== undefined)
    const view = readView(request.query)
    if ('refused' in view) return rpcError(400, JSON_RPC.invalid_request, view.refused)
    return answerAgent(route, request, token, view)
  }
  const answer = (request: PlainRequest) =>
    authenticated(request).catch((error: unknown) => refused(route, request, error))
  const preflight = async (): Promise<Answer> => ({ status: 204, headers: PREFLIGHT, body: null })
  return [
    {
      path: MCP_PATH,
      method: 'POST',
      for_programs: true,
      body_bytes: CEILINGS.agent_message_bytes,
      account: (header) => accountOf(route, header),
      answer: guarded(public_url, answer),
    },
    { path: MCP_PATH, method: 'OPTIONS', answer: guarded(public_url, preflight) },
  ]
}
