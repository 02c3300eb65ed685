import type { Dte, PricedAdjustment, PricedItem } from '../document/document.ts'
import { pathText } from '../document/fields/check.ts'
import { DOCUMENTO } from '../document/fields/table.ts'
import { applyAdjustments, sumLines } from '../document/lines.ts'
import { isTipoDte } from '../document/tipos.ts'
import { accept, type Outcome, type Refusal, refuse } from '../refusal.ts'
import { childOf, textAt, type XmlElement } from '../xml/tree.ts'
import { missingIdentity, readRows, type Values } from './read-rows.ts'

export interface ReadDocument {
  readonly dte: Dte
  /** The `ID` that its signature refers to. */
  readonly id: string
  readonly tmst_firma: string | undefined
  /** Values that were there and could not be read: they are absent from `dte`. */
  readonly warnings: readonly Refusal[]
}

export type ReadRule = 'not_a_dte' | 'unsupported_tipo' | 'unreadable'

/**
 * A `DTE` element as our value. Reading forgives: unknown elements are skipped, spaces trimmed, a RUT with dots or a
 * small k put right, and amounts are taken as written, without asking whether they add up. Only a document without
 * its own identity, date and total is refused.
 */
export function readDte(element: XmlElement, { suspect_encoding = false } = {}): Outcome<ReadDocument, ReadRule> {
  const documento = element.name === 'Documento' ? element : childOf(element, 'Documento')
  if (documento === undefined) {
    const other = childOf(element, 'Liquidacion') ?? childOf(element, 'Exportaciones')
    if (other === undefined) return refuse('not_a_dte', 'There is no Documento.', element.name)
    return refuse('unsupported_tipo', `A ${other.name} is not one of the tipos read here.`, 'tipo_dte')
  }
  const written = textAt(documento, 'Encabezado', 'IdDoc', 'TipoDTE') ?? ''
  const tipo_dte = Number(written)
  if (!isTipoDte(tipo_dte))
    return refuse('unsupported_tipo', `Tipo ${written.slice(0, 20)} is not read here.`, 'tipo_dte')

  const warnings: Refusal[] = []
  const values: Values = {}
  readRows(documento, DOCUMENTO.rows, { tipo_dte, warnings, path: [], suspect_encoding }, values)
  const missing = missingIdentity(values)
  if (missing !== null) return refuse('unreadable', `${pathText(missing)} is missing or is not one.`, pathText(missing))
  return accept({
    dte: toDte(values),
    id: documento.attributes.ID ?? '',
    tmst_firma: textAt(documento, 'TmstFirma'),
    warnings,
  })
}

/** Fills what our value always has and a foreign file may lack, and prices the global discounts as the lines stand. */
function toDte(values: Values): Dte {
  const items = ((values.items ?? []) as Partial<PricedItem>[]).map((item) => ({ description: '', amount: 0, ...item }))
  const dte = {
    ...values,
    emisor: { legal_name: '', ...(values.emisor as Values) },
    receptor: { rut: '', ...(values.receptor as Values | undefined) },
    items,
  } as unknown as Dte
  if (dte.discounts === undefined && dte.surcharges === undefined) return dte
  const priced = applyAdjustments(dte, sumLines(dte.tipo_dte, items))
  const keep = (list: unknown, adjusted: readonly PricedAdjustment[]) => (list === undefined ? undefined : adjusted)
  return {
    ...dte,
    discounts: keep(dte.discounts, priced.discounts),
    surcharges: keep(dte.surcharges, priced.surcharges),
  }
}
