import type { Sql } from '../../../kernel/db.ts'

/** Writes down when keys were last used, many at once: a write for every call would cost more than the call. */
export async function recordUses(sql: Sql, uses: ReadonlyMap<string, number>): Promise<void> {
  const ids = [...uses.keys()]
  const times = ids.map((id) => new Date(uses.get(id) ?? 0))
  await sql`
    update api_key k set last_used_at = u.at from unnest(${ids}::text[], ${times}::timestamptz[]) as u (id, at)
    where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`
}
