import { santiagoDate } from '@timbre/dte/values'
import { type ListPage, paginate } from '../../../kernel/cursor.ts'
import { newId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { balanceOf as balanceOfDocument } from '../../issuing/document/balance.ts'
import { lockDocument, requireDocument } from '../../issuing/document/read.ts'
import { chargeAgent } from '../../platform/agent-grant/charge.ts'
import { balanceOf as balanceOfReceived } from '../../receiving/received-document/balance.ts'
import { lockReceivedDocument, requireReceived } from '../../receiving/received-document/read.ts'
import { refuseFuture } from '../../tax/expense/date.ts'
import type { Payment, PaymentQuery, RecordPayment } from './schema.ts'
import { type PaymentRow, showPayment } from './show.ts'
import { deletePayment, insertPayment, listPaymentRows } from './store.ts'
import { requestWatch, tellPaid } from './tell.ts'

/** What is paid: a document of ours or of a supplier. */
export interface Paid {
  readonly document_id?: string
  readonly received_document_id?: string
}

/** Locks a document until the transaction ends: of two payments at once the second sees what the first left. */
async function lockTarget(ctx: EmpresaContext, { document_id, received_document_id }: Paid) {
  if (document_id !== undefined) {
    const row = await lockDocument(ctx, { document_id })
    return { id: row.id, rut: row.receptor_rut, status: row.status, ...balanceOfDocument(row) }
  }
  const row = await lockReceivedDocument(ctx, { received_document_id: received_document_id ?? '' })
  return { id: row.id, rut: row.emisor_rut, status: row.status, ...balanceOfReceived(row) }
}

/** Records a payment that no bank tells of. */
export async function recordPayment(ctx: EmpresaContext, input: Paid & RecordPayment): Promise<Payment> {
  const { amount, paid_on = santiagoDate(ctx.now()), method = null, note = null } = input
  refuseFuture(paid_on, ctx.now(), 'paid_on')
  const { id: target_id, rut, paid, status, pending_amount } = await lockTarget(ctx, input)
  if (pending_amount === 0) {
    throw new Problem('nothing_pending', { details: { reason: paid ? 'paid' : 'not_owed', status } })
  }
  if (amount !== undefined && amount > pending_amount) {
    throw new Problem('payment_exceeds_pending', { param: 'amount', details: { pending_amount } })
  }
  const created_at = ctx.now()
  const payment = {
    id: newId('payment'),
    target_id,
    amount: amount ?? pending_amount,
    paid_on,
    method,
    note,
    created_at,
  }
  await chargeAgent(ctx, { rut, amount: payment.amount })
  const row = await insertPayment(ctx.sql, ctx.empresa, payment)
  await tellPaid(ctx, ctx.empresa, [target_id])
  return showPayment(row)
}

/** Takes a recorded payment back: what it paid is pending again. */
export async function takeBackPayment(
  ctx: EmpresaContext,
  input: Paid & { readonly payment_id: string },
): Promise<null> {
  const { id } = await lockTarget(ctx, input)
  if (!(await deletePayment(ctx.sql, ctx.empresa, id, input.payment_id))) throw new Problem('payment_not_found')
  await requestWatch(ctx, ctx.empresa)
  return null
}

/** Payments that were recorded, newest first. Those of a bank are movements. */
export async function listPayments(ctx: EmpresaContext, input: Paid & PaymentQuery): Promise<ListPage<Payment>> {
  const { limit, cursor, document_id, received_document_id = '' } = input
  const { id } =
    document_id === undefined
      ? await requireReceived(ctx, { received_document_id })
      : await requireDocument(ctx, { document_id })
  return paginate<PaymentRow, Payment, readonly [string]>(
    ctx,
    { limit, cursor },
    {
      list: 'payments',
      filters: { target_id: id },
      fetch: ({ place, take }) => listPaymentRows(ctx.sql, ctx.empresa, id, { before: place?.[0] ?? null, take }),
      placeOf: (row) => [row.id],
      show: (rows) => rows.map(showPayment),
    },
  )
}
