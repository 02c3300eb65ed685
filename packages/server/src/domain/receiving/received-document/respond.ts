import { ANSWERABLE_TIPOS } from '@timbre/dte/values'
import type { ErrorCode } from '../../../catalog/errors.ts'
import type { RegisterAction } from '../../../catalog/reception.ts'
import { Problem } from '../../../kernel/problem.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { AfterCommit, EmpresaContext } from '../../context.ts'
import { advanceReceipt, advanceStatus, emitChange } from './advance.ts'
import type { ReceiptFacts, ResultFacts } from './answer-store.ts'
import { enqueueAnswer } from './enqueue-answer.ts'
import { requireReceived } from './read.ts'
import { findReception } from './reception-store.ts'
import type { AcknowledgeReceipt, ReceivedDocument, ReceivedDocumentPath, RejectReceived } from './schema.ts'
import { type ReceivedRow, showReceived } from './show.ts'
import { lockReceived } from './store.ts'

/** An answer to a document, as the caller wants it registered. */
interface Answer {
  readonly action: RegisterAction
  readonly reason?: string
  readonly place?: string
  readonly person_rut?: string
}

/** Our code for each code of the register that is not a success (WS Registro de Aceptación o Reclamo, v1.2). */
const REFUSALS: Readonly<Record<number, ErrorCode>> = {
  [-1]: 'sii_unreachable',
  1: 'received_document_unknown_to_sii',
  2: 'received_document_unknown_to_sii',
  5: 'received_document_already_claimed',
  6: 'received_document_already_claimed',
  8: 'received_document_deadline_passed',
  9: 'received_document_unknown_to_sii',
  10: 'received_document_unknown_to_sii',
  11: 'received_document_already_accepted',
  12: 'received_document_already_claimed',
  13: 'received_document_already_accepted',
  18: 'received_document_unknown_to_sii',
  19: 'received_document_already_claimed',
}
const REGISTERED = [0, 7]

// The answer travels with the resource to `registerAnswer`, and is stored under an Idempotency-Key as `asked`: a
// repetition asks the register the same thing again, which it takes for done.
type Unregistered = ReceivedDocument & { readonly asked: Answer }

async function prepare(ctx: EmpresaContext, path: ReceivedDocumentPath, asked: Answer): Promise<ReceivedDocument> {
  const row = await requireReceived(ctx, path)
  if (!ANSWERABLE_TIPOS.includes(row.tipo_dte)) throw new Problem('received_document_not_answerable')
  const unregistered: Unregistered = { ...showReceived(row, ctx.addresses), asked }
  return unregistered
}

export function acceptReceived(ctx: EmpresaContext, path: ReceivedDocumentPath): Promise<ReceivedDocument> {
  return prepare(ctx, path, { action: 'ACD' })
}

export function rejectReceived(
  ctx: EmpresaContext,
  { received_document_id, code, reason }: ReceivedDocumentPath & RejectReceived,
): Promise<ReceivedDocument> {
  return prepare(ctx, { received_document_id }, { action: code, ...(reason !== undefined && { reason }) })
}

export function acknowledgeReceipt(
  ctx: EmpresaContext,
  { received_document_id, ...receipt }: ReceivedDocumentPath & AcknowledgeReceipt,
): Promise<ReceivedDocument> {
  return prepare(ctx, { received_document_id }, { action: 'ERM', ...receipt })
}

/** Registers an action with the SII, or refuses with the words of the register beside ours. */
async function callRegister(ctx: EmpresaContext, row: ReceivedRow, action: RegisterAction): Promise<void> {
  const { emisor_rut, tipo_dte, folio, sii_received_at } = row
  const document = { emisor_rut, tipo_dte, folio, sii_received_at }
  const sii = ctx.ports.sii[ctx.account.mode]
  const { code, sentence } = await sii
    .respondTo({ empresa: ctx.empresa, document, action, at: ctx.now() })
    .catch((error: unknown) => {
      throw error instanceof SiiUnreachable ? new Problem('sii_unreachable', { message: error.told }) : error
    })
  if (REGISTERED.includes(code)) return
  throw new Problem(REFUSALS[code] ?? 'received_document_not_answerable', { sii: { code, message: sentence, action } })
}

/**
 * Calls the register first and writes second, never in one transaction. If it cannot be reached nothing has changed; if
 * the process dies in between, the same request again learns that it was registered before, and writes it then.
 */
export async function registerAnswer(
  ctx: AfterCommit<EmpresaContext>,
  resource: ReceivedDocument,
): Promise<ReceivedDocument> {
  const { id, asked } = resource as Unregistered
  const row = await requireReceived(ctx, { received_document_id: id })
  if (isRecorded(row, asked.action)) return showReceived(row, ctx.addresses)
  await callRegister(ctx, row, asked.action)
  return ctx.transact((tx) => recordAnswer(tx, id, asked))
}

/** Whether the document has this answer already: then the register is not called. */
function isRecorded(row: ReceivedRow, action: RegisterAction): boolean {
  if (action === 'ACD') return row.status === 'accepted'
  if (action === 'ERM') return row.receipt_status === 'acknowledged'
  return row.claims.some(({ code }) => code === action)
}

const EVENTS = { ACD: 'received_document.accepted', ERM: 'received_document.receipt_acknowledged' } as const

const GOODS: readonly RegisterAction[] = ['RFP', 'RFT']

/**
 * Whether a claim is compatible with the row: none after the goods were acknowledged, nor two of goods side by side
 * (13 and 19 of the register). Of two that come at once, the first counts.
 */
function mayClaim({ claims, receipt_status }: ReceivedRow, action: RegisterAction): boolean {
  if (receipt_status === 'acknowledged') return false
  return !(GOODS.includes(action) && claims.some(({ code }) => GOODS.includes(code)))
}

/** The row after the answer, or null when the two are not compatible. */
async function applyAnswer(ctx: EmpresaContext, before: ReceivedRow, answer: Answer): Promise<ReceivedRow | null> {
  const at = ctx.now()
  const { id } = before
  const { action } = answer
  if (action === 'ACD') return advanceStatus(ctx, ctx.empresa, id, 'accepted', { answered_at: at })
  if (action === 'ERM') return advanceReceipt(ctx, ctx.empresa, id, 'acknowledged', { acknowledged_at: at })
  if (!mayClaim(before, action)) return null
  const claims = [...before.claims, { code: action, reason: answer.reason ?? null, at: at.toISOString() }]
  const rejected = await advanceStatus(ctx, ctx.empresa, id, 'rejected', { answered_at: at, claims })
  return rejected && ((await advanceReceipt(ctx, ctx.empresa, id, 'claimed', {})) ?? rejected)
}

/** Enqueues the answer between taxpayers that goes with it (Formato de Mensaje de Respuesta 1.0; Ley 19.983). */
async function enqueueExchange(ctx: EmpresaContext, row: ReceivedRow, answer: Answer): Promise<void> {
  const { tipo_dte, folio, issue_date, emisor_rut, total } = row
  const document = { tipo_dte, folio, issue_date, emisor_rut, receptor_rut: ctx.empresa.rut, total }
  const reception = await findReception(ctx.sql, ctx.empresa, row.reception_id)
  const { action, reason = null, place = null, person_rut = null } = answer
  const receipt: ReceiptFacts = { document, place, person_rut }
  const result: ResultFacts = { document, accepted: action === 'ACD', reason }
  await enqueueAnswer(ctx, ctx.empresa, {
    kind: action === 'ERM' ? 'envio_recibos' : 'resultado_dte',
    reception_id: row.reception_id,
    received_document_id: row.id,
    recipient: reception?.sender ?? null,
    facts: action === 'ERM' ? receipt : result,
  })
}

/** Writes an answer that the register took: status, event and the exchange answer, together. */
async function recordAnswer(ctx: EmpresaContext, id: string, answer: Answer): Promise<ReceivedDocument> {
  const before = await lockReceived(ctx.sql, ctx.empresa, id)
  if (!before) throw new Problem('received_document_not_found')
  const { action } = answer
  if (isRecorded(before, action)) return showReceived(before, ctx.addresses)
  const after = await applyAnswer(ctx, before, answer)
  if (!after) {
    const claimed = before.claims.length > 0
    throw new Problem(claimed ? 'received_document_already_claimed' : 'received_document_already_accepted')
  }
  const type = action === 'ACD' || action === 'ERM' ? EVENTS[action] : 'received_document.rejected'
  emitChange(ctx, ctx.empresa, type, { before, after })
  await enqueueExchange(ctx, after, answer)
  return showReceived(after, ctx.addresses)
}
