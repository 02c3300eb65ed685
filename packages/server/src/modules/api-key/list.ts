import type { AccountContext } from '../../kernel/context.ts'
import { type ListPage, type PageInput, pageById } from '../../kernel/cursor.ts'
import type { ApiKey } from './schema.ts'
import { showApiKey } from './show.ts'
import { listApiKeys } from './store.ts'

/** A root key sees every key of the account, an ordinary one only itself, a session those of its mode. */
export async function listKeys(ctx: AccountContext, input: PageInput): Promise<ListPage<ApiKey>> {
  const { caller, account } = ctx
  const filters = caller.kind === 'session' ? { mode: account.mode } : caller.root ? {} : { only: caller.credential_id }
  const fetch = (page: { before: string | null; take: number }) =>
    listApiKeys(ctx.sql, account.account_id, { ...filters, ...page })
  return pageById('api_keys', filters, input, fetch, showApiKey)
}
