import type { Mode } from '../../../catalog/modes.ts'
import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { type Distrust, isChangedInDistrust, isMadeAt, type Untrusted } from '../../distrust.ts'
import type { ApiKeyRow } from './show.ts'

export async function insertApiKey(sql: Sql, row: Omit<ApiKeyRow, 'version' | 'last_used_at'>): Promise<ApiKeyRow> {
  const [made] = await sql<ApiKeyRow>`
    insert into api_key (id, account_id, name, mode, root, last4, scopes, empresas, created_at, made_by)
    values (${row.id}, ${row.account_id}, ${row.name}, ${row.mode}, ${row.root}, ${row.last4}, ${row.scopes},
      ${row.empresas}, ${row.created_at}, ${row.made_by})
    returning *`
  return made as ApiKeyRow
}

export async function insertSecret(
  sql: Sql,
  key_id: string,
  hash: Buffer,
  { made_by, made_at }: { readonly made_by: string | null; readonly made_at: Date },
): Promise<void> {
  await sql`
    insert into api_key_secret (hash, key_id, made_by, made_at) values (${hash}, ${key_id}, ${made_by}, ${made_at})`
}

/** The secret in use gets an end; one that was rolled out before ends now: a key has two at most. */
export async function expireSecrets(sql: Sql, key_id: string, at: Date): Promise<void> {
  await sql`delete from api_key_secret where key_id = ${key_id} and expires_at is not null`
  await sql`update api_key_secret set expires_at = ${at} where key_id = ${key_id}`
}

/** Whether a secret is the newest of its key, was made since an instant, and nobody ever used it. */
export async function isUntouched(sql: Sql, key_id: string, hash: Buffer, since: Date): Promise<boolean> {
  const rows = await sql`
    select 1 from api_key_secret
    where hash = ${hash} and key_id = ${key_id} and expires_at is null and first_used_at is null and made_at > ${since}`
  return rows.length > 0
}

export async function findApiKey(sql: Sql, account_id: string, id: string): Promise<ApiKeyRow | null> {
  const [row] = await sql<ApiKeyRow>`
    select * from api_key where account_id = ${account_id} and id = ${id} and revoked_at is null`
  return row ?? null
}

export async function listApiKeys(
  sql: Sql,
  account_id: string,
  filter: { only?: string; mode?: Mode; before: string | null; take: number },
): Promise<ApiKeyRow[]> {
  return sql<ApiKeyRow>`
    select * from api_key where account_id = ${account_id} and revoked_at is null
      ${filter.only === undefined ? nothing : part`and id = ${filter.only}`}
      ${filter.mode === undefined ? nothing : part`and mode = ${filter.mode}`}
      ${filter.before === null ? nothing : part`and id < ${filter.before}`}
    order by id desc limit ${filter.take}`
}

/** Keys that work. */
export async function countApiKeys(sql: Sql, { account_id, mode }: AccountScope): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*) as count from api_key where account_id = ${account_id} and mode = ${mode} and revoked_at is null`
  return row?.count ?? 0
}

/** Optimistic lock: of two concurrent rolls that read the same version, one gets a row. */
export async function bumpVersion(
  sql: Sql,
  key: Pick<ApiKeyRow, 'account_id' | 'id' | 'version'>,
  last4: string,
): Promise<ApiKeyRow | null> {
  const [row] = await sql<ApiKeyRow>`
    update api_key set version = version + 1, last4 = ${last4}
    where account_id = ${key.account_id} and id = ${key.id} and version = ${key.version} and revoked_at is null
    returning *`
  return row ?? null
}

/** The row stays for the record, its secrets do not. */
export async function markRevoked(sql: Sql, account_id: string, id: string, at: Date): Promise<void> {
  await sql`update api_key set revoked_at = ${at} where account_id = ${account_id} and id = ${id}`
  await sql`delete from api_key_secret where key_id = ${id}`
}

export interface ApiKeyLineage extends ApiKeyRow {
  readonly revoked_at: Date | null
}

/** The keys of an account made at a time, with every key that one of them minted, at any remove; ended ones too. */
export async function findLineage(sql: Sql, account_id: string, time: Untrusted): Promise<ApiKeyLineage[]> {
  return sql<ApiKeyLineage>`
    with recursive lineage as (
      select * from api_key where account_id = ${account_id} and ${isMadeAt('api_key', time)}
      union
      select k.* from api_key k join lineage l on k.made_by = l.id where k.account_id = ${account_id}
    )
    select * from lineage order by id`
}

/** Keys of which a secret was made, by rolling, at a time or by one of some credentials; and when the first of these was. */
export async function findRolled(
  sql: Sql,
  account_id: string,
  distrust: Distrust,
): Promise<(ApiKeyRow & { readonly rolled_at: Date })[]> {
  return sql<ApiKeyRow & { readonly rolled_at: Date }>`
    select k.*, r.rolled_at from api_key k
    join (select s.key_id, min(s.made_at) as rolled_at from api_key_secret s
      where ${isChangedInDistrust(part`s.made_at`, part`s.made_by`, distrust)} group by s.key_id) r on r.key_id = k.id
    where k.account_id = ${account_id} and k.revoked_at is null order by k.id`
}

export async function countLiving(sql: Sql, account_id: string): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*) as count from api_key where account_id = ${account_id} and revoked_at is null`
  return row?.count ?? 0
}
