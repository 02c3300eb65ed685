import type { ErrorCode } from '../../../catalog/errors.ts'
import { ANSWERABLE_TIPOS, type RegisterAction } from '../../../catalog/reception.ts'
import { Problem } from '../../../kernel/problem.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { AfterCommit, EmpresaContext } from '../../context.ts'
import { type Asked, isRecorded, recordAnswer } from './record.ts'
import type { AcknowledgeReceipt, ReceivedDocument, ReceivedDocumentPath, RejectReceived } from './schema.ts'
import { type ReceivedRow, showReceived } from './show.ts'
import { findReceived } from './store.ts'

/** What the register means by each code that is not a success (WS Registro de Aceptación o Reclamo, v1.2). */
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
const DONE = [0, 7]

export async function requireReceived(
  ctx: Pick<EmpresaContext, 'sql' | 'empresa'>,
  { received_document_id }: ReceivedDocumentPath,
): Promise<ReceivedRow> {
  const row = await findReceived(ctx.sql, ctx.empresa, received_document_id)
  if (!row) throw new Problem('received_document_not_found')
  return row
}

// What was asked travels with the resource to `settle`, and with the answer kept under an Idempotency-Key: a repetition
// asks the register the same thing again, which it takes for done.
type Asking = ReceivedDocument & { readonly asked: Asked }

async function ask(ctx: EmpresaContext, path: ReceivedDocumentPath, asked: Asked): Promise<ReceivedDocument> {
  const row = await requireReceived(ctx, path)
  if (!ANSWERABLE_TIPOS.includes(row.tipo_dte)) throw new Problem('received_document_not_answerable')
  const asking: Asking = { ...showReceived(row, ctx.addresses), asked }
  return asking
}

export function acceptReceived(ctx: EmpresaContext, path: ReceivedDocumentPath): Promise<ReceivedDocument> {
  return ask(ctx, path, { action: 'ACD' })
}

export function rejectReceived(
  ctx: EmpresaContext,
  { received_document_id, code, reason }: ReceivedDocumentPath & RejectReceived,
): Promise<ReceivedDocument> {
  return ask(ctx, { received_document_id }, { action: code, ...(reason !== undefined && { reason }) })
}

export function acknowledgeReceipt(
  ctx: EmpresaContext,
  { received_document_id, ...said }: ReceivedDocumentPath & AcknowledgeReceipt,
): Promise<ReceivedDocument> {
  return ask(ctx, { received_document_id }, { action: 'ERM', ...said })
}

/** The register decides; what it refuses is told by its own words beside ours. */
async function register(ctx: EmpresaContext, row: ReceivedRow, action: RegisterAction): Promise<void> {
  const { emisor_rut, tipo_dte, folio, sii_received_at } = row
  const document = { emisor_rut, tipo_dte, folio, sii_received_at }
  const sii = ctx.ports.sii[ctx.account.mode]
  const { code, sentence } = await sii
    .respondTo({ empresa: ctx.empresa, document, action, at: ctx.now() })
    .catch((error: unknown) => {
      throw error instanceof SiiUnreachable ? new Problem('sii_unreachable') : error
    })
  if (DONE.includes(code)) return
  throw new Problem(REFUSALS[code] ?? 'received_document_not_answerable', { sii: { code, message: sentence, action } })
}

/**
 * Asks the register first and writes second, never in one transaction. If it cannot be asked nothing has changed; if
 * we die in between, the same request again is told that it was registered before, and writes it then.
 */
export async function settleAnswer(
  ctx: AfterCommit<EmpresaContext>,
  resource: ReceivedDocument,
): Promise<ReceivedDocument> {
  const { id, asked } = resource as Asking
  const row = await requireReceived(ctx, { received_document_id: id })
  if (isRecorded(row, asked.action)) return showReceived(row, ctx.addresses)
  await register(ctx, row, asked.action)
  return ctx.transact((tx) => recordAnswer(tx, id, asked))
}
