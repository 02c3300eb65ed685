import { type Fragment, name, part, type Sql } from '../../../kernel/db.ts'
import { type ApiKeyRow, showApiKey } from './show.ts'

// The table of keys belongs to this folder: the overview of an account joins its key with these.

/** Joins the key of an id, under the alias `k`, to a row of `account`, with nulls where there is none. */
export function joinApiKey(account: string, key_id: string | null): Fragment {
  return part`left join api_key k on k.account_id = ${name(account)}.id and k.id = ${key_id}`
}
export const KEY_AS_JSON = part`to_json(k)`

/** A key that came as JSON inside another row: its instants are text. */
export type ApiKeyJson = Omit<ApiKeyRow, 'created_at' | 'last_used_at'> & {
  readonly created_at: string
  readonly last_used_at: string | null
}

export function showApiKeyJson(key: ApiKeyJson): ReturnType<typeof showApiKey> {
  const { created_at, last_used_at } = key
  return showApiKey({
    ...key,
    created_at: new Date(created_at),
    last_used_at: last_used_at === null ? null : new Date(last_used_at),
  })
}

export async function isKeyLive(sql: Sql, key_id: string): Promise<boolean> {
  const rows = await sql`select 1 from api_key where id = ${key_id} and revoked_at is null`
  return rows.length > 0
}
