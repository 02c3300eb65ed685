import { rowsFor } from '../document/build.ts'
import type { Dte, PricedAdjustment, PricedItem } from '../document/document.ts'
import { pathText, refusal } from '../document/fields/check.ts'
import { type Field, type Group, isGroup, putAt, type Row } from '../document/fields/shape.ts'
import { DOCUMENTO } from '../document/fields/table.ts'
import { applyAdjustments, sumLines } from '../document/lines.ts'
import { isTipoDte, type TipoDte } from '../document/tipos.ts'
import { accept, type Outcome, type Refusal, refuse } from '../refusal.ts'
import { repairText } from '../xml/repair.ts'
import { childOf, childrenOf, textAt, type XmlElement } from '../xml/tree.ts'

export interface ReadDocument {
  readonly dte: Dte
  /** The `ID` that its signature refers to. */
  readonly id: string
  readonly tmst_firma: string | undefined
  /** Values that were there and could not be read: they are absent from `dte`. */
  readonly warnings: readonly Refusal[]
}

export type ReadRule = 'not_a_dte' | 'unsupported_tipo' | 'unreadable'

type Values = Record<string, unknown>
type Path = readonly (string | number)[]

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
  readRows(documento, rowsFor(DOCUMENTO.rows, tipo_dte), { tipo_dte, warnings, path: [], suspect_encoding }, values)
  const missing = missingIdentity(values)
  if (missing !== null) return refuse('unreadable', `${missing} is missing or is not one.`, missing)
  return accept({
    dte: toDte(values),
    id: documento.attributes.ID ?? '',
    tmst_firma: textAt(documento, 'TmstFirma'),
    warnings,
  })
}

interface Reading {
  readonly tipo_dte: TipoDte
  readonly warnings: Refusal[]
  readonly path: Path
  readonly suspect_encoding: boolean
}

function readRows(element: XmlElement, rows: readonly Row[], reading: Reading, target: Values): void {
  for (const row of rows) {
    if (!isGroup(row)) readField(element, row, reading, target)
    else if (row.max === 0) readGroup(element, row, reading, target)
    else readMembers(element, row, reading, target)
  }
}

function readGroup(element: XmlElement, row: Group, reading: Reading, target: Values): void {
  const child = childOf(element, row.xml)
  if (child === undefined) return
  const rows = rowsFor(row.rows, reading.tipo_dte)
  const [name] = row.at
  if (name === undefined) {
    readRows(child, rows, reading, target)
    return
  }
  const inside = (target[name] ?? {}) as Values
  readRows(child, rows, { ...reading, path: [...reading.path, name] }, inside)
  target[name] = inside
}

function readMembers(element: XmlElement, row: Group, reading: Reading, target: Values): void {
  const rows = rowsFor(row.rows, reading.tipo_dte)
  const members: Values[] = []
  childrenOf(element, row.xml).forEach((child, index) => {
    const member: Values = {}
    const path = [...reading.path, ...(row.at.length > 0 ? row.at : [row.xml]), index]
    readRows(child, rows, { ...reading, path }, member)
    row.settle?.(member)
    if (row.view === undefined) members.push(member)
    else row.view.place(target, member)
  })
  if (members.length > 0) putAt(target, row.at, members)
}

function readField(element: XmlElement, row: Field, reading: Reading, target: Values): void {
  if (row.at.length === 0) return
  const values: unknown[] = []
  for (const child of row.max > 1 ? childrenOf(element, row.xml) : [childOf(element, row.xml)]) {
    const content = child === undefined ? '' : repairText(child.text.trim(), reading.suspect_encoding)
    if (content === '') continue
    const value = row.kind.read(content)
    if (value !== undefined) values.push(value)
    else if (!row.shared) {
      const message = `holds ${JSON.stringify(content.slice(0, 40))}, which is not a value for it`
      reading.warnings.push(refusal([...reading.path, ...row.at], 'unreadable', message))
    }
  }
  if (values.length > 0) putAt(target, row.at, row.max > 1 ? values : values[0])
}

const IDENTITY: readonly Path[] = [['folio'], ['issue_date'], ['emisor', 'rut'], ['totals', 'total']]

function missingIdentity(values: Values): string | null {
  const missing = IDENTITY.find((path) => {
    let found: unknown = values
    for (const name of path) found = (found as Values | undefined)?.[name]
    return found === undefined
  })
  return missing === undefined ? null : pathText(missing)
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
