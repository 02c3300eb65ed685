import { isRut } from '@timbre/dte/values'
import { HEADERS, SENT } from '../catalog/headers.ts'
import { namesEmpresa } from '../domain/operation.ts'
import { reachAnyAccount } from '../domain/platform/account/lookup.ts'
import { certificateExpired, certificateGap } from '../domain/platform/empresa/custody.ts'
import { reachAnyEmpresa, reachEmpresa } from '../domain/platform/empresa/scope.ts'
import { nowOf, REAL_TIME } from '../kernel/clock.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import type { Caller } from '../kernel/scope.ts'
import type { Admission, Call } from './call.ts'
import type { CallScope, ContextParts } from './contexts.ts'

/** The empresa of a key that reaches exactly one. */
export function onlyEmpresa(caller: Caller): string | undefined {
  const only = caller.kind !== 'session' && caller.empresas.length === 1 ? caller.empresas[0] : undefined
  return only === '*' ? undefined : only
}

/** The empresa a call names, by its path or by its header, or the only one its key reaches. */
export function namedEmpresa(call: Call, caller: Caller): { readonly rut: string } | { readonly id: string } {
  const header = call.header(SENT.empresa)
  if (namesEmpresa(call.operation)) return { id: call.params.empresa_id ?? '' }
  if (header !== undefined) {
    if (!isRut(header)) throw new Problem('invalid_rut', { param: HEADERS.empresa })
    return { rut: header }
  }
  const only = onlyEmpresa(caller)
  if (only !== undefined) return { rut: only }
  throw new Problem('empresa_header_required', { param: HEADERS.empresa })
}

/** Finds the empresa that a call works on, where its operation works on one, and checks that its caller reaches it. */
export async function resolveEmpresa(parts: ContextParts, call: Call, admission: Admission): Promise<CallScope> {
  const { operation } = call
  const clock = admission.clock ?? REAL_TIME
  if (operation.reach === 'operator') {
    const empresa = await reachAnyEmpresa(parts.sql, call.params.empresa_id ?? '')
    admission.account = { account_id: empresa.account_id, mode: empresa.mode }
    admission.empresa_rut = empresa.rut
    return { admission, empresa, clock }
  }
  if (operation.reach === 'operator_account')
    admission.concerns = await reachAnyAccount(parts.sql, call.params.account_id)
  if (operation.reach !== 'empresa' || !admission.account || !admission.caller)
    return { admission, empresa: null, clock }
  const named = namedEmpresa(call, admission.caller)
  if ('rut' in named) admission.empresa_rut = named.rut
  const found = await reachEmpresa(parts, admission.account, admission.caller, named)
  admission.empresa_rut = found.scope.rut
  const header = call.header(SENT.empresa)
  if (header !== undefined && header !== found.scope.rut) {
    throw invalidField(HEADERS.empresa, 'it names another empresa than the path.')
  }
  if (found.status !== 'active' && !operation.allows_inactive) throw new Problem('empresa_inactive')
  const at = found.clock ?? clock
  if (
    operation.needs_certificate &&
    certificateGap({ ...found, mode: found.scope.mode }, nowOf(at)) === 'certificate_expired'
  )
    throw certificateExpired(found)
  return { admission, empresa: found.scope, clock: at }
}
