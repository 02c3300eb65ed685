import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BrandingRow } from './show.ts'

export async function findBranding(sql: Sql, scope: EmpresaScope): Promise<BrandingRow | null> {
  const [row] = await sql<BrandingRow>`
    select * from branding where account_id = ${scope.account_id} and empresa_id = ${scope.empresa_id}`
  return row ?? null
}

/** Locks the row, inserted if need be: a new logo and a new footer sent at once must both stay. */
export async function lockBranding(sql: Sql, scope: EmpresaScope): Promise<BrandingRow> {
  const { account_id, empresa_id, mode } = scope
  await sql`
    insert into branding (account_id, empresa_id, mode) values (${account_id}, ${empresa_id}, ${mode})
    on conflict (empresa_id) do nothing`
  const [locked] = await sql<BrandingRow>`
    select * from branding where account_id = ${account_id} and empresa_id = ${empresa_id} for update`
  return locked as BrandingRow
}

export async function saveBranding(sql: Sql, scope: EmpresaScope, row: BrandingRow): Promise<void> {
  await sql`
    update branding set logo = ${row.logo}, logo_media_type = ${row.logo_media_type},
      logo_width = ${row.logo_width}, logo_height = ${row.logo_height}, print_format = ${row.print_format}, footer_text = ${row.footer_text}, updated_at = ${row.updated_at}
    where account_id = ${scope.account_id} and empresa_id = ${scope.empresa_id}`
}
