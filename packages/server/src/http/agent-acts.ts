import { isRut } from '@timbre/dte/values'
import type { Contexts } from '../domain/context.ts'
import { isTriedAct, recordAct, recordRefusedAct } from '../domain/platform/agent-grant/acts.ts'
import { nowOf, REAL_TIME } from '../kernel/clock.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { Problem } from '../kernel/problem.ts'
import type { Transactor } from '../kernel/transactor.ts'
import { subjectOf } from './audit.ts'
import type { Admission, Call } from './call.ts'
import type { CallScope } from './contexts.ts'

/** Writes down what an agent did, for the person who let it in. */
export async function recordAgentAct(
  call: Call,
  scope: CallScope,
  contexts: Contexts,
  resource: unknown,
): Promise<void> {
  if (scope.admission.caller?.kind !== 'agent') return
  const act = { operation: call.operation, empresa_rut: scope.empresa?.rut ?? null }
  await recordAct(contexts.account(), { ...act, subject: subjectOf(call, scope.admission, resource) }, resource)
}

interface RefusalParts {
  readonly pipeline: { readonly transactor: Transactor }
  readonly log: Log
}

/** Writes down what an agent was refused. Where that fails, the agent is told of its refusal all the same. */
export async function recordingRefusedActs<T>(
  { pipeline, log }: RefusalParts,
  call: Call,
  admission: Admission,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { account, caller, clock = REAL_TIME } = admission
    if (account && caller?.kind === 'agent' && error instanceof Problem && isTriedAct(call.operation, error.code)) {
      const [grant_id, at] = [caller.credential_id, nowOf(clock)]
      const act = { operation: call.operation, empresa_rut: rutIn(admission), subject: subjectIn(call) }
      await pipeline.transactor
        .transact({ ...account, empresa_id: null, clock }, (sql) =>
          recordRefusedAct({ sql, account, grant_id, at }, act, error),
        )
        .catch((failure: unknown) =>
          log.error({ error: describeError(failure) }, 'the refusal of an agent was not recorded'),
        )
    }
    throw error
  }
}

/** What the path names last, and nothing where it names nothing: the account itself is no subject of an agent. */
const subjectIn = (call: Call) => subjectOf(call, {})

/** The empresa that was named: by then it may be any text. */
const rutIn = ({ empresa_rut = '' }: Admission) => (isRut(empresa_rut) ? empresa_rut : null)
