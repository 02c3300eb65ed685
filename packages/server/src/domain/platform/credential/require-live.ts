import type { ErrorCode } from '../../../catalog/errors.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { isAccountOpen, isSessionLive, lockAccountRow } from '../account/lookup.ts'
import { refuseOutgoing } from '../api-key/authority.ts'
import { findSecret } from '../api-key/lookup.ts'

type GuardContext = Pick<AccountContext, 'sql' | 'account' | 'caller'>

/**
 * Before a credential makes something that outlives the call (a key, an endpoint, an empresa): locks the account, as recovering and
 * closing it do, and looks whether the credential still stands. Of the two, what comes second sees what the first one did, so that
 * nothing is made behind a recovery. An agent's grant is locked already, whatever it does. Says whether the secret it came with was
 * rolled out meanwhile.
 */
export async function requireLiveCredential(ctx: GuardContext): Promise<{ readonly outgoing: boolean }> {
  const { sql, account, caller } = ctx
  await lockAccountRow(sql, account.account_id)
  if (!(await isAccountOpen(sql, account.account_id))) {
    throw new Problem(caller.kind === 'session' ? 'invalid_session' : 'invalid_api_key')
  }
  if (caller.kind === 'session' && !(await isSessionLive(sql, caller.credential_id))) {
    throw new Problem('invalid_session')
  }
  if (caller.kind !== 'key') return { outgoing: false }
  const secret = await findSecret(sql, caller.secret_hash)
  if (!secret) throw new Problem('invalid_api_key')
  return secret
}

/**
 * The guard of every `lasting` operation. A secret that is rolled out while the call is on its way loses to the roll:
 * `raced` is the refusal for it. Whoever only ends something makes nothing behind a recovery, and waits for no lock.
 */
export async function guardLasting(
  ctx: GuardContext,
  { ends, raced }: { readonly ends: boolean; readonly raced: ErrorCode | undefined },
): Promise<void> {
  const { caller } = ctx
  refuseOutgoing(caller)
  if (ends) return
  const { outgoing } = await requireLiveCredential(ctx)
  if (!outgoing) return
  if (raced) throw new Problem(raced)
  refuseOutgoing({ ...caller, outgoing } as typeof caller)
}
