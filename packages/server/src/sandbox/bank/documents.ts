import { addDays } from '@timbre/dte/values'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { dice, type SandboxMovement } from './stream.ts'

interface Owed {
  readonly id: string
  readonly issue_date: string
  readonly total: number
  readonly rut: string
  readonly name: string | null
}

/** Within a month of its date a document is paid, and one in ten is not. */
const LATEST_DAYS = 28

function paidOn({ id, issue_date }: Owed): string | null {
  return dice(10, id, 'unpaid') === 0 ? null : addDays(issue_date, 2 + dice(LATEST_DAYS - 2, id))
}

function asPayment(owed: Owed, sign: 1 | -1): SandboxMovement[] {
  const post_date = paidOn(owed)
  if (post_date === null) return []
  const who = (owed.name ?? owed.rut).toUpperCase()
  return [
    {
      id: `mov_${owed.id}`,
      account: 'corriente',
      post_date,
      amount: sign * owed.total,
      currency: 'CLP',
      description: `${sign === 1 ? 'TRANSFERENCIA DE' : 'TRANSFERENCIA A'} ${who}`,
      counterparty_rut: owed.rut,
      counterparty_name: owed.name,
    },
  ]
}

/** Customers of the sandbox pay the facturas they got, and the empresa pays those of its suppliers. */
export async function paymentsOf(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  days: { readonly since: string; readonly until: string },
): Promise<SandboxMovement[]> {
  const from = addDays(days.since, -LATEST_DAYS)
  const issued = await sql<Owed>`
    select id, issue_date, total, receptor_rut as rut, draft -> 'receptor' ->> 'legal_name' as name from document
    where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode} and tipo_dte in (33, 34)
      and status in ('accepted', 'reparo') and total > 0 and receptor_rut is not null
      and issue_date >= ${from} and issue_date < ${days.until}`
  const received = await sql<Owed>`
    select id, issue_date, total, emisor_rut as rut, emisor_name as name from received_document
    where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode} and tipo_dte in (33, 34)
      and status <> 'rejected' and total > 0 and issue_date >= ${from} and issue_date < ${days.until}`
  return [...issued.flatMap((owed) => asPayment(owed, 1)), ...received.flatMap((owed) => asPayment(owed, -1))]
}
