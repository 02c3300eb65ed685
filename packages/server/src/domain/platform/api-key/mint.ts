import { SECRET_PREFIXES } from '../../../catalog/ids.ts'
import type { Mode } from '../../../catalog/modes.ts'
import type { Scope } from '../../../catalog/scopes.ts'
import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId, randomSecret } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { AccountContext } from '../../context.ts'
import { requireRoom } from '../account/ceiling.ts'
import { areRoot, requireAuthority, requireVerifiedEmail } from './authority.ts'
import type { ApiKeyWithSecret, CreateApiKey } from './schema.ts'
import { type ApiKeyRow, showApiKey } from './show.ts'
import { countApiKeys, insertApiKey, insertSecret } from './store.ts'

export interface NewKey {
  readonly account_id: string
  readonly name: string
  readonly mode: Mode
  readonly scopes: readonly Scope[]
  readonly empresas: readonly string[]
  readonly now: Date
  /** The credential that mints it. */
  readonly made_by?: string
}

export function newSecret(mode: Mode, root: boolean): string {
  return SECRET_PREFIXES[mode][root ? 'root' : 'plain'] + randomSecret()
}

/** Inserts a key and its first secret. A key that may mint keys is a root key, and says so in its prefix. */
export async function makeApiKey(sql: Sql, key: NewKey): Promise<{ row: ApiKeyRow; secret: string }> {
  const root = areRoot(key.scopes)
  const secret = newSecret(key.mode, root)
  const row = await insertApiKey(sql, {
    id: newId('api_key'),
    account_id: key.account_id,
    name: key.name,
    mode: key.mode,
    root,
    last4: secret.slice(-4),
    scopes: [...key.scopes],
    empresas: [...key.empresas],
    created_at: key.now,
    made_by: key.made_by ?? null,
  })
  await insertSecret(sql, row.id, hashSecret(secret), { made_by: row.made_by, made_at: new Date(systemNow()) })
  return { row, secret }
}

export async function mintApiKey(ctx: AccountContext, input: CreateApiKey): Promise<ApiKeyWithSecret> {
  const { caller, account } = ctx
  if (input.mode !== undefined && input.mode !== account.mode) throw new Problem('mode_not_allowed', { param: 'mode' })
  requireVerifiedEmail(caller, account.mode)
  const empresas = input.empresas ?? (caller.kind === 'session' ? ['*'] : caller.empresas)
  requireAuthority(ctx, { mode: account.mode, scopes: input.scopes, empresas })
  await requireRoom(ctx.sql, account, 'api_keys', () => countApiKeys(ctx.sql, account))
  const { row, secret } = await makeApiKey(ctx.sql, {
    account_id: account.account_id,
    name: input.name,
    mode: account.mode,
    scopes: input.scopes,
    empresas: empresas.includes('*') ? ['*'] : empresas,
    now: ctx.now(),
    made_by: caller.credential_id,
  })
  ctx.emit({ type: 'api_key.created', object: showApiKey(row), empresa: null })
  return { ...showApiKey(row), secret }
}
