import type { Mode } from '../../../catalog/modes.ts'
import type { Scope } from '../../../catalog/scopes.ts'
import type { ApiKey } from './schema.ts'

export interface ApiKeyRow {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly mode: Mode
  readonly root: boolean
  readonly last4: string
  readonly scopes: Scope[]
  readonly empresas: string[]
  readonly version: number
  /** The credential that minted it; null for the one that signing up gives. */
  readonly made_by: string | null
  readonly created_at: Date
  readonly last_used_at: Date | null
}

export function showApiKey(row: ApiKeyRow): ApiKey {
  return {
    object: 'api_key',
    id: row.id,
    name: row.name,
    mode: row.mode,
    root: row.root,
    last4: row.last4,
    scopes: row.scopes,
    empresas: row.empresas,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}
