import { HEADERS, SENT } from '../catalog/headers.ts'
import { isMode, MODES, type Mode } from '../catalog/modes.ts'
import type { Operation } from '../domain/operation.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import type { RateLimiter } from '../kernel/rate-limit.ts'
import { requireScope } from '../kernel/require-scope.ts'
import type { Caller } from '../kernel/scope.ts'
import type { Transactor } from '../kernel/transactor.ts'
import { auditingRefusals } from './audit.ts'
import { type AuthenticateParts, authenticate } from './authenticate.ts'
import type { Admission, Call } from './call.ts'
import { throttleCall } from './throttle.ts'

export interface AdmitParts extends AuthenticateParts {
  readonly limiter: RateLimiter
  readonly transactor: Transactor
}

function refuseUnknownMode(call: Pick<Call, 'header' | 'api'>): void {
  const sent = call.header(SENT.mode)
  const unknown = call.api === 'dashboard' && sent !== undefined && !isMode(sent)
  if (unknown) throw invalidField(HEADERS.mode, 'it must be test or live.')
}

function checkReach(call: Call, mode: Mode): void {
  const { operation } = call
  refuseUnknownMode(call)
  if (operation.test_only && !MODES[mode].test_helpers) throw new Problem('mode_not_allowed')
  if (operation.reach === 'account' && call.header(SENT.empresa) !== undefined) {
    throw new Problem('empresa_header_forbidden', { param: HEADERS.empresa })
  }
}

function checkScope({ scope, root_only }: Operation, caller: Caller): void {
  const root = caller.kind === 'session' || (caller.kind === 'key' && caller.root)
  if (root_only && !root) throw new Problem('root_key_required', { details: { scope } })
  if (scope) requireScope(caller, scope)
}

/** The steps before the body is read: who calls, how often, and whether the operation is theirs to call. */
export async function admit(parts: AdmitParts, call: Call, admission: Admission): Promise<void> {
  await authenticate(parts, call, admission)
  await admitCaller(parts, call, admission)
}

/** Who calls, as of now, in the middle of a long answer. It is the same call still, and counts no second time. */
export async function readmit(parts: AdmitParts, call: Call): Promise<Admission> {
  const admission: Admission = {}
  await authenticate(parts, call, admission)
  const { caller, account } = admission
  if (account) checkReach(call, account.mode)
  if (caller) checkScope(call.operation, caller)
  return admission
}

/** The same for a caller who is already known, such as an agent over MCP. */
export async function admitCaller(parts: AdmitParts, call: Call, admission: Admission): Promise<void> {
  await throttleCall(parts.limiter, call, admission)
  const { caller, account } = admission
  if (!caller || !account) return
  await auditingRefusals(parts, call, admission, async () => {
    checkReach(call, account.mode)
    checkScope(call.operation, caller)
  })
}
