import { randomUUID } from 'node:crypto'
import { printedRut } from '@timbre/dte/values'
import { isAlwaysConfirmed } from '../catalog/always-confirmed.ts'
import { type Irreversible, quoted } from '../domain/agent-tool.ts'
import type { Operation } from '../domain/operation.ts'
import type { Empresa } from '../domain/platform/empresa/schema.ts'
import { reachEmpresa } from '../domain/platform/empresa/scope.ts'
import { DryRun } from '../http/call.ts'
import { perform } from '../http/pipeline.ts'
import { namedEmpresa } from '../http/resolve-empresa.ts'
import type { Answer } from '../kernel/answer.ts'
import { Problem } from '../kernel/problem.ts'
import { type Agent, nowFor } from './agent.ts'
import { checkConsent, digest, issueConfirmation, readConsent } from './confirmation-token.ts'
import type { Arguments } from './input.ts'
import { bytesOf, callForPreview, operationCall, type ToolParts } from './operation-call.ts'

/** An act that cannot be undone, by whom and with what. */
export interface Act {
  readonly agent: Agent
  readonly operation: Operation
  readonly irreversible: Irreversible
  readonly args: Arguments
}

/** Whether a call is shown first: by what the person switched on, unless the act is one that always is. */
export async function takesTwoSteps(parts: ToolParts, act: Act): Promise<boolean> {
  const { agent, operation, irreversible, args } = act
  if (isAlwaysConfirmed(operation.id, args.body)) return true
  if (!agent.two_steps) return false
  const { when } = irreversible
  return when === undefined || when.holds(args.body, await readSubject(parts, act))
}

/**
 * What the call is about, where its input alone does not tell whether it is such an act; null where the caller may not read
 * it or it is not there, which the act itself then refuses, and is recorded to have refused.
 */
function readSubject(parts: ToolParts, { agent, irreversible, args }: Act): Promise<unknown> {
  return callForPreview(parts, agent, irreversible.when?.reads, { ...args, query: {} }).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
}

const NO_BODY = new Uint8Array(0)
const NO_HEADERS = { empresa_rut: undefined, idempotency_key: undefined }

/** Everything but the token itself. The key too: with another one the same consent would act a second time. */
function argsOf({ params, query, body, empresa_rut, idempotency_key }: Arguments): string {
  return digest({ params, query, body, empresa_rut, idempotency_key })
}

const ownerOf = ({ agent, operation }: Act) => ({ credential: agent.caller.credential_id, operation: operation.id })

/** The rest of what is consented to: in whose name the act is done, and what it is done to. */
interface ActContext {
  readonly empresa: Pick<Empresa, 'rut' | 'legal_name' | 'giro' | 'address'> | null
  readonly before: unknown
}

/** The digest of what is consented to, the same whether the resource was read from the wire or comes straight from the verb. */
function factsOf({ shows }: Irreversible, resource: unknown, context: ActContext): string {
  return digest({ shows: resource === null ? null : shows(resource), ...context })
}

/** A document names its empresa, so that is part of what is consented to, even where the agent lacks the scope to read it. */
async function readEmpresa({ pipeline, operations }: ToolParts, act: Act): Promise<ActContext['empresa']> {
  const { agent, operation, args } = act
  const reading = operations.get('empresas.get')
  if (operation.reach !== 'empresa' || !reading) return null
  const { call } = operationCall(agent, operation, args)
  const { scope } = await reachEmpresa(pipeline, agent.account, agent.caller, namedEmpresa(call, agent.caller))
  const active = operationCall(agent, reading, { params: { empresa_id: scope.empresa_id }, query: {}, ...NO_HEADERS })
  const answer = await perform(pipeline, active.call, active.admission, NO_BODY)
  const { rut, legal_name, giro, address } = JSON.parse(answer.body ?? '{}') as Empresa
  return { rut, legal_name, giro, address }
}

/** Reads what is acted upon, only where it is not the answer itself. */
async function readContext(parts: ToolParts, act: Act): Promise<ActContext> {
  const { agent, irreversible, args } = act
  const empresa = await readEmpresa(parts, act)
  return { empresa, before: await callForPreview(parts, agent, irreversible.before, { ...args, query: {} }) }
}

/** Said of everything that lasts, by whether it does and not by whoever wrote the rest. */
const outlives = ({ operation }: Act) =>
  operation.leaves === undefined ? '' : ' Queda así también después de que el agente pierda su acceso.'

/** A person with several empresas must see in whose name it would be done. */
const inWhoseName = ({ empresa }: ActContext) =>
  empresa === null ? '' : ` Empresa: ${quoted(empresa.legal_name)} (RUT ${printedRut(empresa.rut)}).`

async function previewAnswer(parts: ToolParts, act: Act, resource: unknown): Promise<Answer> {
  const { agent, irreversible, args } = act
  const context = await readContext(parts, act)
  const { before, empresa } = context
  const priced = await callForPreview(parts, agent, irreversible.preview, args)
  const consent = { args: argsOf(args), facts: factsOf(irreversible, resource, context) }
  const answer = {
    confirmation_required: true,
    message:
      irreversible.says(resource, { ...args.params, ...args.body }, await readSubject(parts, act)) +
      outlives(act) +
      inWhoseName(context),
    ...(empresa && { empresa_rut: empresa.rut }),
    preview: priced ?? { ...(before !== null && { before }), ...(resource !== null && irreversible.shows(resource)) },
    confirmation: issueConfirmation(parts.pipeline.ports.vault, ownerOf(act), consent, nowFor(agent)),
  }
  return { status: 200, headers: {}, body: JSON.stringify(answer) }
}

/** The first step: a dry run of the act, rolled back before its commit, so that whatever stands in its way is told now. */
export function preview(parts: ToolParts, act: Act): Promise<Answer> {
  const { agent, operation, args } = act
  const key = operation.idempotent === false ? undefined : (args.idempotency_key ?? `rehearsal-${randomUUID()}`)
  const { call, ...active } = operationCall(agent, operation, { ...args, idempotency_key: key })
  const beforeCommit = (resource: unknown) => {
    throw new DryRun(resource)
  }
  return parts.handler.performKnown({ call, ...active }, async (pipeline) => {
    const body = bytesOf(operation, args.body)
    const tried = await perform(pipeline, { ...call, beforeCommit }, active.admission, body).catch((error: unknown) => {
      if (error instanceof DryRun) return error
      throw error
    })
    // Done before under the same key: there is nothing left to confirm.
    if (!(tried instanceof DryRun)) return tried
    return previewAnswer(parts, act, JSON.parse(JSON.stringify(tried.resource)))
  })
}

/**
 * The second step. Before its transaction commits, the verb's answer is compared with what was shown. The nonce of the
 * token is the key under which the answer is kept, whatever the method: used again it gives the same answer, however
 * late, and does nothing more, also where what it did was taken back since.
 */
export function confirm(parts: ToolParts, act: Act, token: string): Promise<Answer> {
  const { agent, operation, irreversible, args } = act
  const active = operationCall(agent, operation, args)
  return parts.handler.performKnown(active, async (pipeline) => {
    const consent = readConsent(pipeline.ports.vault, ownerOf(act), token, argsOf(args))
    // What was acted upon may be gone: that is no reason to refuse an answer that was given before.
    const context = await readContext(parts, act).catch((error: unknown) => ({ error }))
    const beforeCommit = (resource: unknown) => {
      if ('error' in context) throw context.error
      checkConsent(consent, nowFor(agent), factsOf(irreversible, resource, context))
    }
    const once = args.idempotency_key === undefined && { once: `confirmation-${consent.nonce}` }
    const call = { ...active.call, ...once, beforeCommit }
    return perform(pipeline, call, active.admission, bytesOf(operation, args.body))
  })
}
