import type { TurnStore } from '@timbre/sii'
import type { Sql } from '../../kernel/db.ts'

/** Turns at the SII's portal, shared by every process over one database. */
export function sharedTurns({ sql }: { readonly sql: Sql }): TurnStore {
  return {
    async take(service, interval_ms) {
      const [row] = await sql<{ wait_ms: number }>`
        insert into sii_turn as t (service, free_at)
        values (${service}, clock_timestamp() + make_interval(secs => ${interval_ms / 1_000}::float8))
        on conflict (service) do update
          set free_at = greatest(t.free_at, clock_timestamp()) + make_interval(secs => ${interval_ms / 1_000}::float8)
        returning (extract(epoch from t.free_at - clock_timestamp()) * 1000 - ${interval_ms}::float8)::float8 as wait_ms`
      return Math.max(0, Math.ceil(row?.wait_ms ?? 0))
    },
  }
}
