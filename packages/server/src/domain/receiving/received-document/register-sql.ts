import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

// Documents of suppliers for the mirror of the SII's register of purchases, which tells of the same ones.

const own = ({ account_id, empresa_id, mode }: EmpresaScope) =>
  part`account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}`

/** Every document by what the register knows it by: id, emisor_rut, tipo_dte, folio. */
export function receivedKeys(scope: EmpresaScope): Fragment {
  return part`select id, emisor_rut, tipo_dte, folio from received_document where ${own(scope)}`
}

/** Whether a document was accepted or acknowledged, or accepted tacitly when its days lapsed. */
export async function isAnswered(sql: Sql, scope: EmpresaScope, id: string): Promise<boolean> {
  const rows = await sql<object>`
    select 1 from received_document where ${own(scope)} and id = ${id}
      and (status in ('accepted', 'accepted_tacitly') or acknowledged_at is not null)`
  return rows.length > 0
}
