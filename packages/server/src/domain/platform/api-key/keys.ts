import type { Mode } from '../../../catalog/modes.ts'
import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Caller } from '../../../kernel/scope.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { AccountContext } from '../../context.ts'
import { requireAuthority, requireVerifiedEmail } from './authority.ts'
import { newSecret } from './mint.ts'
import type { ApiKey, ApiKeyWithSecret } from './schema.ts'
import { showApiKey } from './show.ts'
import { bumpVersion, expireSecrets, findApiKey, insertSecret, isUntouched, listApiKeys, markRevoked } from './store.ts'

function filtersOf(caller: Caller, mode: Mode): { mode?: Mode; only?: string } {
  if (caller.kind === 'session') return { mode }
  return caller.kind === 'key' && caller.root ? {} : { only: caller.credential_id }
}

/** A root key sees every key of the account, an ordinary one only itself, a session those of its mode. */
export async function listKeys(ctx: AccountContext, input: PageInput): Promise<ListPage<ApiKey>> {
  const { caller, account } = ctx
  const filters = filtersOf(caller, account.mode)
  const fetch = (page: { before: string | null; take: number }) =>
    listApiKeys(ctx.sql, account.account_id, { ...filters, ...page })
  return pageById(ctx, 'api_keys', { ...filters, of: account.account_id }, input, fetch, showApiKey)
}

/** Ends a key at once and for good. A key never ends itself: that would lock an account out by accident. */
/** As people tell keys apart. */
export async function nameOfKey(ctx: AccountContext, { key_id }: { key_id: string }): Promise<string | null> {
  const key = await findApiKey(ctx.sql, ctx.account.account_id, key_id)
  return key && `${key.name} (…${key.last4})`
}

export async function revokeApiKey(ctx: AccountContext, { key_id }: { key_id: string }): Promise<null> {
  const { caller, account } = ctx
  if (caller.kind === 'key' && caller.credential_id === key_id) throw new Problem('root_key_required')
  const key = await findApiKey(ctx.sql, account.account_id, key_id)
  if (!key) throw new Problem('api_key_not_found')
  requireAuthority(ctx, key, 'key_id')
  await markRevoked(ctx.sql, account.account_id, key.id, ctx.now())
  ctx.invalidate(key.id)
  ctx.emit({ type: 'api_key.revoked', object: showApiKey(key), empresa: null })
  return null
}

interface Roll {
  readonly key_id: string
}

interface Seen {
  /** Of the key when the call came in: another roll since then wins. Null where there was no key. */
  readonly version: number | null
}

export async function prepareRoll(ctx: AccountContext, { key_id }: Roll): Promise<Seen> {
  const key = await findApiKey(ctx.sql, ctx.account.account_id, key_id)
  return { version: key?.version ?? null }
}

/**
 * Gives a key a new secret. The old one keeps working for 24 hours of real time, also under a test clock: a secret is not
 * part of the simulated world. One that was rolled out before ends at once.
 */
export async function rollApiKey(ctx: AccountContext, { key_id, version }: Roll & Seen): Promise<ApiKeyWithSecret> {
  const { caller, account } = ctx
  const key = await findApiKey(ctx.sql, account.account_id, key_id)
  if (!key) throw new Problem('api_key_not_found')
  // A key renews itself, a root key too: it holds that secret already.
  if (caller.kind !== 'key' || caller.credential_id !== key.id) requireAuthority(ctx, key, 'key_id')
  requireVerifiedEmail(caller, key.mode)
  const secret = newSecret(key.mode, key.root)
  const rolled = await bumpVersion(ctx.sql, { ...key, version: version ?? key.version }, secret.slice(-4))
  if (!rolled) throw new Problem('api_key_roll_conflict')
  const now = new Date(systemNow())
  await expireSecrets(ctx.sql, key.id, secondsFrom(now, RETENTION.secret_overlap_seconds))
  await insertSecret(ctx.sql, key.id, hashSecret(secret), { made_by: caller.credential_id, made_at: now })
  ctx.invalidate(key.id)
  ctx.emit({
    type: 'api_key.rolled',
    object: showApiKey(rolled),
    previous_attributes: { last4: key.last4 },
    empresa: null,
  })
  return { ...showApiKey(rolled), secret }
}

/**
 * A roll whose answer was lost is repeated with the secret that it rolled out, the only one its caller has. Whoever stole
 * that one could do the same, so it is told for minutes, and until somebody uses the new one.
 */
export function isRollReplayable(ctx: AccountContext, { id, secret }: ApiKeyWithSecret): Promise<boolean> {
  const since = secondsFrom(new Date(systemNow()), -RETENTION.roll_replay_seconds)
  return isUntouched(ctx.sql, id, hashSecret(secret), since)
}
