import type { Mode } from '../../../catalog/modes.ts'
import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import type { Caller } from '../../../kernel/scope.ts'
import type { AccountContext } from '../../context.ts'
import type { ApiKey } from './schema.ts'
import { showApiKey } from './show.ts'
import { listApiKeys } from './store.ts'

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
  return pageById('api_keys', { ...filters, of: account.account_id }, input, fetch, showApiKey)
}
