import type { DteDraft } from '@timbre/dte/draft'
import { folioNumber, TIPO, type TipoDte, tipo } from '@timbre/dte/values'
import { invalidField, isFieldFault, type Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { notInvoiceable } from '../guia/rules.ts'
import type { CreateDocument } from './create-schema.ts'
import { findInvoiceOf, findNamedGuias } from './guia-invoices.ts'
import { normalizeReference, type SentReference } from './normalize-reference.ts'
import { findByFolio, findDocument } from './store.ts'

type Reference = NonNullable<DteDraft['references']>[number]

export interface ResolvedReferences {
  readonly references: readonly Reference[] | undefined
  /** What is wrong with them, at most one fault for each. */
  readonly faults: readonly Problem[]
}

/** The documents of ours that references lead to. */
export interface LinkedDocuments {
  /** The document that a nota corrects, if this empresa issued it here. */
  readonly corrects_id: string | null
  /** The same where the nota annuls all of it, once it is accepted. */
  readonly annuls_id: string | null
  /** The guías of ours that a factura invoices. */
  readonly guia_ids: readonly string[]
}

const ANNULS = 1

/** A reference to a document of ours may be just its id: the SII's three facts are looked up. */
async function resolve(ctx: EmpresaContext, sent: SentReference, index: number): Promise<Reference> {
  const { document_id, ...reference } = normalizeReference(sent, ctx.empresa.rut, index)
  if (document_id === undefined) return reference as Reference
  const param = `references[${index}].document_id`
  const row = await findDocument(ctx.sql, ctx.empresa, document_id)
  if (!row) throw invalidField(param, 'no document of this empresa has this id.')
  if (row.folio === null) throw invalidField(param, 'it has no folio yet.')
  if (reference.emisor_rut !== undefined) {
    throw invalidField(`references[${index}].emisor_rut`, 'it contradicts document_id.')
  }
  const named = { tipo_dte: row.tipo_dte, folio: row.folio, date: row.issue_date }
  for (const [name, value] of Object.entries(named)) {
    const given = reference[name as keyof typeof reference]
    if (given !== undefined && String(given) !== String(value)) {
      throw invalidField(`references[${index}].${name}`, 'it contradicts document_id.')
    }
  }
  return { ...reference, ...named } as Reference
}

const NOTHING = { corrects_id: null, annuls_id: null }
const NO_LINKS: LinkedDocuments = { ...NOTHING, guia_ids: [] }

async function correctedBy(ctx: EmpresaContext, tipo_dte: TipoDte, references: readonly Reference[]) {
  if (tipo(tipo_dte).family !== 'nota') return NOTHING
  const coded = references.find(({ code, emisor_rut }) => code !== undefined && emisor_rut === undefined)
  const folio = folioNumber(coded?.folio)
  if (coded?.tipo_dte === undefined || folio === null) return NOTHING
  const found = await findByFolio(ctx.sql, ctx.empresa, coded.tipo_dte, folio)
  if (!found) return NOTHING
  return { corrects_id: found.id, annuls_id: coded.code === ANNULS ? found.id : null }
}

/** A factura that names guías of its receptor invoices them, whoever wrote it out. */
async function invoicedBy(
  ctx: EmpresaContext,
  tipo_dte: TipoDte,
  receptor_rut: string,
  references: readonly Reference[],
): Promise<readonly string[]> {
  if (tipo(tipo_dte).family !== 'factura') return []
  const named = references.filter((one) => one.tipo_dte === TIPO.guia && one.emisor_rut === undefined)
  const folios = named.flatMap(({ folio }) => folioNumber(folio) ?? [])
  if (folios.length === 0) return []
  const guia_ids = await findNamedGuias(ctx.sql, ctx.empresa, receptor_rut, folios)
  const taken = await findInvoiceOf(ctx.sql, ctx.empresa, guia_ids)
  if (taken) throw notInvoiceable('already_invoiced', { guia: taken.guia_id, factura: taken.factura_id })
  return guia_ids
}

export async function resolveReferences(
  ctx: EmpresaContext,
  sent: CreateDocument['references'],
): Promise<ResolvedReferences> {
  if (!sent || sent.length === 0) return { references: sent as undefined, faults: [] }
  const references: Reference[] = []
  const faults: Problem[] = []
  for (const [index, one] of sent.entries()) {
    try {
      references.push(await resolve(ctx, one, index))
    } catch (error) {
      if (!isFieldFault(error)) throw error
      faults.push(error)
      // In its place, so that the others keep their own.
      references.push(one as Reference)
    }
  }
  return { references, faults }
}

export async function linkReferences(
  ctx: EmpresaContext,
  tipo_dte: TipoDte,
  receptor_rut: string,
  references: readonly Reference[] = [],
): Promise<LinkedDocuments> {
  if (references.length === 0) return NO_LINKS
  const guia_ids = await invoicedBy(ctx, tipo_dte, receptor_rut, references)
  return { ...(await correctedBy(ctx, tipo_dte, references)), guia_ids }
}
