import { SENT } from '../catalog/headers.ts'
import type { Operation } from '../domain/operation.ts'
import type { Admission, Call } from '../http/call.ts'
import type { Visit } from '../http/incoming-request.ts'
import { type Pipeline, perform } from '../http/pipeline.ts'
import type { RequestHandler } from '../http/request-handler.ts'
import type { Answer } from '../kernel/answer.ts'
import { type ClockSetting, nowOf } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { AccountScope, Caller } from '../kernel/scope.ts'
import { canonical } from './confirm.ts'
import type { Arguments } from './input.ts'

/** Whoever speaks the agent protocol with us, let in once for each message. */
export interface Agent {
  readonly account: AccountScope
  readonly caller: Exclude<Caller, { readonly kind: 'session' }>
  readonly clock: ClockSetting
  readonly two_steps: boolean
  /** One for the whole message, so that whoever answers it knows how often its sender called. */
  readonly admission: Admission
  readonly request_id: string
  readonly ip: string
}

/** Where a tool is used: the same handler, the same pipeline and the same table as HTTP has. */
export interface Bench {
  readonly handler: RequestHandler
  readonly pipeline: Pipeline
  readonly operations: ReadonlyMap<string, Operation>
  readonly log: Log
}

export const nowFor = ({ clock }: Agent) => nowOf(clock)

const NO_BODY = new Uint8Array(0)

/** Half a character has no place in an address; as an id it is refused by its name later. */
const inAddress = (value: unknown) => encodeURIComponent(String(value ?? '').replace(/[\ud800-\udfff]/gu, '\ufffd'))

export const pathOf = ({ path }: Operation, params: Readonly<Record<string, unknown>>) =>
  `/v1${path.replace(/\{(\w+)\}/g, (_whole, name: string) => inAddress(params[name]))}`

/** The bytes HTTP would have carried. Written in one order, so that the same arguments are the same request. */
export function bytesOf({ method }: Operation, body: object): Uint8Array {
  return method === 'GET' ? NO_BODY : Buffer.from(canonical(body))
}

/** A tool call as the call of its operation. */
export function visitFor(
  agent: Agent,
  operation: Operation,
  args: Pick<Arguments, 'params' | 'query' | 'empresa_rut' | 'idempotency_key'>,
): Visit {
  const { admission, request_id, ip } = agent
  const headers: Record<string, string | undefined> = {
    [SENT.empresa]: args.empresa_rut,
    [SENT.idempotency_key]: args.idempotency_key,
  }
  const call: Call = {
    operation,
    surface: 'v1',
    request_id,
    ip,
    header: (name) => headers[name],
    params: args.params,
    query: { ...args.query },
    path: pathOf(operation, args.params),
  }
  return { call, admission, started: performance.now() }
}

export function useTool(
  { handler }: Bench,
  agent: Agent,
  operation: Operation,
  args: Omit<Arguments, 'confirmation'>,
): Promise<Answer> {
  const visit = visitFor(agent, operation, args)
  const body = bytesOf(operation, args.body)
  return handler.act(visit, (pipeline) => perform(pipeline, visit.call, visit.admission, body))
}

/** Another operation asked on the side, for a preview: null where it is not the caller's to ask. */
export async function askBeside(
  { pipeline, operations }: Bench,
  agent: Agent,
  id: string | undefined,
  args: Arguments,
): Promise<unknown> {
  const operation = operations.get(id ?? '')
  if (!operation || (operation.scope && !agent.caller.scopes.includes(operation.scope))) return null
  const { call, admission } = visitFor(agent, operation, { ...args, idempotency_key: undefined })
  const body = operation.method === 'GET' ? {} : args.body
  const answer = await perform(pipeline, call, admission, bytesOf(operation, body))
  return answer.body === null ? null : JSON.parse(answer.body)
}
