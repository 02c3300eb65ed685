import { ANONYMOUS_RUT, santiagoDate } from '@timbre/dte/values'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { type Correction, noteOf } from './build-credit-note.ts'
import { issueDocument } from './create.ts'
import type { CreditDocument } from './credit-note-schema.ts'
import { creditNotesOf } from './credit-note-store.ts'
import { balanceOf, refuseExcess, refuseUncreditable } from './credit-rules.ts'
import type { Document, DocumentPath } from './schema.ts'
import type { DocumentRow } from './show.ts'
import { lockDocument } from './store.ts'

function correctionIn({ code, reason, items }: CreditDocument): Correction {
  const meant = code ?? (items ? 3 : 1)
  if (meant === 1 && items)
    throw invalidField('items', 'an annulment repeats the lines of the original; leave them out.')
  return { code: meant, reason, items }
}

/** What is missing cannot be sent here: the nota copies the receptor of its original, and the address book fills in. */
function explained(error: unknown, { draft }: DocumentRow, empresa_id: string): unknown {
  if (!(error instanceof Problem) || error.code !== 'receptor_incomplete') return error
  const { rut } = draft.receptor
  const { param } = error.facts
  const record = `record it with PATCH /empresas/${empresa_id}/counterparties/${rut}`
  const message =
    rut === ANONYMOUS_RUT
      ? `${param} is needed and the original names no buyer: issue the nota with POST /documents, naming the buyer, or ${record} to use it for every boleta without one.`
      : `${param} is needed and the original does not carry it: ${record}.`
  return new Problem(error.code, { ...error.facts, message, details: { counterparty_rut: rut } })
}

/** Emits a nota de crédito over a document. The original is held meanwhile, so that two of them never credit it twice. */
export async function creditDocument(ctx: EmpresaContext, input: DocumentPath & CreditDocument): Promise<Document> {
  const { document_id, external_id, metadata } = input
  const correction = correctionIn(input)
  const original = await lockDocument(ctx.sql, ctx.empresa, document_id)
  if (!original) throw new Problem('document_not_found')
  const notes = await creditNotesOf(ctx.sql, ctx.empresa, document_id)
  refuseUncreditable(original, correction, notes)
  const { folio } = original
  if (folio === null) throw new Error(`${original.id} was accepted without a folio`)
  const note = noteOf({ ...original, folio }, correction, santiagoDate(ctx.now()))
  const own = { ...(external_id !== undefined && { external_id }), ...(metadata && { metadata }) }
  const issued = await issueDocument(ctx, { ...note, ...own }, { receptor_from: 'earlier_document' }).catch((error) => {
    throw explained(error, original, ctx.empresa.empresa_id)
  })
  refuseExcess(balanceOf(original, notes), issued.totals)
  if (correction.code === 3 && issued.totals.total === 0) throw invalidField('items', 'they add up to nothing.')
  return issued
}
