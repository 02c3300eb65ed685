import { periodOf, santiagoDate, TIPO } from '@timbre/dte/values'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { issueDocument } from '../../issuing/document/create.ts'
import type { CreateDocument } from '../../issuing/document/create-schema.ts'
import { isLocked, refuseLocked } from '../../tax/rcv/period-lock.ts'
import { linkDocument } from '../movement/match/apply.ts'
import { ALL_IVA_WITHHELD, dateOf } from './arithmetic.ts'
import { LINE_OF, SELLER } from './copy.ts'
import { providerOf } from './providers.ts'
import type { ConfirmSuggestion, DismissSuggestion, SuggestionPath, TaxSuggestion } from './schema.ts'
import { settleSuggestions } from './settle.ts'
import { pesosOf, type SuggestionRow, showSuggestion } from './show.ts'
import { listOpenIds, lockSuggestion } from './store.ts'

/** An open suggestion, locked until the transaction ends: of two decisions at once one comes second. */
async function lockOpen(ctx: EmpresaContext, id: string): Promise<SuggestionRow> {
  const row = await lockSuggestion(ctx.sql, ctx.empresa, id)
  if (!row) throw new Problem('suggestion_not_found')
  if (row.status !== 'open') {
    const { status, document_id } = row
    throw new Problem('suggestion_settled', { details: { status }, ...(document_id && { existing_id: document_id }) })
  }
  return row
}

/** The RUT of sellers abroad who have none of their own (SII, factura de compra to the foreigner). */
const FOREIGN_RUT = '55555555-5'

/** The provider as we know it, corrected by the caller. Another RUT is another seller. */
function sellerOf({ provider: key }: SuggestionRow, input: ConfirmSuggestion['receptor'] = {}) {
  const { name, country, rut } = providerOf(key)
  const known = rut ?? FOREIGN_RUT
  if (input.rut !== undefined && input.rut !== known) return input as { rut: string }
  return {
    rut: known,
    legal_name: input.legal_name ?? name,
    giro: input.giro ?? SELLER.giro,
    address: input.address ?? SELLER.address(country),
  }
}

async function dateFor(ctx: EmpresaContext, row: SuggestionRow, issue_date: string | undefined): Promise<string> {
  if (issue_date === undefined) {
    const declared = await isLocked(ctx.sql, ctx.empresa, row.period)
    return dateOf(row.post_date, santiagoDate(ctx.now()), declared)
  }
  await refuseLocked(ctx.sql, ctx.empresa, periodOf(issue_date))
  return issue_date
}

async function documentOf(ctx: EmpresaContext, row: SuggestionRow, input: ConfirmSuggestion): Promise<CreateDocument> {
  const net = input.net ?? pesosOf(row)
  if (net === null)
    throw invalidField('net', 'the payment is known in foreign currency alone: say what it was in pesos.')
  const description = input.description ?? LINE_OF(providerOf(row.provider).name)
  return {
    tipo_dte: TIPO.factura_de_compra,
    issue_date: await dateFor(ctx, row, input.issue_date),
    receptor: sellerOf(row, input.receptor),
    items: [{ description, quantity: 1, unit_price: net, additional_tax: ALL_IVA_WITHHELD }],
    metadata: { suggestion_id: row.id },
  }
}

/**
 * Issues the factura de compra of a payment abroad and matches the payment to it, in one transaction. The suggestion is
 * locked meanwhile, so that two confirmations never issue two documents.
 */
export async function confirmSuggestion(
  ctx: EmpresaContext,
  { suggestion_id, ...input }: SuggestionPath & ConfirmSuggestion,
): Promise<TaxSuggestion> {
  const row = await lockOpen(ctx, suggestion_id)
  const document = await issueDocument(ctx, await documentOf(ctx, row, input))
  await linkDocument(ctx, row.movement_id, { id: document.id, amount: document.totals.total })
  const [settled] = await settleSuggestions(ctx, ctx.empresa, [row.id], 'confirmed', { document_id: document.id })
  return showSuggestion(settled ?? row)
}

type NullableReason = Omit<DismissSuggestion, 'reason'> & { readonly reason?: string | null }

/** Dismisses a suggestion for good: the same amount to the provider, or anything to it, is not suggested again. */
export async function dismissSuggestion(
  ctx: EmpresaContext,
  { suggestion_id, reason = null, scope = 'once' }: SuggestionPath & NullableReason,
): Promise<TaxSuggestion> {
  const row = await lockOpen(ctx, suggestion_id)
  const others = scope === 'provider' ? await listOpenIds(ctx.sql, ctx.empresa, { provider: row.provider }) : []
  const ids = [...new Set([row.id, ...others])]
  const settled = await settleSuggestions(ctx, ctx.empresa, ids, 'dismissed', { dismissal: { reason, scope } })
  return showSuggestion(settled.find(({ id }) => id === row.id) ?? row)
}
