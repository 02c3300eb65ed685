import { BUCKETS, CEILINGS } from '../../../catalog/limits.ts'
import type { AccountContext } from '../../context.ts'
import { showApiKeyJson } from '../api-key/lookup.ts'
import type { Account } from './schema.ts'
import { readAccountOverview } from './store.ts'

/** The account as its credential sees it: counts cover what the credential reaches, in its mode. */
export async function readAccount(ctx: AccountContext): Promise<Account> {
  const { account, caller } = ctx
  const name = `account ${caller.credential_id} ${account.mode}`
  const shown = await ctx.cache.get(
    name,
    () => loadAccount(ctx),
    () => [account.account_id, caller.credential_id],
  )
  return shown as Account
}

async function loadAccount(ctx: AccountContext): Promise<Account> {
  const { account, caller } = ctx
  const reach = caller.kind === 'session' ? ['*'] : caller.empresas
  const key_id = caller.kind === 'session' ? null : caller.credential_id
  const { key, ...row } = await readAccountOverview(ctx.sql, account, reach, key_id)
  return {
    object: 'account',
    id: row.id,
    name: row.name,
    email: row.email,
    plan: row.plan,
    key: key && showApiKeyJson(key),
    empresas_ready: row.empresas_ready,
    empresas_total: row.empresas_total,
    limits: {
      requests_per_minute: BUCKETS.general.max,
      emissions_per_second: BUCKETS['documents.create'].max,
      api_keys: CEILINGS.api_keys,
      empresas: CEILINGS.empresas,
      webhook_endpoints: CEILINGS.webhook_endpoints,
      public_links: CEILINGS.public_links,
    },
  }
}
