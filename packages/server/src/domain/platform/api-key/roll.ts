import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { Problem } from '../../../kernel/problem.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { AccountContext } from '../../context.ts'
import { newSecret } from './mint.ts'
import type { ApiKeyWithSecret } from './schema.ts'
import { showApiKey } from './show.ts'
import { bumpVersion, expireSecrets, findApiKey, insertSecret } from './store.ts'

/**
 * Gives a key a new secret. The old one keeps working for 24 hours of real time, also under a test clock:
 * a secret is not part of the simulated world.
 */
export async function rollApiKey(ctx: AccountContext, { key_id }: { key_id: string }): Promise<ApiKeyWithSecret> {
  const key = await findApiKey(ctx.sql, ctx.account.account_id, key_id)
  if (!key) throw new Problem('api_key_not_found')
  const secret = newSecret(key.mode, key.root)
  const rolled = await bumpVersion(ctx.sql, key, secret.slice(-4))
  if (!rolled) throw new Problem('api_key_roll_conflict')
  const hash = hashSecret(secret)
  await insertSecret(ctx.sql, key.id, hash)
  const overlap_ends = secondsFrom(new Date(systemNow()), RETENTION.secret_overlap_seconds)
  await expireSecrets(ctx.sql, key.id, hash, overlap_ends)
  ctx.invalidate(key.id)
  ctx.emit({
    type: 'api_key.rolled',
    object: showApiKey(rolled),
    previous_attributes: { last4: key.last4 },
    empresa: null,
  })
  return { ...showApiKey(rolled), secret }
}
