import { santiagoDate } from '@timbre/dte/values'
import { invalidField } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { issueDocument } from '../../issuing/document/create.ts'
import type { CreateDocument } from '../../issuing/document/create-schema.ts'
import { isLocked, refuseLocked } from '../../tax/rcv/period-lock.ts'
import { linkTo } from '../match/link.ts'
import { ALL_IVA_WITHHELD, dateOf, monthOf } from './arithmetic.ts'
import { LINE_OF, SELLER } from './copy.ts'
import { holdOpen } from './lock.ts'
import { settleSuggestions } from './move.ts'
import { providerOf } from './providers.ts'
import type { SuggestionRow } from './row.ts'
import type { ConfirmSuggestion, SuggestionPath, TaxSuggestion } from './schema.ts'
import { pesosOf, showSuggestion } from './show.ts'

/** Whoever sells from abroad without a RUT of its own goes by this one (SII, factura de compra to the foreigner). */
const FOREIGN_RUT = '55555555-5'

/** The seller as the provider is known to us, and as the caller knows it better. Another RUT is another seller. */
function sellerOf({ provider: key }: SuggestionRow, asked: ConfirmSuggestion['receptor'] = {}) {
  const { name, country, rut } = providerOf(key)
  const known = rut ?? FOREIGN_RUT
  if (asked.rut !== undefined && asked.rut !== known) return asked as { rut: string }
  return {
    rut: known,
    legal_name: asked.legal_name ?? name,
    giro: asked.giro ?? SELLER.giro,
    address: asked.address ?? SELLER.address(country),
  }
}

async function dateFor(ctx: EmpresaContext, row: SuggestionRow, asked: string | undefined): Promise<string> {
  if (asked === undefined) {
    const declared = await isLocked(ctx.sql, ctx.empresa, row.period)
    return dateOf(row.post_date, santiagoDate(ctx.now()), declared)
  }
  await refuseLocked(ctx.sql, ctx.empresa, monthOf(asked))
  return asked
}

async function documentOf(ctx: EmpresaContext, row: SuggestionRow, input: ConfirmSuggestion): Promise<CreateDocument> {
  const net = input.net ?? pesosOf(row)
  if (net === null)
    throw invalidField('net', 'the payment is known in foreign currency alone: say what it was in pesos.')
  const description = input.description ?? LINE_OF(providerOf(row.provider).name)
  return {
    tipo_dte: 46,
    issue_date: await dateFor(ctx, row, input.issue_date),
    receptor: sellerOf(row, input.receptor),
    items: [{ description, quantity: 1, unit_price: net, additional_tax: ALL_IVA_WITHHELD }],
    metadata: { suggestion_id: row.id },
  }
}

/**
 * Issues the factura de compra that a payment abroad calls for, and ties the payment to it. All of it or none: the
 * suggestion is held meanwhile, so that two confirmations never issue two documents.
 */
export async function confirmSuggestion(
  ctx: EmpresaContext,
  { suggestion_id, ...input }: SuggestionPath & ConfirmSuggestion,
): Promise<TaxSuggestion> {
  const row = await holdOpen(ctx, suggestion_id)
  const document = await issueDocument(ctx, await documentOf(ctx, row, input))
  await linkTo(ctx, row.movement_id, { id: document.id, amount: document.totals.total })
  const [settled] = await settleSuggestions(ctx, ctx.empresa, [row.id], 'confirmed', { document_id: document.id })
  return showSuggestion(settled ?? row)
}
