import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import { type FoundClaim, findClaim } from './store.ts'

export interface RutClaim extends FoundClaim {
  /** Identifies it in rate limits without revealing it. */
  readonly hash: string
}

/** Null for an address that never was or has ended, or whose account closed: a stranger cannot tell which. */
export async function openClaim(sql: Sql, slug: string): Promise<RutClaim | null> {
  const slug_hash = hashSecret(slug)
  const found = await findClaim(sql, slug_hash, new Date(systemNow()))
  return found && { ...found, hash: slug_hash.toString('hex') }
}
