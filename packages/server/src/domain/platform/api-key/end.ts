import type { AccountScope } from '../../../kernel/scope.ts'
import type { Acting, BaseContext } from '../../context.ts'
import type { TaintedCredential, Untrusted } from '../../distrust.ts'
import { type ApiKeyRow, showApiKey } from './show.ts'
import { countLiving, findLineage, findRolled, listApiKeys, markRevoked } from './store.ts'

export interface EndKeysContext extends Pick<BaseContext, 'sql' | 'now' | 'invalidate' | 'audit'> {
  actFor(account: AccountScope): Pick<Acting, 'emit'>
}

export interface EndedKeys {
  readonly ended: readonly ApiKeyRow[]
  readonly kept: { readonly total: number; readonly newest: readonly ApiKeyRow[] }
  /** Those that had ended before too: what they made is theirs all the same. */
  readonly tainted: readonly TaintedCredential[]
}

async function revoke(ctx: EndKeysContext, key: ApiKeyRow): Promise<void> {
  const whose = { account_id: key.account_id, mode: key.mode }
  await markRevoked(ctx.sql, key.account_id, key.id, ctx.now())
  ctx.invalidate(key.id)
  ctx.actFor(whose).emit({ type: 'api_key.revoked', object: showApiKey(key), empresa: null })
  ctx.audit({ action: 'api_keys.revoke', subject: key.id }, whose)
}

/**
 * Ends the keys of an account that were made at a time, those that they minted in turn, and those that were rolled at that
 * time or by one of them, wholly: of the two secrets of a rolled key the owner holds the one that ends. What a rolled key
 * made before is the owner's.
 */
export async function endDistrustedKeys(
  ctx: EndKeysContext,
  account_id: string,
  time: Untrusted,
  show: number,
): Promise<EndedKeys> {
  const lineage = await findLineage(ctx.sql, account_id, time)
  const made = lineage.map(({ id }) => ({ id, since: null }))
  const known = new Set(lineage.map(({ id }) => id))
  const rolled = (await findRolled(ctx.sql, account_id, { time, by: made })).filter(({ id }) => !known.has(id))
  const ended = [...lineage.filter(({ revoked_at }) => revoked_at === null), ...rolled]
  for (const key of ended) await revoke(ctx, key)
  const newest = await listApiKeys(ctx.sql, account_id, { before: null, take: show })
  return {
    ended,
    kept: { total: await countLiving(ctx.sql, account_id), newest },
    tainted: [...made, ...rolled.map(({ id, rolled_at }) => ({ id, since: rolled_at }))],
  }
}
