import type { Sql } from '../../../kernel/db.ts'

/** Writes down when grants were last used, many at once, as it is done for keys. */
export async function recordGrantUses(sql: Sql, uses: ReadonlyMap<string, number>): Promise<void> {
  const ids = [...uses.keys()]
  const times = ids.map((id) => new Date(uses.get(id) ?? 0))
  await sql`
    update agent_grant g set last_used_at = u.at from unnest(${ids}::text[], ${times}::timestamptz[]) as u (id, at)
    where g.id = u.id and (g.last_used_at is null or g.last_used_at < u.at)`
}
