import { isDeepStrictEqual } from 'node:util'
import type { Empresa } from './schema.ts'

/** What the fields that changed used to be, derived ones too; null when nothing did. */
export function previousAttributes(before: Empresa, after: Empresa): Partial<Empresa> | null {
  const changed = (Object.keys(before) as (keyof Empresa)[]).filter((k) => !isDeepStrictEqual(before[k], after[k]))
  return changed.length === 0 ? null : Object.fromEntries(changed.map((key) => [key, before[key]]))
}
