import { canonicalRut } from '@timbre/dte/values'
import { HEADERS } from '../catalog/headers.ts'
import type { Operation } from '../domain/operation.ts'
import { reachEmpresa, soleEmpresa } from '../domain/platform/empresa/scope.ts'
import { onlyEmpresa } from '../http/resolve-empresa.ts'
import { Problem } from '../kernel/problem.ts'
import type { Agent } from './agent.ts'
import type { Arguments, GivenArguments, ToolInput } from './input.ts'
import type { ToolParts } from './operation-call.ts'

const ID = /^emp_/

/** The empresa that is meant where none is named: the only one of the grant, or the only one there is. */
async function unnamed({ pipeline }: ToolParts, { account, caller }: Agent): Promise<string | undefined> {
  return onlyEmpresa(caller) ?? (caller.empresas.includes('*') ? await soleEmpresa(pipeline.sql, account) : undefined)
}

const NOWHERE: Partial<Arguments> = {}

/** Arguments with the empresa in its place. Field by field: in Node 20 a spread that gets more has a layout of its own each time (0027). */
function placed(args: GivenArguments, where: Partial<Arguments> = NOWHERE): Arguments {
  const { params, query, body, empresa_rut, idempotency_key, confirmation } = args
  return {
    params: where.params ?? params,
    query: where.query ?? query,
    body: where.body ?? body,
    empresa_rut: 'empresa_rut' in where ? where.empresa_rut : empresa_rut,
    idempotency_key,
    confirmation,
  }
}

/**
 * Puts the empresa where its operation takes it. A tool takes a RUT or an id, and none where one alone is reached; its
 * operation takes one of the two. What is not found or not reached is refused here as the operation would.
 */
export async function placeEmpresa(
  parts: ToolParts,
  agent: Agent,
  operation: Operation,
  place: ToolInput['empresa'],
  args: GivenArguments,
): Promise<Arguments> {
  const { empresa: sent } = args
  const { account, caller } = agent
  // Without its scope nothing is looked up: the operation refuses, and tells nothing of who exists.
  const allowed = operation.scope === undefined || caller.scopes.includes(operation.scope)
  const given = sent === undefined || ID.test(sent) ? sent : (canonicalRut(sent) ?? sent)
  const filter = operation.reach === 'account'
  const named = given ?? (allowed && place && !filter ? await unnamed(parts, agent) : undefined)
  if (place === null) return placed(args, { empresa_rut: named })
  const reached = async (name: string) => {
    const by = ID.test(name) ? { id: name } : { rut: name }
    return (await reachEmpresa(parts.pipeline, account, caller, by)).scope
  }
  if (place.at === 'header') {
    const by_id = allowed && named !== undefined && ID.test(named)
    return placed(args, { empresa_rut: by_id ? (await reached(named)).rut : named })
  }
  if (named === undefined) {
    if (filter) return placed(args)
    if (allowed) throw new Problem('empresa_header_required', { param: HEADERS.empresa })
    return placed(args, { params: { ...args.params, [place.field]: '' } })
  }
  const wants_id = place.field === 'empresa_id'
  const fits = ID.test(named) === wants_id
  const value = fits || !allowed ? named : (await reached(named))[wants_id ? 'empresa_id' : 'rut']
  return placed(args, { [place.at]: { ...args[place.at], [place.field]: value } })
}
