import { longDate, pesos } from '@timbre/dte/values'
import { Type } from 'typebox'
import { quoted } from '../../domain/agent-tool.ts'
import type { Movement, MovementWithCandidates } from '../../domain/banking/movement/schema.ts'
import { Id, OneLine, OneOf } from '../../kernel/schema.ts'
import { defineTool } from '../own-tool.ts'
import { findIssued, findReceived } from './find.ts'
import { acted, checkDays, Empresa, From, To, tell, Who } from './kit.ts'
import { kindOf } from './said.ts'

const optional = Type.Optional

/** Each movement is asked for what it may be for: enough for one look, within any limit of calls. */
const LOOKED_AT = 8

function briefMovement({ id, post_date, amount, currency, description, counterparty }: Movement) {
  const money = currency === 'CLP' ? pesos(Math.abs(amount)) : `${Math.abs(amount)} ${currency}`
  const who = counterparty.name ?? counterparty.rut
  const said = `${amount < 0 ? 'Cargo' : 'Abono'} de ${money} el ${longDate(post_date)}: ${quoted(description)}${who ? ` (${who})` : ''}`
  return { movement: id, said, amount, post_date }
}

function briefTargets({ candidates }: MovementWithCandidates) {
  return candidates.slice(0, 3).map(({ confidence, targets, reasons }) => ({
    confidence,
    documents: targets.map(
      ({ document_id, received_document_id, entry_id, tipo, folio, counterparty_name, total }) => ({
        id: document_id ?? received_document_id ?? entry_id,
        said: `${kindOf(tipo)} ${folio ?? ''} ${quoted(counterparty_name ?? 'sin nombre')} por ${pesos(total)}`,
      }),
    ),
    why: reasons.map(({ message }) => message),
  }))
}

export const reconcilePayments = defineTool({
  name: 'reconcile_payments',
  title: 'Bank movements that no document explains',
  description:
    'Bank movements without a document, each with the documents it most likely pays (conciliar, cuadrar el banco, abonos sin identificar).',
  reads: ['tax.movements.list', 'tax.movements.get'],
  input: {
    empresa: Empresa,
    direction: optional(OneOf(['in', 'out'], { description: '`in` money received (default), `out` money paid.' })),
    from: From,
    to: To,
  },
  run: async (ctx, { empresa, direction = 'in', from, to }) => {
    checkDays(from, to)
    const days = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    const filter = { empresa, matched: false, direction, ...days }
    const { rows, complete } = await ctx.rows<Movement>('tax.movements.list', filter)
    const told: object[] = []
    for (const movement of rows.slice(0, LOOKED_AT)) {
      const looked = await ctx.read<MovementWithCandidates>('tax.movements.get', { empresa, movement_id: movement.id })
      told.push({ ...briefMovement(movement), may_pay: briefTargets(looked) })
    }
    const total = rows.filter(({ currency }) => currency === 'CLP').reduce((sum, { amount }) => sum + amount, 0)
    return tell({
      said: `${rows.length}${complete ? '' : ' o más'} movimientos sin documento por ${pesos(total)}`,
      count: rows.length,
      total,
      movements: told,
      not_shown: rows.length - told.length,
      next: told.length > 0 ? '`match_payment` joins a movement and a document.' : null,
    })
  },
})

export const matchPayment = defineTool({
  name: 'match_payment',
  title: 'Join a bank movement and a document',
  description:
    'Says which document a bank movement pays (calzar, conciliar un abono con una factura); the document is paid by that much. It can be undone with `tax_movements_unmatch`.',
  reads: ['tax.movements.get', 'documents.list', 'documents.get', 'received_documents.list', 'received_documents.get'],
  acts: ['tax.movements.match'],
  one_step: true,
  input: {
    empresa: Empresa,
    movement: { ...Id, description: 'Id of the movement (mov_…), as `reconcile_payments` lists it.' },
    document: OneLine(80, { description: 'Document, as "factura 1234" or by id (doc_…, rcd_… or rcv_…).' }),
    supplier: Who('If the document is of a supplier'),
  },
  run: async (ctx, input, acting) => {
    const { empresa, movement, document, supplier } = input
    const target = async () => {
      if (document.startsWith('rcv_')) return { entry_id: document }
      const received = supplier !== undefined || document.startsWith('rcd_')
      if (!received) return { document_id: (await findIssued(ctx, empresa, document)).id }
      const found = await findReceived(ctx, { ...(empresa && { empresa }), document, ...(supplier && { supplier }) })
      return { received_document_id: found.id }
    }
    const named = { empresa, movement_id: movement, ...(await target()) }
    const result = await ctx.act('tax.movements.match', { ...named, ...acting })
    return acted<MovementWithCandidates>(result, (matched) => ({
      ...briefMovement(matched),
      pays: matched.match?.targets.map(({ tipo, folio, amount }) => ({
        said: `${kindOf(tipo)} ${folio ?? ''}: ${pesos(amount)}`,
        amount,
      })),
    }))
  },
})
