import { type DteDraft, type Priced, priceDraft } from '@timbre/dte/draft'
import { santiagoDate } from '@timbre/dte/values'
import { CEILINGS } from '../../../catalog/limits.ts'
import { newId } from '../../../kernel/id.ts'
import { refuseAll } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { readEmisor } from '../../platform/empresa/emisor.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import type { CreateDocument } from './create-schema.ts'
import { fillDefaults } from './defaults.ts'
import { draftFaults } from './draft-faults.ts'
import { asksForMoney, dueDateOf } from './due-date.ts'
import { emisorOf, refuseTipo, resolucionFor } from './emisor.ts'
import { refuseBeyondPortal } from './portal-form.ts'
import { type ResolvedReceptor, resolveReceptor } from './receptor.ts'
import { linkReferences, resolveReferences } from './references.ts'
import type { DocumentRow } from './show.ts'

/** The refusals of composing any document: every operation that issues one declares them. */
export const COMPOSE_ERRORS = [
  'receptor_incomplete',
  'tipo_not_declared',
  'empresa_not_emitting',
  'empresa_incomplete',
] as const

/** A document that could be issued: checked, completed and priced, and not stored yet. */
export interface Composed {
  readonly draft: DteDraft
  readonly priced: Priced
  readonly emission_channel: EmpresaRow['emission_channel']
  readonly sources: ResolvedReceptor['sources']
  readonly corrects_id: string | null
  readonly annuls_id: string | null
  /** The guías that it invoices. */
  readonly guia_ids: readonly string[]
}

function draftOf(
  input: CreateDocument,
  emisor: EmpresaRow,
  resolved: { receptor: DteDraft['receptor']; references: DteDraft['references']; today: string },
): DteDraft {
  const { external_id: _, metadata: __, pdf: ___, ...written } = input
  // No spread with more after it: in Node 20 each draft would have a hidden class of its own, which every check after it meets anew.
  return Object.assign({}, written, {
    issue_date: input.issue_date ?? resolved.today,
    emisor: emisorOf(emisor, input.tipo_dte),
    receptor: resolved.receptor,
    ...(resolved.references && { references: resolved.references }),
  }) as DteDraft
}

/** Checks everything that can be checked before a document exists. It writes nothing and draws no folio. */
export async function composeDocument(ctx: EmpresaContext, input: CreateDocument): Promise<Composed> {
  const emisor = await readEmisor(ctx)
  refuseTipo(emisor, input.tipo_dte, ctx.now())
  const today = santiagoDate(ctx.now())
  const resolved = await resolveReceptor(ctx, emisor, input.tipo_dte, input.receptor)
  const { receptor, sources } = resolved
  const { references, faults } = await resolveReferences(ctx, input.references)
  const draft = fillDefaults(draftOf(input, emisor, { receptor, references, today }))
  const authorized_on = resolucionFor(emisor, draft.tipo_dte)?.date
  const circumstances = { today, authorized_on, uf: CEILINGS.uf_pesos }
  // Documents are looked up by references that are right, for a receptor that is known.
  if (resolved.faults.length > 0 || faults.length > 0) {
    refuseAll(draftFaults(draft, circumstances, { receptor: resolved.faults, references: faults }))
  }
  const { corrects_id, annuls_id, guia_ids } = await linkReferences(ctx, input.tipo_dte, receptor.rut, references)
  refuseAll(draftFaults(draft, circumstances))
  const priced = priceDraft(draft)
  const { emission_channel } = emisor
  refuseBeyondPortal(emission_channel, draft, priced)
  return { draft, priced, emission_channel, sources, corrects_id, annuls_id, guia_ids }
}

/** The row of a new document. */
export function newDocument(ctx: EmpresaContext, input: CreateDocument, composed: Composed): DocumentRow {
  const { draft, priced, emission_channel, sources, corrects_id, annuls_id } = composed
  const { account_id, empresa_id, mode } = ctx.empresa
  const { net = 0, iva = 0, exempt = 0, total } = priced.totals
  return {
    account_id,
    empresa_id,
    mode,
    id: newId('document'),
    status: 'queued',
    tipo_dte: draft.tipo_dte,
    folio: null,
    issue_date: draft.issue_date,
    net,
    iva,
    exempt,
    total,
    receptor_rut: draft.receptor.rut,
    draft,
    emission_channel,
    receptor_sources: sources,
    external_id: input.external_id ?? null,
    metadata: input.metadata ?? {},
    pdf_format: input.pdf?.format ?? null,
    pdf_cedible: input.pdf?.cedible ?? false,
    corrects_id,
    annuls_id,
    caf_id: null,
    track_id: null,
    estado: null,
    sii_answer: null,
    failure: null,
    cesion_status: null,
    created_at: ctx.now(),
    sent_at: null,
    settled_at: null,
    due_date: dueDateOf(draft),
    owed_amount: asksForMoney(draft) ? total : 0,
    credited_amount: 0,
    paid_amount: 0,
    paid_at: null,
  }
}
