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

/** True unless this is the id of a key that was revoked. It follows from the key, so that nothing has to be cleaned up. */
export function keyStands(id: Fragment): Fragment {
  return part`not exists (select 1 from api_key maker where maker.id = ${id} and maker.revoked_at is not null)`
}

/** What became of the secret that a caller came with; null once it ended. */
export async function findSecret(sql: Sql, hash: Buffer): Promise<{ readonly outgoing: boolean } | null> {
  const [row] = await sql<{ outgoing: boolean }>`
    select s.expires_at is not null as outgoing from api_key_secret s join api_key k on k.id = s.key_id
    where s.hash = ${hash} and k.revoked_at is null`
  return row ?? null
}
