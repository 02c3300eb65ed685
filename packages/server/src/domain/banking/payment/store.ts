import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { PaymentRow } from './show.ts'

export type NewPayment = Omit<PaymentRow, 'account_id' | 'empresa_id' | 'mode'>

/** The sum on the document follows by itself (`payment_counts`). */
export async function insertPayment(sql: Sql, scope: EmpresaScope, payment: NewPayment): Promise<PaymentRow> {
  const { id, target_id, amount, paid_on, method, note, created_at } = payment
  const [row] = await sql<PaymentRow>`
    insert into payment (account_id, empresa_id, mode, id, target_id, amount, paid_on, method, note, created_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${id}, ${target_id}, ${amount}, ${paid_on}, ${method},
      ${note}, ${created_at})
    returning *`
  return row as PaymentRow
}

/** Gives whether there was one. */
export async function deletePayment(sql: Sql, scope: EmpresaScope, target_id: string, id: string): Promise<boolean> {
  const rows = await sql`
    delete from payment where ${ownedBy(scope)} and target_id = ${target_id} and id = ${id} returning id`
  return rows.length > 0
}

/** Newest first, strictly older than a place. */
export function listPaymentRows(
  sql: Sql,
  scope: EmpresaScope,
  target_id: string,
  page: { readonly before: string | null; readonly take: number },
): Promise<PaymentRow[]> {
  return sql<PaymentRow>`
    select * from payment where ${ownedBy(scope)} and target_id = ${target_id}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}
