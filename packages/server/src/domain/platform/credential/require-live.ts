import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { isAccountOpen, isSessionLive, lockAccountRow } from '../account/lookup.ts'
import { isKeyLive } from '../api-key/lookup.ts'

/**
 * Before a credential makes something that outlives the call (a key, an endpoint, an empresa): locks the account, as recovering and
 * closing it do, and looks whether the credential still stands. Of the two, what comes second sees what the first one did, so that
 * nothing is made behind a recovery. An agent's grant is locked already, whatever it does.
 */
export async function requireLiveCredential(ctx: Pick<AccountContext, 'sql' | 'account' | 'caller'>): Promise<void> {
  const { sql, account, caller } = ctx
  await lockAccountRow(sql, account.account_id)
  if (!(await isAccountOpen(sql, account.account_id))) {
    throw new Problem(caller.kind === 'session' ? 'invalid_session' : 'invalid_api_key')
  }
  if (caller.kind === 'key' && !(await isKeyLive(sql, caller.credential_id))) throw new Problem('invalid_api_key')
  if (caller.kind === 'session' && !(await isSessionLive(sql, caller.credential_id))) {
    throw new Problem('invalid_session')
  }
}
