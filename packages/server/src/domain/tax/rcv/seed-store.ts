import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Side } from './row.ts'

export interface SeedKey {
  readonly side: Side
  readonly natural_key: string
}

export interface Seed extends SeedKey {
  readonly entry: object
}

/** What was decided about an entry before goes: the register now says what the test says. */
export async function writeSeeds(sql: Sql, scope: EmpresaScope, period: string, seeds: readonly Seed[]): Promise<void> {
  if (seeds.length === 0) return
  await sql`
    insert into sandbox_rcv (account_id, empresa_id, mode, period, side, natural_key, entry)
    select ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${period}, s.side, s.natural_key, s.entry
    from json_to_recordset(${JSON.stringify(seeds)}::json) as s (side text, natural_key text, entry json)
    on conflict (empresa_id, period, side, natural_key) do update set entry = excluded.entry, removed = false,
      tipo_compra = null, iva_not_recoverable_code = null, estado_contable = null`
}

export async function removeSeeds(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
  keys: readonly SeedKey[],
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    insert into sandbox_rcv (account_id, empresa_id, mode, period, side, natural_key, removed)
    select distinct ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${period}, s.side, s.natural_key, true
    from json_to_recordset(${JSON.stringify(keys)}::json) as s (side text, natural_key text)
    on conflict (empresa_id, period, side, natural_key) do update set removed = true`
}
