import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BrandingRow } from './show.ts'
import { findBranding } from './store.ts'

/** What every printed page of an empresa carries, where it set any. */
export async function letterheadOf(sql: Sql, scope: EmpresaScope): Promise<Pick<BrandingRow, 'logo' | 'footer_text'>> {
  const { logo = null, footer_text = null } = (await findBranding(sql, scope)) ?? {}
  return { logo, footer_text }
}
