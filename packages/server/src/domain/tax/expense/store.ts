import { isRut } from '@timbre/dte/values'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { ofStandingMovement } from './of-movement.ts'
import type { ExpenseRow } from './show.ts'

export type NewExpense = Omit<
  ExpenseRow,
  'account_id' | 'empresa_id' | 'mode' | 'source' | 'movement_id' | 'changed_at'
>

export async function insertManual(sql: Sql, scope: EmpresaScope, expense: NewExpense): Promise<ExpenseRow> {
  const [row] = await sql<ExpenseRow>`
    insert into expense (account_id, empresa_id, mode, id, source, date, description, provider_name, provider_rut,
      provider_country, amount, currency, category, created_at, changed_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${expense.id}, 'manual', ${expense.date},
      ${expense.description}, ${expense.provider_name}, ${expense.provider_rut}, ${expense.provider_country},
      ${expense.amount}, ${expense.currency}, ${expense.category}, ${expense.created_at}, ${expense.created_at})
    returning *`
  return row as ExpenseRow
}

export async function findExpense(sql: Sql, scope: EmpresaScope, id: string): Promise<ExpenseRow | null> {
  const [row] = await sql<ExpenseRow>`
    select * from expense where ${ownedBy(scope)} and id = ${id} and removed_at is null and ${ofStandingMovement(scope)}`
  return row ?? null
}

/** Locks an expense until the transaction ends. */
export async function lockExpense(sql: Sql, scope: EmpresaScope, id: string): Promise<ExpenseRow | null> {
  const [row] = await sql<ExpenseRow>`
    select * from expense where ${ownedBy(scope)} and id = ${id} and removed_at is null and ${ofStandingMovement(scope)}
    for update`
  return row ?? null
}

export async function updateManual(sql: Sql, scope: EmpresaScope, expense: ExpenseRow): Promise<ExpenseRow> {
  const [row] = await sql<ExpenseRow>`
    update expense set date = ${expense.date}, description = ${expense.description},
      provider_name = ${expense.provider_name}, provider_rut = ${expense.provider_rut},
      provider_country = ${expense.provider_country}, amount = ${expense.amount}, currency = ${expense.currency},
      category = ${expense.category}, changed_at = ${expense.changed_at}
    where ${ownedBy(scope)} and id = ${expense.id} returning *`
  return row as ExpenseRow
}

export async function deleteManual(sql: Sql, scope: EmpresaScope, id: string): Promise<void> {
  await sql`delete from expense where ${ownedBy(scope)} and id = ${id} and source = 'manual'`
}

export interface ExpenseFilter {
  readonly from?: string
  readonly to?: string
  readonly provider?: string
  readonly source?: string
  readonly currency?: string
}

/** The date and the id of the last expense of a page. */
export type Place = readonly [date: string, id: string]

function matching({ from, to, provider, source, currency }: ExpenseFilter): Fragment {
  const rut = provider !== undefined && isRut(provider)
  return part`
    ${from === undefined ? nothing : part`and date >= ${from}`}
    ${to === undefined ? nothing : part`and date <= ${to}`}
    ${source === undefined ? nothing : part`and source = ${source}`}
    ${currency === undefined ? nothing : part`and currency = ${currency}`}
    ${provider === undefined ? nothing : rut ? part`and provider_rut = ${provider}` : part`and lower(provider_name) = lower(${provider})`}`
}

/** Newest day first, strictly before a place. */
export function listRows(
  sql: Sql,
  scope: EmpresaScope,
  filter: ExpenseFilter,
  page: { readonly place: Place | null; readonly take: number },
): Promise<ExpenseRow[]> {
  const { place, take } = page
  return sql<ExpenseRow>`
    select * from expense
    where ${ownedBy(scope)} and removed_at is null and ${ofStandingMovement(scope)}
      ${matching(filter)} ${place === null ? nothing : part`and (date, id) < (${place[0]}::date, ${place[1]})`}
    order by date desc, id desc limit ${take}`
}
