import { randomUUID } from 'node:crypto'
import { printedRut } from '@timbre/dte/values'
import type { Operation } from '../domain/operation.ts'
import type { Empresa } from '../domain/platform/empresa/schema.ts'
import { reachEmpresa } from '../domain/platform/empresa/scope.ts'
import { type Irreversible, quoted } from '../domain/tooling.ts'
import { namedEmpresa } from '../http/admit.ts'
import { Rehearsal } from '../http/call.ts'
import { perform } from '../http/pipeline.ts'
import type { Answer } from '../kernel/answer.ts'
import { type Agent, askBeside, type Bench, bytesOf, nowFor, visitFor } from './call.ts'
import { digest, giveConfirmation, judgeConsent, readConsent } from './confirm.ts'
import type { Arguments } from './input.ts'

/** An act that cannot be undone, by whom and with what. */
export interface Act {
  readonly agent: Agent
  readonly operation: Operation
  readonly irreversible: Irreversible
  readonly args: Arguments
}

const NO_BODY = new Uint8Array(0)
const NO_HEADERS = { empresa_rut: undefined, idempotency_key: undefined }

/** Everything but the token itself. The key too: with another one the same consent would act a second time. */
function argsOf({ params, query, body, empresa_rut, idempotency_key }: Arguments): string {
  return digest({ params, query, body, empresa_rut, idempotency_key })
}

const shownTo = ({ agent, operation }: Act) => ({ credential: agent.caller.credential_id, operation: operation.id })

/** What stands around an act: in whose name it is done, and what it is done to. */
interface Around {
  readonly empresa: Pick<Empresa, 'rut' | 'legal_name' | 'giro' | 'address'> | null
  readonly before: unknown
}

/** What the consent is about, the same whether it was read from the wire or comes straight from the verb. */
function factsOf({ shows }: Irreversible, resource: unknown, around: Around): string {
  return digest({ shows: resource === null ? null : shows(resource), ...around })
}

/** What a document says of its empresa is part of what is consented to, whatever the agent may read of it otherwise. */
async function readEmpresa({ pipeline, operations }: Bench, act: Act): Promise<Around['empresa']> {
  const { agent, operation, args } = act
  const reading = operations.get('empresas.get')
  if (operation.reach !== 'empresa' || !reading) return null
  const { call } = visitFor(agent, operation, args)
  const { scope } = await reachEmpresa(pipeline, agent.account, agent.caller, namedEmpresa(call, agent.caller))
  const visit = visitFor(agent, reading, { params: { empresa_id: scope.empresa_id }, query: {}, ...NO_HEADERS })
  const answer = await perform(pipeline, visit.call, visit.admission, NO_BODY)
  const { rut, legal_name, giro, address } = JSON.parse(answer.body ?? '{}') as Empresa
  return { rut, legal_name, giro, address }
}

/** What is acted upon need only be read where it is not the answer itself. */
async function lookAround(bench: Bench, act: Act): Promise<Around> {
  const { agent, irreversible, args } = act
  const empresa = await readEmpresa(bench, act)
  return { empresa, before: await askBeside(bench, agent, irreversible.before, { ...args, query: {} }) }
}

/** Whoever has several empresas must see in whose name it would be. */
const inWhoseName = ({ empresa }: Around) =>
  empresa === null ? '' : ` Empresa: ${quoted(empresa.legal_name)} (RUT ${printedRut(empresa.rut)}).`

async function preview(bench: Bench, act: Act, resource: unknown): Promise<Answer> {
  const { agent, irreversible, args } = act
  const around = await lookAround(bench, act)
  const { before, empresa } = around
  const priced = await askBeside(bench, agent, irreversible.preview, args)
  const consent = { args: argsOf(args), facts: factsOf(irreversible, resource, around) }
  const shown = {
    confirmation_required: true,
    message: irreversible.says(resource, { ...args.params, ...args.body }) + inWhoseName(around),
    ...(empresa && { empresa_rut: empresa.rut }),
    preview: priced ?? { ...(before !== null && { before }), ...(resource !== null && irreversible.shows(resource)) },
    confirmation: giveConfirmation(bench.pipeline.ports.vault, shownTo(act), consent, nowFor(agent)),
  }
  return { status: 200, headers: {}, body: JSON.stringify(shown) }
}

/** The first step: the very act, undone before any of it is kept, so that whatever stands in its way is told now. */
export function rehearse(bench: Bench, act: Act): Promise<Answer> {
  const { agent, operation, args } = act
  const key = operation.idempotent === false ? undefined : (args.idempotency_key ?? `rehearsal-${randomUUID()}`)
  const { call, ...visit } = visitFor(agent, operation, { ...args, idempotency_key: key })
  const judge = (resource: unknown) => {
    throw new Rehearsal(resource)
  }
  return bench.handler.act({ call, ...visit }, async (pipeline) => {
    const body = bytesOf(operation, args.body)
    const tried = await perform(pipeline, { ...call, judge }, visit.admission, body).catch((error: unknown) => {
      if (error instanceof Rehearsal) return error
      throw error
    })
    // Done before under the same key: there is nothing left to confirm.
    if (!(tried instanceof Rehearsal)) return tried
    return preview(bench, act, JSON.parse(JSON.stringify(tried.resource)))
  })
}

/**
 * The second step. What the verb would leave is held against what was shown within its own transaction, and what it
 * was sealed with is the idempotency key: used again it gives the same answer, however late.
 */
export function confirm(bench: Bench, act: Act, token: string): Promise<Answer> {
  const { agent, operation, irreversible, args } = act
  const visit = visitFor(agent, operation, args)
  return bench.handler.act(visit, async (pipeline) => {
    const consent = readConsent(pipeline.ports.vault, shownTo(act), token, argsOf(args))
    const around = await lookAround(bench, act)
    const judge = (resource: unknown) => judgeConsent(consent, nowFor(agent), factsOf(irreversible, resource, around))
    const key = args.idempotency_key ?? `confirmation-${consent.nonce}`
    const { call } = visitFor(agent, operation, { ...args, idempotency_key: key })
    return perform(pipeline, { ...call, judge }, visit.admission, bytesOf(operation, args.body))
  })
}
