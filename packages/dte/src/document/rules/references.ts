import type { Refusal } from '../../refusal.ts'
import { ELECTRONIC_TIPOS, EXCHANGED_TIPOS, EXPORT_TIPOS, isReferenceType } from '../../tables/documents.ts'
import type { DteDraft, Reference } from '../document.ts'
import { refusal } from '../fields/check.ts'
import { TIPO, tipo } from '../tipos.ts'
import type { Rule } from './rule.ts'

/** What a note may correct (SII, Formato DTE v2.4.2, section E); export documents have notes of their own. */
const CORRECTS: Readonly<Record<number, readonly number[]>> = {
  [TIPO.nota_de_debito]: EXCHANGED_TIPOS.filter((number) => number !== TIPO.nota_de_debito),
  [TIPO.nota_de_credito]: ELECTRONIC_TIPOS.filter(
    (number) => !EXPORT_TIPOS.includes(number) && number !== TIPO.nota_de_credito,
  ),
}

export const referenceRules: Rule = (draft) =>
  (draft.references ?? []).flatMap((reference, index) => each(draft, reference, index))

function each(draft: DteDraft, reference: Reference, index: number): Refusal[] {
  const { tipo_dte, document_type, folio } = reference
  const refuse = (name: string, rule: string, message: string) => [refusal(['references', index, name], rule, message)]
  if (tipo_dte !== undefined && document_type !== undefined) {
    return refuse('document_type', 'one_of', 'and tipo_dte exclude each other')
  }
  if (document_type !== undefined && !isReferenceType(document_type)) {
    return refuse('document_type', 'unknown_code', `${document_type} is not a document of the SII's table`)
  }
  // In a boleta every part of a reference is optional.
  if (tipo(draft.tipo_dte).family === 'boleta') return []
  if (tipo_dte === undefined && document_type === undefined)
    return refuse('tipo_dte', 'required', 'or document_type is needed')
  if (folio === undefined && reference.global !== true) return refuse('folio', 'required', 'is needed')
  return []
}

/** Notas de crédito and débito: which document they correct, and how. */
export const noteRules: Rule = (draft, priced) => {
  if (tipo(draft.tipo_dte).family !== 'nota') return []
  const references = draft.references ?? []
  const coded = references.filter(({ code }) => code !== undefined)
  if (references.length === 0)
    return [refusal(['references'], 'required', 'must name the document that the note corrects')]
  const refusals = references.flatMap((reference, index) => corrected(draft, reference, index))
  if (coded.length === 0 && refusals.length === 0)
    refusals.push(refusal(['references', 0, 'code'], 'required', 'is needed in a note'))
  if (coded.length > 1 && coded.some(({ code }) => code === 1 || code === 2)) {
    const second = references.indexOf(coded[1] ?? {})
    refusals.push(
      refusal(['references', second], 'single_reference', 'is one too many: codes 1 and 2 take one document'),
    )
  }
  if (coded.some(({ code }) => code === 2)) refusals.push(...textCorrection(draft, priced.totals.total))
  return refusals
}

function corrected(draft: DteDraft, { tipo_dte, code, date }: Reference, index: number): Refusal[] {
  const refuse = (name: string, rule: string, message: string) => [refusal(['references', index, name], rule, message)]
  if (tipo_dte === undefined) return []
  if (code === undefined) return refuse('code', 'required', 'is needed: 1 annuls, 2 corrects text, 3 corrects amounts')
  if (!CORRECTS[draft.tipo_dte]?.includes(tipo_dte)) {
    return refuse('tipo_dte', 'not_correctable', `${tipo_dte} is not corrected by a tipo ${draft.tipo_dte}`)
  }
  return date !== undefined && date > draft.issue_date
    ? refuse('date', 'date_order', 'is later than the note itself')
    : []
}

/** A note that corrects text moves no money: one line, all amounts zero. */
function textCorrection(draft: DteDraft, total: number): Refusal[] {
  if (draft.items.length > 1)
    return [refusal(['items', 1], 'text_correction', 'is one too many in a note that corrects text')]
  return total === 0
    ? []
    : [refusal(['items', 0, 'unit_price'], 'text_correction', 'must be 0 in a note that corrects text')]
}
