import type { DteDraft } from '@timbre/dte/draft'
import { type TipoDte, tipo } from '@timbre/dte/values'
import type { EmpresaContext } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/problem.ts'
import type { CreateDocument } from './schema.ts'
import { findByFolio, findDocument } from './store.ts'

type Asked = NonNullable<CreateDocument['references']>[number]
type Reference = NonNullable<DteDraft['references']>[number]

export interface ResolvedReferences {
  readonly references: readonly Reference[] | undefined
  /** The document of ours that a nota de crédito annuls, once it is accepted. */
  readonly annuls_id: string | null
}

const ANNULS = 1

/** A reference to a document of ours may be just its id: the SII's three facts are looked up. */
async function resolve(ctx: EmpresaContext, asked: Asked, index: number): Promise<Reference> {
  const { document_id, ...reference } = asked
  if (document_id === undefined) return reference as Reference
  const param = `references[${index}].document_id`
  const row = await findDocument(ctx.sql, ctx.empresa, document_id)
  if (!row) throw invalidField(param, 'no document of this empresa has this id.')
  if (row.folio === null) throw invalidField(param, 'it has no folio yet.')
  const named = { tipo_dte: row.tipo_dte, folio: row.folio, date: row.issue_date }
  for (const [name, value] of Object.entries(named)) {
    const sent = reference[name as keyof typeof reference]
    if (sent !== undefined && String(sent) !== String(value)) {
      throw invalidField(`references[${index}].${name}`, 'it contradicts document_id.')
    }
  }
  return { ...reference, ...named } as Reference
}

async function annulledBy(ctx: EmpresaContext, tipo_dte: TipoDte, references: readonly Reference[]) {
  if (tipo(tipo_dte).sign !== -1) return null
  const whole = references.find(({ code, emisor_rut }) => code === ANNULS && emisor_rut === undefined)
  if (whole?.tipo_dte === undefined || whole.folio === undefined) return null
  const found = await findByFolio(ctx.sql, ctx.empresa, whole.tipo_dte, Number(whole.folio))
  return found?.id ?? null
}

export async function resolveReferences(
  ctx: EmpresaContext,
  tipo_dte: TipoDte,
  asked: CreateDocument['references'],
): Promise<ResolvedReferences> {
  if (!asked || asked.length === 0) return { references: asked as undefined, annuls_id: null }
  const references: Reference[] = []
  for (const [index, one] of asked.entries()) references.push(await resolve(ctx, one, index))
  return { references, annuls_id: await annulledBy(ctx, tipo_dte, references) }
}
