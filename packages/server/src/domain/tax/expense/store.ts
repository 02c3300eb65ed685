import { isRut } from '@timbre/dte/values'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
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
  { account_id, empresa_id, mode }: EmpresaScope,
  filter: ExpenseFilter,
  page: { readonly place: Place | null; readonly take: number },
): Promise<ExpenseRow[]> {
  const { place, take } = page
  return sql<ExpenseRow>`
    select * from expense
    where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode} and removed_at is null
      ${matching(filter)} ${place === null ? nothing : part`and (date, id) < (${place[0]}::date, ${place[1]})`}
    order by date desc, id desc limit ${take}`
}
