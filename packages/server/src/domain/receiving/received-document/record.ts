import type { RegisterAction } from '../../../catalog/reception.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { ReceiptFacts, ResultFacts } from './answer.ts'
import { postOne } from './answer-post.ts'
import { announce, moveReceipt, moveStatus } from './move.ts'
import { findReception } from './reception-store.ts'
import type { ReceivedDocument } from './schema.ts'
import { type ReceivedRow, showReceived } from './show.ts'
import { lockReceived } from './store.ts'

/** What a caller asked to be registered about a document. */
export interface Asked {
  readonly action: RegisterAction
  readonly reason?: string
  readonly place?: string
  readonly person_rut?: string
}

/** Whether the document shows this answer already: then there is nothing to ask. */
export function isRecorded(row: ReceivedRow, action: RegisterAction): boolean {
  if (action === 'ACD') return row.status === 'accepted'
  if (action === 'ERM') return row.receipt_status === 'acknowledged'
  return row.claims.some(({ code }) => code === action)
}

const EVENTS = { ACD: 'received_document.accepted', ERM: 'received_document.receipt_acknowledged' } as const

const GOODS: readonly RegisterAction[] = ['RFP', 'RFT']

/**
 * Whether a claim goes with what is written here: none after the goods were acknowledged, nor two of goods side by side
 * (13 and 19 of the register). Of two that come at once, the first counts.
 */
function mayClaim({ claims, receipt_status }: ReceivedRow, action: RegisterAction): boolean {
  if (receipt_status === 'acknowledged') return false
  return !(GOODS.includes(action) && claims.some(({ code }) => GOODS.includes(code)))
}

/** The row after the answer, or null when it does not go with what is written here. */
async function move(ctx: EmpresaContext, before: ReceivedRow, asked: Asked): Promise<ReceivedRow | null> {
  const at = ctx.now()
  const { id } = before
  const { action } = asked
  if (action === 'ACD') return moveStatus(ctx, ctx.empresa, id, 'accepted', { answered_at: at })
  if (action === 'ERM') return moveReceipt(ctx, ctx.empresa, id, 'acknowledged', { acknowledged_at: at })
  if (!mayClaim(before, action)) return null
  const claims = [...before.claims, { code: action, reason: asked.reason ?? null, at: at.toISOString() }]
  const rejected = await moveStatus(ctx, ctx.empresa, id, 'rejected', { answered_at: at, claims })
  return rejected && ((await moveReceipt(ctx, ctx.empresa, id, 'claimed', {})) ?? rejected)
}

/** The answer between taxpayers that goes with it (Formato de Mensaje de Respuesta 1.0; Ley 19.983). */
async function postExchange(ctx: EmpresaContext, row: ReceivedRow, asked: Asked): Promise<void> {
  const { tipo_dte, folio, issue_date, emisor_rut, total } = row
  const document = { tipo_dte, folio, issue_date, emisor_rut, receptor_rut: ctx.empresa.rut, total }
  const reception = await findReception(ctx.sql, ctx.empresa, row.reception_id)
  const { action, reason = null, place = null, person_rut = null } = asked
  const receipt: ReceiptFacts = { document, place, person_rut }
  const result: ResultFacts = { document, accepted: action === 'ACD', reason }
  await postOne(ctx, ctx.empresa, {
    kind: action === 'ERM' ? 'envio_recibos' : 'resultado_dte',
    reception_id: row.reception_id,
    received_document_id: row.id,
    recipient: reception?.sender ?? null,
    facts: action === 'ERM' ? receipt : result,
  })
}

/** Writes an answer that the register took: status, event and the exchange answer, together. */
export async function recordAnswer(ctx: EmpresaContext, id: string, asked: Asked): Promise<ReceivedDocument> {
  const before = await lockReceived(ctx.sql, ctx.empresa, id)
  if (!before) throw new Problem('received_document_not_found')
  const { action } = asked
  if (isRecorded(before, action)) return showReceived(before, ctx.addresses)
  const after = await move(ctx, before, asked)
  if (!after) {
    const claimed = before.claims.length > 0
    throw new Problem(claimed ? 'received_document_already_claimed' : 'received_document_already_accepted')
  }
  const type = action === 'ACD' || action === 'ERM' ? EVENTS[action] : 'received_document.rejected'
  announce(ctx, ctx.empresa, type, { before, after })
  await postExchange(ctx, after, asked)
  return showReceived(after, ctx.addresses)
}
