import { canonicalRut, longDate, pesos, printedRut } from '@timbre/dte/values'
import { Type } from 'typebox'
import { quoted } from '../../domain/agent-tool.ts'
import type { Payment } from '../../domain/banking/payment/schema.ts'
import type { Payable, Receivable } from '../../domain/banking/receivable/schema.ts'
import type { Document } from '../../domain/issuing/document/schema.ts'
import { LatinLine } from '../../domain/latin-text.ts'
import type { ReceivedDocument } from '../../domain/receiving/received-document/schema.ts'
import { CivilDate, OneLine, OneOf } from '../../kernel/schema.ts'
import { defineTool, type OwnToolContext } from '../own-tool.ts'
import { findIssued, findReceived, fits } from './find.ts'
import { acted, Empresa, SHOWN, Show, tell, Who } from './kit.ts'
import { briefDocument, briefReceived } from './said.ts'

const optional = Type.Optional

type Open = Receivable | Payable
const overdueOf = ({ pending_amount, not_due }: Open) => pending_amount - not_due

/** One who owes, or is owed, with the part that is late. */
function briefOpen(open: Open) {
  const { counterparty, documents, pending_amount, first_due_date } = open
  const overdue = overdueOf(open)
  const late = overdue > 0 ? `, vencidos ${pesos(overdue)} desde el ${longDate(first_due_date)}` : ''
  return {
    rut: counterparty.rut,
    said: `${quoted(counterparty.legal_name ?? 'Sin nombre')} (${printedRut(counterparty.rut)}): ${pesos(pending_amount)} en ${documents === 1 ? 'un documento' : `${documents} documentos`}${late}`,
    pending_amount,
    overdue,
    over_90_days: open.overdue_over_90,
    documents,
  }
}

interface Asked {
  readonly empresa?: string
  readonly who?: string
  readonly overdue_only?: boolean
  readonly show?: number
}

/** The open accounts of one side, the largest first, with what they add up to. */
async function openAccounts(ctx: OwnToolContext, list: string, { empresa, who, overdue_only }: Asked) {
  const rut = who === undefined ? null : canonicalRut(who)
  const { rows } = await ctx.rows<Open>(list, { empresa, ...(rut && { counterparty_rut: rut }) })
  const named = who === undefined || rut ? rows : rows.filter(({ counterparty }) => fits(who, counterparty.legal_name))
  const kept = overdue_only ? named.filter((one) => overdueOf(one) > 0) : named
  const sorted = kept.toSorted((one, other) => other.pending_amount - one.pending_amount)
  const pending_amount = sorted.reduce((sum, one) => sum + one.pending_amount, 0)
  const overdue = sorted.reduce((sum, one) => sum + overdueOf(one), 0)
  return { sorted, pending_amount, overdue }
}

const WHO = {
  empresa: Empresa,
  overdue_only: optional(Type.Boolean({ description: 'Only those who are late (vencido).' })),
  show: Show,
}

export const whoOwesMe = defineTool({
  name: 'who_owes_me',
  title: 'Who owes me',
  description:
    'Clients who have not paid, with totals and how late (quién me debe, cuánto me debe un cliente, por cobrar, morosos, deudores). Of one client it lists the documents too.',
  reads: ['receivables.list'],
  may_read: ['documents.list'],
  input: { ...WHO, client: Who('One client') },
  run: async (ctx, { empresa, client, overdue_only, show = SHOWN }) => {
    const asked = { ...(empresa !== undefined && { empresa }), ...(client !== undefined && { who: client }) }
    const open = await openAccounts(ctx, 'receivables.list', { ...asked, ...(overdue_only && { overdue_only }) })
    const [one, other] = open.sorted
    const alone = client !== undefined && one && !other && ctx.reaches('documents.list') ? one : null
    const theirs = alone
      ? (await ctx.rows<Document>('documents.list', { empresa, receptor_rut: alone.counterparty.rut }, 200)).rows
      : []
    return tell({
      said: `Te deben ${pesos(open.pending_amount)}, de ellos vencidos ${pesos(open.overdue)}`,
      count: open.sorted.length,
      pending_amount: open.pending_amount,
      overdue: open.overdue,
      clients: open.sorted.slice(0, show).map(briefOpen),
      documents: theirs
        .filter(({ pending_amount }) => (pending_amount ?? 0) > 0)
        .slice(0, show)
        .map(briefDocument),
    })
  },
})

export const whomIOwe = defineTool({
  name: 'whom_i_owe',
  title: 'Whom I owe',
  description:
    'Suppliers we have not paid, with totals and how late (a quién le debo, por pagar, cuentas de proveedores).',
  reads: ['payables.list'],
  may_read: ['received_documents.list'],
  input: { ...WHO, supplier: Who('One supplier') },
  run: async (ctx, { empresa, supplier, overdue_only, show = SHOWN }) => {
    const asked = { ...(empresa !== undefined && { empresa }), ...(supplier !== undefined && { who: supplier }) }
    const open = await openAccounts(ctx, 'payables.list', { ...asked, ...(overdue_only && { overdue_only }) })
    const [one, other] = open.sorted
    const alone = supplier !== undefined && one && !other && ctx.reaches('received_documents.list') ? one : null
    const filter = { empresa, emisor_rut: alone?.counterparty.rut }
    const theirs = alone ? (await ctx.rows<ReceivedDocument>('received_documents.list', filter, 200)).rows : []
    return tell({
      said: `Debes ${pesos(open.pending_amount)}, de ellos vencidos ${pesos(open.overdue)}`,
      count: open.sorted.length,
      pending_amount: open.pending_amount,
      overdue: open.overdue,
      suppliers: open.sorted.slice(0, show).map(briefOpen),
      documents: theirs
        .filter(({ pending_amount }) => (pending_amount ?? 0) > 0)
        .slice(0, show)
        .map((received) => briefReceived(received, ctx.today)),
    })
  },
})

export const recordPayment = defineTool({
  name: 'record_payment',
  title: 'Record a payment',
  description:
    'Records that a document was paid, in all or in part (registrar pago, abono, me pagaron la factura): one of ours, or with `supplier` one of a supplier that we paid.',
  reads: ['documents.list', 'documents.get', 'received_documents.list', 'received_documents.get'],
  acts: ['documents.payments.create', 'received_documents.payments.create'],
  one_step: true,
  input: {
    empresa: Empresa,
    document: OneLine(80, { description: 'Document, as "factura 1234" or by id (doc_… or rcd_…).' }),
    supplier: Who('If the document is of a supplier'),
    amount: optional(Type.Integer({ minimum: 1, description: 'Pesos; all that is owed if left out.' })),
    paid_on: optional({ ...CivilDate, description: 'Day of the payment; today if left out.' }),
    method: optional(
      OneOf(['cash', 'cheque', 'card', 'transfer', 'offset', 'other'], {
        description: 'cash (efectivo), cheque, card (tarjeta), transfer (transferencia), offset against a debt, other.',
      }),
    ),
    note: optional(LatinLine(200, { description: 'A note.' })),
  },
  run: async (ctx, input, acting) => {
    const { empresa, document, supplier, amount, paid_on, method, note } = input
    const received = supplier !== undefined || document.startsWith('rcd_')
    const found = received
      ? await findReceived(ctx, { ...(empresa && { empresa }), document, ...(supplier && { supplier }) })
      : await findIssued(ctx, empresa, document)
    const about = {
      empresa,
      [received ? 'received_document_id' : 'document_id']: found.id,
      amount: amount ?? found.pending_amount,
      ...(paid_on !== undefined && { paid_on }),
      ...(method !== undefined && { method }),
      ...(note !== undefined && { note }),
      ...acting,
    }
    const result = await ctx.act(received ? 'received_documents.payments.create' : 'documents.payments.create', about)
    const left = (paid: number) => Math.max(0, (found.pending_amount ?? 0) - paid)
    return acted<Payment>(result, ({ id, amount: paid, paid_on: day }) => ({
      said: `Pago de ${pesos(paid)} del ${longDate(day)} registrado; quedan ${pesos(left(paid))}`,
      payment_id: id,
      document_id: found.id,
      amount: paid,
      left: left(paid),
    }))
  },
})
