import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { showApiKey } from './show.ts'
import { endApiKey, findApiKey } from './store.ts'

/** Ends a key at once and for good. A key never ends itself: that would lock an account out by accident. */
export async function revokeApiKey(ctx: AccountContext, { key_id }: { key_id: string }): Promise<null> {
  const { caller, account } = ctx
  if (caller.kind === 'key' && caller.credential_id === key_id) throw new Problem('root_key_required')
  const key = await findApiKey(ctx.sql, account.account_id, key_id)
  if (!key) throw new Problem('api_key_not_found')
  await endApiKey(ctx.sql, account.account_id, key.id, ctx.now())
  ctx.invalidate(key.id)
  ctx.emit({ type: 'api_key.revoked', object: showApiKey(key), empresa: null })
  return null
}
