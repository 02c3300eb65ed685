import { hastenJobs } from '../../../kernel/queue.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import type { StepRow } from '../../platform/onboarding/open-step.ts'
import { runCertification } from './jobs.ts'

type Starting = Pick<BaseContext, 'sql' | 'enqueue'>

/**
 * A step of the certification is open and ours: it is carried on. One that moved since the last look waits no longer: a person
 * approved it, or asked for another try.
 */
export async function startCertification(
  tx: Starting,
  scope: EmpresaScope,
  { key: step, next_poll_at }: Pick<StepRow, 'key' | 'next_poll_at'>,
): Promise<void> {
  const { empresa_id } = scope
  await tx.enqueue(runCertification, { payload: { step }, key: `${empresa_id}:${step}`, empresa_id })
  if (next_poll_at === null) await hastenCertification(tx, scope)
}

/** What it waited for may be there. */
export async function hastenCertification(tx: Pick<Starting, 'sql'>, scope: EmpresaScope): Promise<void> {
  await hastenJobs(tx.sql, scope, runCertification.name)
}
