import { type Fragment, listed, oneOf, part, type Sql } from '../../../kernel/db.ts'
import type { RowWriter } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy, type Tenant, tenantsOf } from '../../../kernel/tenant.ts'

// No index of documents names their status, so that moving one touches none (decision 0042). Those that may still move stand in a
// table of their own from the statement that creates them to the one that settles them; what failed stays, for it may be tried again.

type Owned = Tenant & { readonly id: string }

/** `when` ends the select, as in `insertDocuments`. */
export function insertInFlight(rows: readonly Owned[], when: Fragment): Fragment {
  return part`
    insert into document_in_flight (account_id, empresa_id, mode, document_id)
    select f.account_id, f.empresa_id, f.mode, f.id
    from (select ${tenantsOf(rows)}, ${listed.text(rows.map(({ id }) => id))} as id) f ${when}`
}

/** The same in a statement that lands. */
export const newFlights: RowWriter<Owned> = (rows, when) => [part`taken_off as (${insertInFlight(rows, when)})`]

/** Documents that the SII decided about, in a statement that lands. */
export const settledFlights: RowWriter<Owned> = (documents, when) => {
  const each = (of: (document: Owned) => string) => oneOf([...new Set(documents.map(of))])
  return [
    part`landed as (
      delete from document_in_flight f using (select from (select) s ${when}) go
      where f.document_id ${each(({ id }) => id)} and f.account_id ${each(({ account_id }) => account_id)}
        and f.empresa_id ${each(({ empresa_id }) => empresa_id)})`,
  ]
}

/** The same in a transaction. */
export async function endFlights(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<void> {
  await sql`delete from document_in_flight where ${ownedBy(scope)} and document_id = any(${ids}::text[])`
}

/** Narrows documents to those that may still move. */
export function isInFlight(scope: EmpresaScope): Fragment {
  return part`and id in (select document_id from document_in_flight where ${ownedBy(scope)})`
}
