import { type Fragment, name, part } from '../../../kernel/db.ts'

/** Joins the branding `b` of the rows of an alias, where their empresa set one. */
export function joinBranding(alias: string): Fragment {
  const row = name(alias)
  return part`left join branding b on b.account_id = ${row}.account_id and b.empresa_id = ${row}.empresa_id`
}
