import { idFloor } from '../../../kernel/id.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { Acting, BaseContext } from '../../context.ts'
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

/**
 * Ends the keys of an account that were made before an instant, or all, and those that they minted in turn. The time in
 * an id is real time: a test clock does not make a key younger.
 */
export async function endKeysMadeBefore(
  ctx: EndKeysContext,
  account_id: string,
  before: Date | null,
): Promise<EndedKeys> {
  const lineage = await findLineage(ctx.sql, account_id, before && idFloor('api_key', before))
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
