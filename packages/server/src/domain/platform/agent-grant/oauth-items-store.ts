import { part, type Sql } from '../../../kernel/db.ts'
import { hashSecret } from '../../../kernel/secret.ts'

/** A code, token, session, client… that the authorization server stored. */
export interface Item {
  readonly payload: Record<string, unknown>
  readonly consumed_at: Date | null
}

export interface NewItem {
  readonly model: string
  readonly id: string
  readonly uid: string | null
  readonly grant_id: string | null
  readonly payload: object
  readonly expires_at: Date | null
}

export async function upsertItem(sql: Sql, { model, id, uid, grant_id, payload, expires_at }: NewItem): Promise<void> {
  const text = JSON.stringify(payload)
  await sql`
    insert into oauth_item (model, hash, uid_hash, grant_id, payload, expires_at)
    values (${model}, ${hashSecret(id)}, ${uid === null ? null : hashSecret(uid)}, ${grant_id}, ${text}::jsonb, ${expires_at})
    on conflict (model, hash) do update
      set uid_hash = excluded.uid_hash, grant_id = excluded.grant_id, payload = excluded.payload,
        expires_at = excluded.expires_at`
}

export async function findItem(
  sql: Sql,
  model: string,
  by: { readonly id: string } | { readonly uid: string },
): Promise<Item | null> {
  const which = 'id' in by ? part`hash = ${hashSecret(by.id)}` : part`uid_hash = ${hashSecret(by.uid)}`
  const [row] = await sql<Item>`select payload, consumed_at from oauth_item where model = ${model} and ${which}`
  return row ?? null
}

/** Marks a code or a token as used; false when somebody else did so first. */
export async function consumeItem(sql: Sql, model: string, id: string, at: Date): Promise<boolean> {
  const rows = await sql`
    update oauth_item set consumed_at = ${at}
    where model = ${model} and hash = ${hashSecret(id)} and consumed_at is null returning 1`
  return rows.length > 0
}

/** The grant that a code or a token belongs to, if any. */
export async function findGrantOf(sql: Sql, model: string, id: string): Promise<string | null> {
  const [row] = await sql<{ grant_id: string | null }>`
    select grant_id from oauth_item where model = ${model} and hash = ${hashSecret(id)}`
  return row?.grant_id ?? null
}

/** Returns the grant it belonged to, if any. */
export async function deleteItem(sql: Sql, model: string, id: string): Promise<string | null> {
  const [row] = await sql<{ grant_id: string | null }>`
    delete from oauth_item where model = ${model} and hash = ${hashSecret(id)} returning grant_id`
  return row?.grant_id ?? null
}

export async function deleteItemsOf(sql: Sql, grant_id: string): Promise<void> {
  await sql`delete from oauth_item where grant_id = ${grant_id}`
}

/** A client that was granted something is kept as long as it may come back. */
export async function extendClient(sql: Sql, client_id: string, until: Date): Promise<void> {
  await sql`
    update oauth_item set expires_at = greatest(expires_at, ${until})
    where model = 'Client' and hash = ${hashSecret(client_id)}`
}

/** Deletes the logins and the questions under way of an account. */
export async function deleteLogins(sql: Sql, account_id: string): Promise<void> {
  await sql`
    delete from oauth_item
    where model in ('Session', 'Interaction')
      and coalesce(payload->>'accountId', payload#>>'{session,accountId}') = ${account_id}`
}
