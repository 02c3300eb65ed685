import { type AuditAction, NO_TRIES } from '../catalog/audit.ts'
import type { Actor } from '../kernel/audit.ts'
import { REAL_TIME } from '../kernel/clock.ts'
import { AccountProblem, Problem } from '../kernel/problem.ts'
import type { Transactor } from '../kernel/transactor.ts'
import type { Admission, Call } from './call.ts'

/** Who calls, by the id of the credential: its secret is never at hand here. */
export function actorOf({ ip, request_id }: Call, { operator, operator_session, caller, session }: Admission): Actor {
  const from = { ip, request_id }
  if (operator) return { kind: 'operator', id: operator_session ?? null, ...from }
  if (caller) return { kind: caller.kind, id: caller.credential_id, ...from }
  return session ? { kind: 'session', id: session.session_id, ...from } : { kind: 'anonymous', id: null, ...from }
}

const ID = /^[\w-]{1,64}$/

/** What the call acts upon: what its path names last, or what it made, or the account itself. */
export function subjectOf({ operation, params }: Call, admission: Admission, resource?: unknown): string | null {
  const last = /\{(\w+)\}[^{]*$/.exec(operation.path)?.[1]
  const named = last === undefined ? undefined : params[last]
  const made = (resource as { id?: unknown } | null | undefined)?.id
  const account_id = admission.account?.account_id ?? admission.session?.account_id ?? admission.concerns
  const subject = named ?? (typeof made === 'string' ? made : account_id)
  return subject !== undefined && ID.test(subject) ? subject : null
}

/**
 * Runs a part of an audited call. When it is refused, the log is told in a transaction of its own, whether or not there is
 * such an account: the time an answer takes must not tell. Strangers write only where their address is counted.
 */
export function auditingRefusals<T>(
  parts: { readonly transactor: Transactor },
  call: Call,
  admission: Admission,
  work: () => Promise<T>,
): Promise<T> {
  return call.operation.audited ? recordingRefusal(parts, call, admission, work) : work()
}

async function recordingRefusal<T>(
  { transactor }: { readonly transactor: Transactor },
  call: Call,
  admission: Admission,
  work: () => Promise<T>,
): Promise<T> {
  const { operation } = call
  try {
    return await work()
  } catch (error) {
    const refused = (error instanceof Problem || error instanceof AccountProblem) && !NO_TRIES.has(error.code)
    const account_id = admission.account?.account_id ?? admission.session?.account_id ?? admission.concerns ?? null
    if (refused && (account_id !== null || operation.limit !== undefined)) {
      const mode = admission.account?.mode ?? null
      await transactor.transact({ account_id, mode, empresa_id: null, clock: REAL_TIME }, async (_sql, unit) =>
        unit.audit({
          account_id,
          mode,
          empresa: null,
          action: operation.id as AuditAction,
          subject: subjectOf(call, admission),
          outcome: 'refused',
          code: error.code,
          actor: actorOf(call, admission),
        }),
      )
    }
    throw error
  }
}
