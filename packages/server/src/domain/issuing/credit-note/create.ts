import { ANONYMOUS_RUT, santiagoDate } from '@timbre/dte/values'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { listNotesInForce } from '../document/corrections.ts'
import { issueDocument } from '../document/create.ts'
import { lockDocument } from '../document/read.ts'
import type { Document, DocumentPath } from '../document/schema.ts'
import type { DocumentRow } from '../document/show.ts'
import { buildCreditNote, type Correction } from './build.ts'
import { balanceOf, refuseExcess, refuseUncreditable } from './rules.ts'
import type { CreateCreditNote } from './schema.ts'

function correctionOf({ code, reason, items }: CreateCreditNote): Correction {
  const meant = code ?? (items ? 3 : 1)
  if (meant === 1 && items)
    throw invalidField('items', 'an annulment repeats the lines of the original; leave them out.')
  return { code: meant, reason, items }
}

/** Says where to add a missing field: the nota copies its receptor, so this request has no place for it. */
function explainMissing(error: unknown, { draft }: DocumentRow, empresa_id: string): unknown {
  if (!(error instanceof Problem) || error.code !== 'receptor_incomplete') return error
  const { rut } = draft.receptor
  const record = `record it with PATCH /empresas/${empresa_id}/counterparties/${rut}`
  const explained = (param: string | undefined) =>
    rut === ANONYMOUS_RUT
      ? `${param} is needed and the original names no buyer: issue the nota with POST /documents, naming the buyer, or ${record} to use it for every boleta without one.`
      : `${param} is needed and the original does not carry it: ${record}.`
  const { param, errors = [] } = error.facts
  return new Problem(error.code, {
    ...error.facts,
    message: explained(param),
    details: { counterparty_rut: rut },
    errors: errors.map((one) => (one.code === error.code ? { ...one, message: explained(one.param) } : one)),
  })
}

/** Emits a nota de crédito over a document. Locks the original: two notas must never credit it twice. */
export async function createCreditNote(ctx: EmpresaContext, input: DocumentPath & CreateCreditNote): Promise<Document> {
  const { document_id, external_id, metadata } = input
  const correction = correctionOf(input)
  const original = await lockDocument(ctx, { document_id })
  const notes = await listNotesInForce(ctx.sql, ctx.empresa, document_id)
  refuseUncreditable(original, correction, notes)
  const { folio } = original
  if (folio === null) throw new Error(`${original.id} was accepted without a folio`)
  const note = buildCreditNote({ ...original, folio }, correction, santiagoDate(ctx.now()))
  const own = { ...(external_id !== undefined && { external_id }), ...(metadata && { metadata }) }
  const issued = await issueDocument(ctx, { ...note, ...own }, { receptor_from: 'earlier_document' }).catch((error) => {
    throw explainMissing(error, original, ctx.empresa.empresa_id)
  })
  refuseExcess(balanceOf(original, notes), issued.totals)
  if (correction.code === 3 && issued.totals.total === 0) throw invalidField('items', 'they add up to nothing.')
  return issued
}
