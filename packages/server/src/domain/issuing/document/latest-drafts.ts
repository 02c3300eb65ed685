import type { DteDraft } from '@timbre/dte/draft'
import type { TipoDte } from '@timbre/dte/values'
import { part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

const IS_TAKEN = part`d.status in ('accepted', 'reparo')`

// Of a year with one tipo alone PostgreSQL expects any tipo in every row, and walks that year by time for one that it lacks. Ordered by the
// tipo too, and with no equality that would make that idle, it is led by the index that starts with it.

/** The newest documents that the SII took, up to `each` of every tipo, as they were written. Newest first. */
export async function latestDrafts(
  sql: Sql,
  scope: EmpresaScope,
  tipos: readonly TipoDte[],
  each: number,
): Promise<DteDraft[]> {
  const rows = await sql<{ draft: DteDraft }>`
    select newest.draft from unnest(${tipos}::smallint[]) as wanted (tipo_dte)
    cross join lateral (
      select d.draft, d.created_at, d.id from document d
      where ${ownedBy(scope, 'd')} and d.tipo_dte between wanted.tipo_dte and wanted.tipo_dte and ${IS_TAKEN}
      order by d.tipo_dte desc, d.created_at desc, d.id desc limit ${each}
    ) newest
    order by newest.created_at desc, newest.id desc`
  return rows.map(({ draft }) => draft)
}
