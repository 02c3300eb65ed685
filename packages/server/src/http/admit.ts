import { isRut } from '@timbre/dte/values'
import { HEADERS, SENT } from '../catalog/headers.ts'
import { BUCKETS, type BucketName } from '../catalog/limits.ts'
import { isMode, MODES, type Mode } from '../catalog/modes.ts'
import { namesEmpresa, type Operation } from '../domain/operation.ts'
import type { Authenticator } from '../domain/platform/api-key/authenticate.ts'
import { readClock } from '../domain/platform/test-clock/read-clock.ts'
import { REAL_TIME } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import { type RateLimiter, type Window, windowOf } from '../kernel/rate-limit.ts'
import type { Caller } from '../kernel/scope.ts'
import { sameSecret } from '../kernel/secret.ts'
import type { Ports } from '../ports/ports.ts'
import type { Admission, Call } from './call.ts'
import { throttleDoor } from './throttle.ts'

export interface Gate {
  readonly sql: Sql
  readonly keys: Authenticator
  readonly ports: Ports
  readonly limiter: RateLimiter
  readonly operator_secret: string | null
}

const BEARER = /^Bearer ([!-~]+)$/i

function bearer(call: Call): string | null {
  return BEARER.exec(call.header('authorization') ?? '')?.[1] ?? null
}

async function admitKey(gate: Gate, call: Call, admission: Admission): Promise<void> {
  const token = bearer(call)
  if (token === null) throw new Problem('invalid_api_key')
  const { key_id, account_id, mode, clock, root, scopes, empresas } = await gate.keys.authenticate(token)
  admission.account = { account_id, mode }
  admission.caller = { kind: 'key', credential_id: key_id, root, scopes, empresas }
  admission.clock = clock
}

/** One that cannot be read is refused once the call was counted: whoever sent it is known by then. */
function modeOfSession(call: Call): Mode {
  const sent = call.header(SENT.mode)
  return isMode(sent) ? sent : 'live'
}

function refuseOddMode(call: Pick<Call, 'header' | 'surface'>): void {
  const sent = call.header(SENT.mode)
  const odd = call.surface === 'dashboard' && sent !== undefined && !isMode(sent)
  if (odd) throw invalidField(HEADERS.mode, 'it must be test or live.')
}

async function admitSession(gate: Gate, call: Call, admission: Admission): Promise<void> {
  const token = bearer(call)
  const found = token === null ? null : await gate.ports.sessions.read(gate.sql, token)
  if (!found) throw new Problem('invalid_session')
  admission.session = found
  if (call.surface === 'bootstrap') return
  const mode = modeOfSession(call)
  admission.account = { account_id: found.account_id, mode }
  admission.caller = { kind: 'session', credential_id: found.session_id, email_verified: found.email_verified }
  admission.clock = MODES[mode].has_test_clock
    ? await readClock(gate.sql, { account_id: found.account_id, empresa_id: null })
    : REAL_TIME
}

function admitOperator(gate: Gate, call: Call, admission: Admission): void {
  const sent = call.header(SENT.operator_secret)
  if (!gate.operator_secret || !sent || !sameSecret(sent, gate.operator_secret)) {
    throw new Problem('operator_authentication_required')
  }
  admission.operator = true
}

async function admitCredential(gate: Gate, call: Call, admission: Admission): Promise<void> {
  const { reach } = call.operation
  if (reach === 'public') return
  if (reach === 'operator') return admitOperator(gate, call, admission)
  if (reach === 'session' || call.surface === 'dashboard') return admitSession(gate, call, admission)
  return admitKey(gate, call, admission)
}

function counted(name: BucketName, call: Call, account_id: string, caller: Caller, credential: string): Window {
  const by = BUCKETS[name].counted_by
  if (by === 'account') return windowOf(name, account_id)
  if (by === 'credential') return windowOf(name, credential)
  // Naming the only empresa there is must not open a second window.
  return windowOf(name, `${credential}|${call.header(SENT.empresa) ?? onlyEmpresa(caller) ?? ''}`)
}

async function admitRate(gate: Gate, call: Call, admission: Admission): Promise<void> {
  const { caller, account } = admission
  if (call.surface === 'bootstrap') return throttleDoor(gate.limiter, call, admission)
  if (!caller || !account) return
  const credential = `${caller.credential_id}|${account.mode}`
  const windows = [windowOf('general', credential)]
  if (call.operation.limit) windows.push(counted(call.operation.limit, call, account.account_id, caller, credential))
  const verdict = await gate.limiter.take(windows)
  admission.rate = verdict
  if (!verdict.allowed) throw new Problem('rate_limited', { retry_after_seconds: verdict.reset_seconds })
}

function admitReach({ operation, ...call }: Call, mode: Mode): void {
  refuseOddMode(call)
  if (operation.test_only && !MODES[mode].test_helpers) throw new Problem('mode_not_allowed')
  if (operation.reach === 'account' && call.header(SENT.empresa) !== undefined) {
    throw new Problem('empresa_header_forbidden', { param: HEADERS.empresa })
  }
}

function admitScope({ scope, root_only }: Operation, caller: Caller): void {
  const root = caller.kind === 'session' || (caller.kind === 'key' && caller.root)
  if (root_only && !root) throw new Problem('root_key_required', { details: { scope } })
  if (!scope || caller.kind === 'session' || caller.scopes.includes(scope)) return
  throw new Problem('insufficient_scope', { message: `The key lacks the scope ${scope}.`, details: { scope } })
}

/** The rungs before the body is read: who calls, how often, whether this door is theirs. */
export async function admit(gate: Gate, call: Call, admission: Admission): Promise<void> {
  await admitCredential(gate, call, admission)
  await admitCaller(gate, call, admission)
}

/** The same for a caller whom another door has let in. */
export async function admitCaller(gate: Gate, call: Call, admission: Admission): Promise<void> {
  await admitRate(gate, call, admission)
  const { caller, account } = admission
  if (!caller || !account) return
  admitReach(call, account.mode)
  admitScope(call.operation, caller)
}

/** The one a key reaches where it reaches no other. */
function onlyEmpresa(caller: Caller): string | undefined {
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
