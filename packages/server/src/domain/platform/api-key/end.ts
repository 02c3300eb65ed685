import type { AccountScope } from '../../../kernel/scope.ts'
import type { Acting, BaseContext } from '../../context.ts'
import type { Made } from '../credential/made.ts'
import { showApiKey } from './show.ts'
import { countLiving, findLineage, markRevoked } from './store.ts'

export interface EndKeysContext extends Pick<BaseContext, 'sql' | 'now' | 'invalidate' | 'audit'> {
  actFor(account: AccountScope): Pick<Acting, 'emit'>
}

export interface EndedKeys {
  readonly ended: number
  readonly kept: number
  /** Those that had ended before too: what they made is theirs all the same. */
  readonly ids: readonly string[]
}

/** Ends the keys of an account that were made at a time, and those that they minted in turn. */
export async function endKeysMade(ctx: EndKeysContext, account_id: string, made: Made): Promise<EndedKeys> {
  const lineage = await findLineage(ctx.sql, account_id, made)
  const living = lineage.filter(({ revoked_at }) => revoked_at === null)
  for (const key of living) {
    await markRevoked(ctx.sql, account_id, key.id, ctx.now())
    ctx.invalidate(key.id)
    const whose = { account_id, mode: key.mode }
    ctx.actFor(whose).emit({ type: 'api_key.revoked', object: showApiKey(key), empresa: null })
    ctx.audit({ action: 'api_keys.revoke', subject: key.id }, whose)
  }
  return { ended: living.length, kept: await countLiving(ctx.sql, account_id), ids: lineage.map(({ id }) => id) }
}
