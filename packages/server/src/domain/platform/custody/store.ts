import { systemNow } from '../../../kernel/clock.ts'
import { listed, type Sql } from '../../../kernel/db.ts'

export interface MasterKeyRow {
  readonly version: number
  readonly fingerprint: string | null
}

export async function readMasterKeys(sql: Sql): Promise<MasterKeyRow[]> {
  return sql<MasterKeyRow>`select version, fingerprint from master_key order by version`
}

export async function recordMasterKey(sql: Sql, version: number, fingerprint: string): Promise<void> {
  await sql`
    insert into master_key (version, fingerprint) values (${version}, ${fingerprint})
    on conflict (version) do update set fingerprint = excluded.fingerprint`
}

export async function forgetMasterKey(sql: Sql, version: number): Promise<void> {
  await sql`delete from master_key where version = ${version}`
}

/** How much still needs each key that no longer seals. */
export async function recordRemaining(sql: Sql, remaining: ReadonlyMap<number, number>, below: number): Promise<void> {
  await sql`
    update master_key m set remaining = coalesce(r.count, 0), counted_at = ${new Date(systemNow())}
    from master_key k left join (select ${listed.integer([...remaining.keys()])} as version,
      ${listed.bigint([...remaining.values()])} as count) r on r.version = k.version
    where m.version = k.version and k.version < ${below}::integer`
}
