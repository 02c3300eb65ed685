import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { Caller } from '../../../kernel/scope.ts'
import { deleteMaking, isMadeByAnother, type MakingAspect, type MakingKind, upsertMaking } from './store.ts'

export interface NewMaking {
  readonly id: string
  readonly kind: MakingKind
  /** What a person knows it by: a host, a folio, an address. */
  readonly label: string
}

const WHOLE: readonly MakingAspect[] = ['address', 'secret']

/**
 * Says who answers for something that works without its maker: where an agent makes it or points it elsewhere, the grant,
 * which it ends with; where anybody else does, nobody but the account. An agent that sets one aspect answers for that one:
 * another may answer for the other, and the thing ends with either.
 */
export async function bindToGrant(
  { sql, caller }: { readonly sql: Sql; readonly caller: Caller },
  { id, kind, label }: NewMaking,
  aspects: readonly MakingAspect[] = WHOLE,
): Promise<void> {
  if (caller.kind !== 'agent') return deleteMaking(sql, id, aspects)
  const created_at = new Date(systemNow())
  const aspects_of_kind = kind === 'webhook_endpoint' ? aspects : aspects.slice(0, 1)
  await upsertMaking(sql, { grant_id: caller.credential_id, subject_id: id, kind, label, created_at }, aspects_of_kind)
}

/** Whether the secret of a thing is known to an agent, unless that agent is the caller. */
export async function isSecretOfAgent(
  { sql, caller }: { readonly sql: Sql; readonly caller: Caller },
  subject_id: string,
): Promise<boolean> {
  return isMadeByAnother(sql, subject_id, 'secret', caller.credential_id)
}
