import { pathText } from '../document/fields/check.ts'
import { missingIdentity, readRows, type Values } from '../envelope/read-rows.ts'
import { accept, type Outcome, type Refusal, refuse } from '../refusal.ts'
import { childOf, textAt, type XmlElement } from '../xml/tree.ts'
import type { UnissuedDte } from './document.ts'
import { bodyOf } from './fields.ts'
import { isUnissuedTipo, unissuedTipo } from './tipos.ts'

export interface ReadUnissued {
  readonly dte: UnissuedDte
  readonly id: string
  readonly tmst_firma: string | undefined
  /** Values that were there and could not be read: they are absent from `dte`. */
  readonly warnings: readonly Refusal[]
}

export type ReadUnissuedRule = 'not_a_dte' | 'unsupported_tipo' | 'unreadable'

/** A `DTE` element with a Liquidacion or Exportaciones as our value. Reading forgives as `readDte` does. */
export function readUnissued(
  element: XmlElement,
  { suspect_encoding = false } = {},
): Outcome<ReadUnissued, ReadUnissuedRule> {
  const body = childOf(element, 'Liquidacion') ?? childOf(element, 'Exportaciones')
  if (body === undefined) return refuse('not_a_dte', 'There is no Liquidacion and no Exportaciones.', element.name)
  const written = textAt(body, 'Encabezado', 'IdDoc', 'TipoDTE') ?? ''
  const tipo_dte = Number(written)
  if (!isUnissuedTipo(tipo_dte) || unissuedTipo(tipo_dte).body !== body.name) {
    return refuse('unsupported_tipo', `Tipo ${written.slice(0, 20)} is no ${body.name}.`, 'tipo_dte')
  }
  const warnings: Refusal[] = []
  const values: Values = {}
  readRows(body, bodyOf(tipo_dte).rows, { tipo_dte, warnings, path: [], suspect_encoding }, values)
  const missing = missingIdentity(values)
  if (missing !== null) return refuse('unreadable', `${pathText(missing)} is missing or is not one.`, pathText(missing))
  return accept({ dte: toDte(values), id: body.attributes.ID ?? '', tmst_firma: textAt(body, 'TmstFirma'), warnings })
}

/** Fills what our value always has and a foreign file may lack. What a percentage comes to, its emitter worked out. */
function toDte(values: Values): UnissuedDte {
  const filled = (list: unknown, blank: object) =>
    list === undefined ? undefined : (list as object[]).map((one) => ({ ...blank, ...one }))
  const applied = (list: unknown) =>
    (list as { amount?: number }[] | undefined)?.map((one) => ({ ...one, applied: one.amount ?? 0 }))
  return {
    ...values,
    emisor: { legal_name: '', ...(values.emisor as Values) },
    receptor: { rut: '', ...(values.receptor as Values | undefined) },
    items: filled(values.items ?? [], { description: '', amount: 0 }),
    ...(values.commissions !== undefined && {
      commissions: filled(values.commissions, { kind: 'commission', description: '', net: 0, exempt: 0 }),
    }),
    ...(values.discounts !== undefined && { discounts: applied(values.discounts) }),
    ...(values.surcharges !== undefined && { surcharges: applied(values.surcharges) }),
  } as unknown as UnissuedDte
}
