import type { Sql } from '../../../kernel/db.ts'
import type { SealedStore } from '../../../kernel/sealed.ts'

export interface Remaining {
  readonly what: string
  readonly version: number
  readonly count: number
}

/** Everything that a key is needed for, by kind and version. */
export async function countSealed(sql: Sql, stores: readonly SealedStore[]): Promise<Remaining[]> {
  const found: Remaining[] = []
  for (const { what, count } of stores) for (const counted of await count(sql)) found.push({ what, ...counted })
  return found
}

export interface KeyProgress {
  readonly version: number
  readonly remaining: number
}

/** How much the last count found under keys that no longer seal: for whoever runs the service. */
export async function readKeyProgress(sql: Sql): Promise<KeyProgress[]> {
  return sql<KeyProgress>`select version, remaining from master_key where remaining is not null order by version`
}
