import type { EvidenceAct } from '../../../catalog/evidence.ts'
import { CEILINGS } from '../../../catalog/limits.ts'
import type { Person } from '../../../catalog/roles.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext, Origin } from '../../context.ts'
import { insertEvidence } from './store.ts'

/** A person of the operator: the customer knows them by their name alone. */
export interface OperatorPerson {
  readonly rut: null
  readonly name: string
  readonly role: null
}

export interface NewEvidence extends Origin {
  /** The step of the onboarding that it belongs to; null where it is none's. */
  readonly step: string | null
  readonly act: EvidenceAct
  /** Who did it, as far as it was told; null where a credential acted and named nobody. */
  readonly actor: Person | OperatorPerson | null
  /** What the person was shown or handed over: the version of a text or the id of a file, and its digest. */
  readonly document: { readonly version: string; readonly sha256: string } | null
}

/** Records what a person did, in the transaction of the act itself. It is never changed. Gives its id. */
export async function recordEvidence(
  { sql, now }: Pick<BaseContext, 'sql' | 'now'>,
  scope: EmpresaScope,
  { step, act, actor, ip, user_agent, document, via }: NewEvidence,
): Promise<string> {
  const id = newId('evidence')
  await insertEvidence(sql, scope, {
    id,
    step,
    act,
    actor_rut: actor?.rut ?? null,
    actor_name: actor?.name ?? null,
    actor_role: actor?.role ?? null,
    at: now(),
    ip,
    user_agent: user_agent?.slice(0, CEILINGS.user_agent_chars) ?? null,
    document_version: document?.version ?? null,
    document_sha256: document?.sha256 ?? null,
    via,
  })
  return id
}
