import { refusal } from '../document/fields/check.ts'
import { rowsFor } from '../document/fields/elements.ts'
import { type Field, type Group, isGroup, putAt, type Row } from '../document/fields/shape.ts'
import type { Refusal } from '../refusal.ts'
import { repairText } from '../xml/repair.ts'
import { childOf, childrenOf, type XmlElement } from '../xml/tree.ts'

export type Values = Record<string, unknown>
type Path = readonly (string | number)[]

export interface Reading {
  readonly tipo_dte: number
  readonly warnings: Refusal[]
  readonly path: Path
  readonly suspect_encoding: boolean
}

/** Reads the elements of a tipo by their table: what is not in it is skipped, what is no value is left out and told. */
export function readRows(element: XmlElement, all: readonly Row[], reading: Reading, target: Values): void {
  for (const row of rowsFor(all, reading.tipo_dte)) {
    if (!isGroup(row)) readField(element, row, reading, target)
    else if (row.max === 0) readGroup(element, row, reading, target)
    else readMembers(element, row, reading, target)
  }
}

function readGroup(element: XmlElement, row: Group, reading: Reading, target: Values): void {
  const child = childOf(element, row.xml)
  if (child === undefined) return
  const { rows } = row
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
  const { rows } = row
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

/** What a document has to have, and this one lacks. */
export function missingIdentity(values: Values): Path | null {
  const missing = IDENTITY.find((path) => {
    let found: unknown = values
    for (const name of path) found = (found as Values | undefined)?.[name]
    return found === undefined
  })
  return missing ?? null
}
