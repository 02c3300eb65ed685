import { addDays } from '@timbre/dte/values'
import { listReceivableIn } from '../../domain/issuing/document/in-period.ts'
import { listPayableIn } from '../../domain/receiving/received-document/lookup.ts'
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
  empresa: EmpresaScope,
  { since, until }: { readonly since: string; readonly until: string },
): Promise<SandboxMovement[]> {
  const days = { from: addDays(since, -LATEST_DAYS), before: until }
  const issued = await listReceivableIn(sql, empresa, days)
  const received = await listPayableIn(sql, empresa, days)
  return [
    ...issued.flatMap((one) => asPayment({ ...one, rut: one.receptor_rut, name: one.receptor_name }, 1)),
    ...received.flatMap((one) => asPayment({ ...one, rut: one.emisor_rut, name: one.emisor_name }, -1)),
  ]
}
